package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.GroupCommit;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.engine.SagaChange.Written;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Writes the changes of many sagas in few commits. */
final class Journal implements AutoCloseable {

    private static final int WRITERS = 2;
    private static final int BATCH_SIZE = 200;

    private final Db db;
    private final Consumer<SagaId> changed;
    private final JournalStore store;
    private final ChildStore children = new ChildStore();
    private final ClaimStore claims = new ClaimStore(Tracing.OFF);
    private final TaskStateStore tasks = new TaskStateStore();
    private final GroupCommit<SagaChange, Optional<Written>> commits;
    private final GroupCommit<ChildEnd, Optional<Written>> ends;

    /** The end of a child. */
    private record ChildEnd(SagaId parent, SagaChange change) {}

    /** @param changed called for each saga that was written; it must neither block nor throw */
    Journal(Db db, Consumer<SagaId> changed, Tracing tracing) {
        this.store = new JournalStore(tracing);
        this.db = db;
        this.changed = changed;
        this.commits = new GroupCommit<>("saga journal", WRITERS, BATCH_SIZE, this::writeAll);
        this.ends = new GroupCommit<>("saga ends", 1, BATCH_SIZE, this::endAll);
    }

    /** Returns once the change is durable; empty if the writer no longer owns the saga. */
    Optional<Written> write(SagaChange change) {
        var written = SagaSpans.commit(() -> commits.write(change));
        changed.accept(change.id());
        return written;
    }

    /** As above, for the end of a child, which wakes its parent in the same transaction. */
    Optional<Written> writeEnd(SagaId parent, SagaChange change) {
        var written = SagaSpans.commit(() -> ends.write(new ChildEnd(parent, change)));
        changed.accept(change.id());
        changed.accept(parent);
        return written;
    }

    /** As above, for a saga that goes on as {@code successor}: that is started in the same transaction, unless it was cancelled. */
    Optional<Written> writeContinued(SagaChange change, ChildSteps.Successor successor) {
        var written = db.inTransaction(tx -> {
            var state =
                    written(List.of(change), store.write(tx, List.of(change))).getFirst();
            if (state.isPresent() && state.get().status() == SagaStatus.COMPLETED) {
                children.continueAs(tx, change.id(), successor);
            }
            return state;
        });
        changed.accept(change.id());
        return written;
    }

    /** A change, and the state that it led to unless another node has the saga. */
    record Chosen(SagaChange change, Optional<Written> state) {}

    /**
     * Writes the change unless the saga has the signal: then the saga is put back. It is locked before the look, as by whoever sends a
     * signal, so that one comes before the other.
     */
    Chosen writeUnlessSignalled(SagaChange change, String signal) {
        var id = change.id().value();
        var chosen = db.inTransaction(tx -> {
            if (!tasks.lock(tx, change.id(), change.fence())) {
                return new Chosen(change, Optional.empty());
            }
            var sent = claims.signals(tx, List.of(id)).getOrDefault(id, Map.of());
            var next = sent.containsKey(signal) ? change.putBack() : change;
            return new Chosen(
                    next, written(List.of(next), store.write(tx, List.of(next))).getFirst());
        });
        changed.accept(change.id());
        return chosen;
    }

    private List<Optional<Written>> writeAll(List<SagaChange> changes) {
        return written(changes, db.inStatement(statement -> store.write(statement, changes)));
    }

    private List<Optional<Written>> endAll(List<ChildEnd> batch) {
        var parents = batch.stream().map(ChildEnd::parent).distinct().toList();
        var changes = batch.stream().map(ChildEnd::change).toList();
        return written(changes, db.inTransaction(tx -> {
            children.lockParents(tx, parents);
            var written = store.write(tx, changes);
            children.wake(tx, parents);
            return written;
        }));
    }

    private static List<Optional<Written>> written(
            List<SagaChange> changes, Map<JournalStore.Writer, Written> written) {
        return changes.stream()
                .map(change -> Optional.ofNullable(
                        written.get(new JournalStore.Writer(change.id().value(), change.fence()))))
                .toList();
    }

    @Override
    public void close() {
        commits.close();
        ends.close();
    }
}
