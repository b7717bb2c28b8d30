/** Tests of agents. */
@NullMarked
package io.hiroba.agents;

import org.jspecify.annotations.NullMarked;
