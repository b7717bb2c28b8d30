@NullMarked
package io.hiroba.deletion;

import org.jspecify.annotations.NullMarked;
