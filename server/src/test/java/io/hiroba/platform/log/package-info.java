@NullMarked
package io.hiroba.platform.log;

import org.jspecify.annotations.NullMarked;
