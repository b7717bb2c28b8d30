@NullMarked
package io.hiroba.saga.call;

import org.jspecify.annotations.NullMarked;
