/**
 * The chaos test of agents: servers are killed and frozen while their chat model fails in every way and people ask; afterwards each
 * question must have one answer or a reason, and no budget be exceeded.
 */
@NullMarked
package io.hiroba.bench.chaos.agents;

import org.jspecify.annotations.NullMarked;
