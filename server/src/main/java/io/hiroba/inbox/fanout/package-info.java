/**
 * Giving items to people, and taking them off their hands again.
 *
 * <p>Invariants: the order in which things are told makes no difference to which items are left to do, because each item,
 * act and closure carries the time at which it happened, and an item is done when anything later answers it.
 */
@NullMarked
package io.hiroba.inbox.fanout;

import org.jspecify.annotations.NullMarked;
