package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.ComputationQueueStore.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Computes the records that are queued, on every node. What a node works on is locked in the queue until the transaction that computes it
 * ends: a node that dies leaves it as it was, and no two work on the same.
 */
final class ComputationWorker implements AutoCloseable {

    private static final int BATCH_SIZE = 500;

    /** The pause after a failure. */
    private static final Duration RETRY_DELAY = Duration.ofSeconds(3);

    private final Db db;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final ComputedValues values;
    private final Runnable written;
    private final ComputationQueueStore queue = new ComputationQueueStore();
    private final SchemaStore schemas = new SchemaStore();
    private @Nullable WorkLoop loop;

    ComputationWorker(Db db, Projects projects, SchemaCatalog catalog) {
        this(db, projects, catalog, () -> {});
    }

    /** @param written called before a batch is committed: a crash there must leave nothing of it */
    ComputationWorker(Db db, Projects projects, SchemaCatalog catalog, Runnable written) {
        this.db = db;
        this.projects = projects;
        this.catalog = catalog;
        this.values = new ComputedValues(catalog);
        this.written = written;
    }

    ComputationWorker start() {
        loop = WorkLoop.whenSignalled("computed values", 1, catalog.due(), WorkLoop.FALLBACK_POLL, this::runNext);
        return this;
    }

    /** Computes all that nobody else works on. */
    void runAll() {
        while (runNext()) {
            // runNext does the work.
        }
    }

    private boolean runNext() {
        var claimed = new ArrayList<Work>();
        try {
            return db.inTransaction(tx -> {
                claimed.clear();
                claimed.addAll(queue.claim(tx, BATCH_SIZE));
                if (claimed.isEmpty()) {
                    return false;
                }
                compute(tx, List.copyOf(claimed));
                written.run();
                return true;
            });
        } catch (RuntimeException e) {
            putOff(claimed, e);
            throw e;
        }
    }

    private void compute(Tx tx, List<Work> claimed) {
        var first = claimed.getFirst();
        var tables = projects.find(tx, first.project()).map(Project::tables);
        // A deleted schema is computed anew when it is restored.
        if (tables.isEmpty() || schemas.find(tx, tables.get(), first.schema()).isEmpty()) {
            queue.delete(tx, claimed);
            return;
        }
        var rows = new LinkedHashSet<RowId>();
        if (first.row() == null) {
            rows.addAll(queue.rows(tx, tables.get(), first, BATCH_SIZE));
        } else {
            claimed.forEach(each -> rows.add(new RowId(Objects.requireNonNull(each.row()))));
        }
        values.refresh(tx, tables.get(), first.schema(), rows);
        if (first.row() == null && rows.size() == BATCH_SIZE) {
            queue.advance(tx, first, rows.getLast().value());
        } else {
            queue.delete(tx, claimed);
        }
    }

    /** Has others go first, rather than trying the same for ever. */
    private void putOff(List<Work> claimed, RuntimeException failure) {
        try {
            db.useTransaction(tx -> queue.retry(tx, claimed, RETRY_DELAY));
            catalog.due().raiseAlsoIn(RETRY_DELAY);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        }
    }
}
