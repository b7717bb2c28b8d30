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

/** The dead letter queue, for those whose chunks are in it: to be looked through, tried again or put aside. */
public final class DeadLetters {

    private static final int AT_ONCE = 500;

    private final Db db;
    private final WakeSignal signal;
    private final DeadLetterStore store = new DeadLetterStore();

    public DeadLetters(Db db, WakeSignal signal) {
        this.db = db;
        this.signal = signal;
    }

    /** Which of them; all for null. */
    public record Filter(
            @Nullable SourceId source, @Nullable String errorCode) {
        public static final Filter NONE = new Filter(null, null);
    }

    /**
     * The newest first.
     *
     * @param everybodys also those of others: for admins only
     * @param before the id that the page before ended with; {@link Long#MAX_VALUE} for the first
     */
    public List<DeadLetter> list(Caller caller, boolean everybodys, Filter filter, long before, int limit) {
        var owner = owner(caller, everybodys);
        return db.read(reads -> store.list(reads, owner, filter, before, limit));
    }

    /** Whether dead letters of the source wait for somebody to do something about them. */
    public boolean areWaiting(Reads reads, SourceId source) {
        return store.areWaiting(reads, source);
    }

    /** Lets a chunk be tried again, as if it had never been tried. */
    public void retry(Caller caller, DeadLetterId id) {
        db.useTransaction(tx -> {
            var entry = find(tx, caller, id);
            SourceLocks.share(tx, List.of(entry.source()));
            if (store.requeue(tx, List.of(entry)) == 0) {
                // Somebody else may have been quicker.
                find(tx, caller, id);
                throw gone();
            }
            tx.afterCommit(signal::raise);
        });
    }

    /**
     * Lets all chunks that are still there be tried again; those of one source even if their entries were put aside. The
     * answer is how many.
     *
     * @param everybodys also those of others: for admins only
     */
    public int retryAll(Caller caller, boolean everybodys, Filter filter) {
        var owner = owner(caller, everybodys);
        int retried = 0;
        long before = Long.MAX_VALUE;
        while (true) {
            long from = before;
            var entries = db.read(reads -> store.retriable(reads, owner, filter, from, AT_ONCE));
            if (entries.isEmpty()) {
                return retried;
            }
            retried += db.inTransaction(tx -> {
                SourceLocks.share(tx, entries.stream().map(Entry::source).toList());
                tx.afterCommit(signal::raise);
                return store.requeue(tx, entries);
            });
            // What dies meanwhile has a larger id: this comes to an end.
            before = entries.getLast().id().value();
        }
    }

    /** Puts an entry aside. The source goes on telling that this chunk has no vector. */
    public void delete(Caller caller, DeadLetterId id) {
        db.useTransaction(tx -> {
            var entry = find(tx, caller, id);
            SourceLocks.share(tx, List.of(entry.source()));
            store.dismiss(tx, entry);
        });
    }

    private Entry find(Reads reads, Caller caller, DeadLetterId id) {
        return store.find(reads, owner(caller, caller.admin()), id).orElseThrow(DeadLetters::noDeadLetter);
    }

    private static Optional<UserId> owner(Caller caller, boolean everybodys) {
        if (everybodys) {
            caller.requireAdmin();
            return Optional.empty();
        }
        return Optional.of(caller.user());
    }

    private static KnowledgeProblem noDeadLetter() {
        return new KnowledgeProblem(
                Kind.NOT_FOUND, "no-dead-letter", "There is no such dead letter, or it is not yours.");
    }

    private static KnowledgeProblem gone() {
        return new KnowledgeProblem(
                Kind.CONFLICT,
                "chunk-gone",
                "The chunk is gone: its source was deleted or changed. The dead letter can only be deleted.");
    }
}
