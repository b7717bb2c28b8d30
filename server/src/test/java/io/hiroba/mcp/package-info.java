/** Tests of the Model Context Protocol. */
@NullMarked
package io.hiroba.mcp;

import org.jspecify.annotations.NullMarked;
