package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.GroupCommit;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.engine.SagaChange.Written;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Writes the changes of many sagas in few commits. */
final class Journal implements AutoCloseable {

    private static final int WRITERS = 2;
    private static final int BATCH_SIZE = 200;

    private final Db db;
    private final Consumer<SagaId> changed;
    private final JournalStore store = new JournalStore();
    private final GroupCommit<SagaChange, Optional<Written>> commits;

    /** @param changed called for each saga that was written; it must neither block nor throw */
    Journal(Db db, Consumer<SagaId> changed) {
        this.db = db;
        this.changed = changed;
        this.commits = new GroupCommit<>("saga journal", WRITERS, BATCH_SIZE, this::writeAll);
    }

    /** Returns once the change is durable; empty if the writer no longer owns the saga. */
    Optional<Written> write(SagaChange change) {
        var written = commits.write(change);
        changed.accept(change.id());
        return written;
    }

    private List<Optional<Written>> writeAll(List<SagaChange> changes) {
        var written = db.inStatement(statement -> store.write(statement, changes));
        return changes.stream()
                .map(change -> Optional.ofNullable(
                        written.get(new JournalStore.Writer(change.id().value(), change.fence()))))
                .toList();
    }

    @Override
    public void close() {
        commits.close();
    }
}
