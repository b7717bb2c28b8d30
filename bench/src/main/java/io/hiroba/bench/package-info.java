/** Benchmarks that report ratios to a baseline, measured in turns in one run. */
@NullMarked
package io.hiroba.bench;

import org.jspecify.annotations.NullMarked;
