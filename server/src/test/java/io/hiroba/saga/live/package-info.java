@NullMarked
package io.hiroba.saga.live;

import org.jspecify.annotations.NullMarked;
