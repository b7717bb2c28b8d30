/**
 * The chaos test of knowledge: servers are killed while the embedding service injects faults and clients change sources
 * and sessions; afterwards all chunks and messages are checked.
 */
@NullMarked
package io.hiroba.bench.chaos.knowledge;

import org.jspecify.annotations.NullMarked;
