@NullMarked
package io.hiroba;

import org.jspecify.annotations.NullMarked;
