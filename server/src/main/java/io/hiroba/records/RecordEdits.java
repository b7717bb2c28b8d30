package io.hiroba.records;

import io.hiroba.platform.db.Tx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Writes changes, creations, deletions and restorations of a schema's records in one transaction, all or none. */
public final class RecordEdits {

    private static final Records.Mode ONE_BY_ONE = new Records.Mode(false, true, false, false);

    private final Records records;
    private final RecordHistory history;

    public RecordEdits(Records records, RecordHistory history) {
        this.records = records;
        this.history = history;
    }

    /**
     * The writes of one transaction.
     *
     * @param created an object of values by attribute name for each new record
     */
    public record Batch(
            List<Records.Change> changed,
            List<JsonNode> created,
            List<Records.Deletion> deleted,
            List<RecordHistory.Restoration> restored) {

        public Batch {
            changed = List.copyOf(changed);
            created = List.copyOf(created);
            deleted = List.copyOf(deleted);
            restored = List.copyOf(restored);
        }

        private int size() {
            return changed.size() + created.size() + deleted.size() + restored.size();
        }

        /** Whether there are several kinds of writes, of which each is tried, so that all faults are told at once. */
        private boolean isMixed() {
            return Stream.of(changed, created, deleted, restored)
                            .filter(kind -> !kind.isEmpty())
                            .count()
                    > 1;
        }
    }

    /** The records among {@code ids} that the caller may read, by their ids. */
    public Map<String, RecordView> find(ProjectAccess access, String schema, Collection<RowId> ids) {
        return records.find(access, schema, ids).records();
    }

    /**
     * Writes a batch in the caller's transaction, which {@link ConflictRetry} repeats. The answer has what was changed, created and
     * deleted, in the order of the batch, by which a problem counts as well.
     */
    public List<RecordRow> write(Tx tx, ProjectAccess access, String schema, Batch batch, boolean prechecked) {
        RecordBatch.requireSize(batch.size());
        var mode = new Records.Mode(!batch.isMixed(), prechecked, false, false);
        var results = new ArrayList<WriteResult>();
        if (!batch.changed().isEmpty()) {
            results.addAll(records.change(tx, access, schema, batch.changed(), mode));
        }
        if (!batch.created().isEmpty()) {
            results.addAll(records.create(tx, access, schema, batch.created(), mode));
        }
        if (!batch.deleted().isEmpty()) {
            results.addAll(records.delete(tx, access, schema, batch.deleted(), mode));
        }
        RecordBatch.requireAll(results, false);
        for (var each : batch.restored()) {
            history.restore(tx, access, schema, each.id(), each.version() - 1, each.version(), prechecked);
        }
        return results.stream().map(Records::row).toList();
    }

    /** Deletes those of {@code rows} that nothing keeps, in the caller's transaction, which {@link ConflictRetry} repeats. */
    public List<WriteResult> delete(Tx tx, ProjectAccess access, String schema, List<Records.Deletion> rows) {
        return records.delete(tx, access, schema, rows, ONE_BY_ONE);
    }

    /** The same of changes. */
    public List<WriteResult> change(Tx tx, ProjectAccess access, String schema, List<Records.Change> rows) {
        return records.change(tx, access, schema, rows, ONE_BY_ONE);
    }

    /** Gives a record the values again that it had before the last write, if that led to {@code version}. */
    public void undo(Tx tx, ProjectAccess access, String schema, RowId id, int version) {
        history.restore(tx, access, schema, id, version - 1, version, true);
    }
}
