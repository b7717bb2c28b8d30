/**
 * The notifications that Hiroba's own events lead to: read from the event log, exactly once.
 *
 * <p>Invariants: nobody is notified of what they may not see; titles are as they are now, and nobody is notified of what is
 * deleted; an item is resolved once nothing is asked any more.
 */
@NullMarked
package io.hiroba.inbox.events;

import org.jspecify.annotations.NullMarked;
