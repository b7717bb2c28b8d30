package io.hiroba.accounts;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Signals to all nodes that sessions, tokens or roles of somebody were revoked, and counts that. A cached caller is stored with
 * the count from before its lookup: once the count has changed, the caller must be looked up again.
 */
final class Revocations {

    private static final String TOPIC = "revocations";

    private final CommitSignal commits;
    private final AtomicLong count = new AtomicLong();

    Revocations(CommitSignal commits) {
        this.commits = commits;
        commits.listen(TOPIC, users -> count.incrementAndGet());
    }

    /** Signals one as soon as {@code tx} is committed. */
    void after(Tx tx, UserId user) {
        tx.afterCommit(() -> commits.raise(TOPIC, Set.of(user.hex())));
    }

    /** Calls {@code listener} with those who have lost something, as hex ids, or {@link CommitSignal#ANY}. */
    void listen(Consumer<Set<String>> listener) {
        commits.listen(TOPIC, listener);
    }

    long count() {
        return count.get();
    }
}
