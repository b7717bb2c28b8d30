/** The benchmark of agents: what a run costs without the time of its model, and what idle sessions cost. */
@NullMarked
package io.hiroba.bench.agents;

import org.jspecify.annotations.NullMarked;
