/** One search of everything that the features let people find, as a page with tabs and as an API. */
@NullMarked
package io.hiroba.search;

import org.jspecify.annotations.NullMarked;
