/** The benchmarks of activity: the throughput from events to cards, and the latency to open streams. */
@NullMarked
package io.hiroba.bench.activity;

import org.jspecify.annotations.NullMarked;
