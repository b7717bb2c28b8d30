/**
 * The stream: one connection a page for all that happens while it is open.
 *
 * <p>What there is to tell comes from sources that the features bring. Invariants: a message's id says where the stream
 * stands in every source, so whoever comes back with it is told what came meanwhile; a source never waits for a reader.
 */
@NullMarked
package io.hiroba.platform.live;

import org.jspecify.annotations.NullMarked;
