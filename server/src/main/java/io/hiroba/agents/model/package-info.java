/** The seam between agents and the clients of chat models. */
@NullMarked
package io.hiroba.agents.model;

import org.jspecify.annotations.NullMarked;
