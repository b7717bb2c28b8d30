@NullMarked
package io.hiroba.social.search;

import org.jspecify.annotations.NullMarked;
