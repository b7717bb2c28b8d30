/** Servers elsewhere that speak the Model Context Protocol, and the tools of theirs that admins allow agents (ADR 135). */
@NullMarked
package io.hiroba.agents.remote;

import org.jspecify.annotations.NullMarked;
