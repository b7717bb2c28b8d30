/**
 * Notifications of Hiroba's own events, which are consumed from the event log exactly once.
 *
 * <p>Invariants: nobody is notified of a resource that they may not see; titles are current, and deleted resources cause no
 * notification; an item is resolved once nothing is left to do.
 */
@NullMarked
package io.hiroba.inbox.events;

import org.jspecify.annotations.NullMarked;
