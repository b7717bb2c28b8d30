/** Benchmarks that report ratios: ours against the limit, measured in turns in one run. */
@NullMarked
package io.hiroba.bench;

import org.jspecify.annotations.NullMarked;
