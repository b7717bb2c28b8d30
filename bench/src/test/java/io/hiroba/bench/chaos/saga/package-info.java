@NullMarked
package io.hiroba.bench.chaos.saga;

import org.jspecify.annotations.NullMarked;
