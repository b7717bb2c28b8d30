/**
 * The mirror of resources and people, and the fan-out of notifications about them to the inboxes of recipients.
 *
 * <p>Invariants: a snapshot that is older than the mirrored state changes nothing; whoever upserts a resource holds it
 * locked until the end of the transaction. The order in which events arrive makes no difference to which items are left to
 * do, because each item, act and auto-resolution carries the time at which it happened. A name elsewhere belongs to one
 * account, and nobody gets what is pending for a name before they are believed to have it.
 */
@NullMarked
package io.hiroba.inbox.fanout;

import org.jspecify.annotations.NullMarked;
