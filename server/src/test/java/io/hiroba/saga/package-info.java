@NullMarked
package io.hiroba.saga;

import org.jspecify.annotations.NullMarked;
