/**
 * Telling readers while they read that something in their inbox has changed.
 *
 * <p>Invariants: a stream is never told counts that are older than those it was told before; what is told equals the
 * lists as they were at one moment.
 */
@NullMarked
package io.hiroba.inbox.live;

import org.jspecify.annotations.NullMarked;
