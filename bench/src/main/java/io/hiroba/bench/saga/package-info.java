/** Sagas against statements written by hand and against another engine. */
@NullMarked
package io.hiroba.bench.saga;

import org.jspecify.annotations.NullMarked;
