package io.hiroba.accounts;

import io.hiroba.platform.db.Tx;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A counter of revoked sessions, tokens and roles on this node. A cached caller is stored with the count from before its
 * lookup: once the count has changed, the caller must be looked up again.
 */
final class Revocations {

    private final AtomicLong count = new AtomicLong();

    /** Counts one as soon as {@code tx} is committed. */
    void after(Tx tx) {
        tx.afterCommit(count::incrementAndGet);
    }

    long count() {
        return count.get();
    }
}
