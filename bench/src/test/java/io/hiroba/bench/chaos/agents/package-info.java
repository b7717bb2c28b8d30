@NullMarked
package io.hiroba.bench.chaos.agents;

import org.jspecify.annotations.NullMarked;
