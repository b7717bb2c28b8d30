/**
 * What Hiroba itself wants from people: read from the event log, exactly once.
 *
 * <p>Invariants: nobody is told of what they may not see; what others have named is told as it is now, and of what is gone
 * nobody is told; an item is done once what it asks for wants nothing any more.
 */
@NullMarked
package io.hiroba.inbox.own;

import org.jspecify.annotations.NullMarked;
