/**
 * The mirror of resources and people, and the fan-out of notifications about them to the inboxes of recipients.
 *
 * <p>Invariants: a snapshot that is older than the mirrored state changes nothing; an upsert locks the resource until
 * the end of the transaction. The order in which events arrive makes no difference to which items are left to
 * do, because each item, activity and auto-resolution carries the time at which it happened. An external name belongs to one
 * account, which gets the items pending for it only once the name is linked.
 */
@NullMarked
package io.hiroba.inbox.fanout;

import org.jspecify.annotations.NullMarked;
