@NullMarked
package io.hiroba.platform.live;

import org.jspecify.annotations.NullMarked;
