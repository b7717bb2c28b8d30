/** Agents: members that answer when they are mentioned or replied to, by a model or from what is known here (ADR 105). */
@NullMarked
package io.hiroba.agents;

import org.jspecify.annotations.NullMarked;
