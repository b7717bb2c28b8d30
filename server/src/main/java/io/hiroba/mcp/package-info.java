/** The Model Context Protocol: agents elsewhere use this Hiroba by tools, resources and prompts. */
@NullMarked
package io.hiroba.mcp;

import org.jspecify.annotations.NullMarked;
