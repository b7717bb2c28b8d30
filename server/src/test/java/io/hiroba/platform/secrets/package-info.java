@NullMarked
package io.hiroba.platform.secrets;

import org.jspecify.annotations.NullMarked;
