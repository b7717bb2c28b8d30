/**
 * From the event log to cards: each act is counted once, whatever is killed and whenever.
 *
 * <p>What concerns a reader lies in one partition and is handled in order by one worker at a time; so cards are read,
 * changed in memory and written back without a lock.
 */
@NullMarked
package io.hiroba.activity.collect;

import org.jspecify.annotations.NullMarked;
