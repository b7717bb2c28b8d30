package io.hiroba.accounts;

import io.hiroba.platform.db.Tx;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the times when somebody's way in was closed or their rights changed on this node. Who remembers a caller
 * remembers the count from before the look-up as well: once it has moved on, the caller must be looked up again.
 */
public final class Revocations {

    private final AtomicLong count = new AtomicLong();

    /** Counts one as soon as {@code tx} is committed. */
    public void after(Tx tx) {
        tx.afterCommit(count::incrementAndGet);
    }

    public long count() {
        return count.get();
    }
}
