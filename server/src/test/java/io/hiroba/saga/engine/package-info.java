@NullMarked
package io.hiroba.saga.engine;

import org.jspecify.annotations.NullMarked;
