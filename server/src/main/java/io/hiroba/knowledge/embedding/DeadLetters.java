package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.DeadLetterStore.Entry;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.task.WakeSignal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists, retries and dismisses the dead letters of an owner. */
public final class DeadLetters {

    private static final int BATCH_SIZE = 500;

    private final Db db;
    private final WakeSignal signal;
    private final DeadLetterStore store = new DeadLetterStore();

    public DeadLetters(Db db, WakeSignal signal) {
        this.db = db;
        this.signal = signal;
    }

    /** The filters of the list; null does not restrict it. */
    public record Filter(
            @Nullable SourceId source, @Nullable String errorCode) {
        public static final Filter NONE = new Filter(null, null);
    }

    /**
     * The newest first.
     *
     * @param all whether to include those of others, for admins only
     * @param after the last one of the previous page
     */
    public List<DeadLetter> list(Caller caller, boolean all, Filter filter, Optional<DeadLetterId> after, int limit) {
        var owner = owner(caller, all);
        long before = after.map(DeadLetterId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, owner, filter, before, limit));
    }

    /** Whether the source has dead letters that were not dismissed. */
    public boolean arePending(Reads reads, SourceId source) {
        return store.arePending(reads, source);
    }

    /** Queues the chunk again, with its retries reset. */
    public void retry(Caller caller, DeadLetterId id) {
        db.useTransaction(tx -> {
            var entry = find(tx, caller, id);
            SourceLockStore.share(tx, List.of(entry.source()));
            if (store.requeue(tx, List.of(entry)) == 0) {
                // A concurrent retry may have removed it.
                find(tx, caller, id);
                throw notFound();
            }
            tx.afterCommit(signal::raise);
        });
    }

    /**
     * Queues all chunks that still exist again; those of one source even if their entries were dismissed. Returns how
     * many.
     *
     * @param all whether to include those of others, for admins only
     */
    public int retryAll(Caller caller, boolean all, Filter filter) {
        var owner = owner(caller, all);
        int retried = 0;
        long before = Long.MAX_VALUE;
        while (true) {
            long from = before;
            var entries = db.read(reads -> store.retriable(reads, owner, filter, from, BATCH_SIZE));
            if (entries.isEmpty()) {
                return retried;
            }
            retried += db.inTransaction(tx -> {
                SourceLockStore.share(tx, entries.stream().map(Entry::source).toList());
                tx.afterCommit(signal::raise);
                return store.requeue(tx, entries);
            });
            // New dead letters have larger ids, so the loop ends.
            before = entries.getLast().id().value();
        }
    }

    /** Dismisses an entry. The chunk still counts as failed. */
    public void delete(Caller caller, DeadLetterId id) {
        db.useTransaction(tx -> {
            var entry = find(tx, caller, id);
            SourceLockStore.share(tx, List.of(entry.source()));
            store.dismiss(tx, entry);
        });
    }

    private Entry find(Reads reads, Caller caller, DeadLetterId id) {
        return store.find(reads, owner(caller, caller.admin()), id).orElseThrow(DeadLetters::noDeadLetter);
    }

    private static Optional<UserId> owner(Caller caller, boolean all) {
        if (all) {
            caller.requireAdmin();
            return Optional.empty();
        }
        return Optional.of(caller.user());
    }

    private static KnowledgeProblem noDeadLetter() {
        return new KnowledgeProblem(Kind.NOT_FOUND, "no-dead-letter");
    }

    private static KnowledgeProblem notFound() {
        return new KnowledgeProblem(Kind.CONFLICT, "chunk-gone");
    }
}
