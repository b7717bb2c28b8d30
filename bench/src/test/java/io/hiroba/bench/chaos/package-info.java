@NullMarked
package io.hiroba.bench.chaos;

import org.jspecify.annotations.NullMarked;
