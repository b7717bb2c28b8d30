/** Tests of the one search. */
@NullMarked
package io.hiroba.search;

import org.jspecify.annotations.NullMarked;
