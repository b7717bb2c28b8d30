/**
 * The event stream of open pages: one connection a page for the events of all features.
 *
 * <p>The events come from the sources of the features. Invariants: the id of a message has the position of the stream in every
 * source, so a reader who reconnects with it gets what was missed; a source never waits for a reader.
 */
@NullMarked
package io.hiroba.platform.live;

import org.jspecify.annotations.NullMarked;
