/** Time-ordered 64-bit ids, unique over up to 256 nodes without configuration. */
@NullMarked
package io.hiroba.platform.id;

import org.jspecify.annotations.NullMarked;
