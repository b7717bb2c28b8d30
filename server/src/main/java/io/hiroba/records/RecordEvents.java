package io.hiroba.records;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Appends events of records to the event log, in the transaction of the change. */
public final class RecordEvents {

    public static final String CREATED = "record-created";
    public static final String CHANGED = "record-changed";
    public static final String DELETED = "record-deleted";

    /** The schema by its id: another may have its name when the event is read. Events of before have none. */
    public static final String SCHEMA_ID = "schemaId";

    /** Of more rows at once, open grids are told that there are many. */
    private static final int MAX_SIGNALLED = 100;

    private final EventLog log;
    private final CommitSignal commits;

    /** Tells no open grids. */
    public RecordEvents(EventLog log) {
        this(log, new CommitSignal());
    }

    /** @param commits how open grids learn of changes at once */
    public RecordEvents(EventLog log, CommitSignal commits) {
        this.log = log;
        this.commits = commits;
    }

    /** What the schema of an event's payload is found by. */
    public static String schema(JsonNode payload) {
        return payload.path(SCHEMA_ID).isNumber()
                ? String.valueOf(payload.path(SCHEMA_ID).intValue())
                : payload.path("schema").asString("");
    }

    void append(Tx tx, ProjectAccess access, Schema schema, String type, List<RecordRow> rows) {
        log.append(
                tx,
                rows.stream()
                        .map(row -> NewEvent.of(access.project().id().value(), type)
                                .with("projectId", access.project().id().hex())
                                .with("schema", schema.name())
                                .with(SCHEMA_ID, schema.id())
                                .with("rowId", row.id().toString())
                                .with("by", access.user().hex())
                                .with("version", row.version()))
                        .toList());
        var grid = LiveRecords.grid(access.project().id(), schema.id());
        var keys = rows.size() > MAX_SIGNALLED
                ? List.of(grid)
                : rows.stream().map(row -> LiveRecords.key(grid, row.id())).toList();
        tx.afterCommit(() -> commits.raise(LiveRecords.CHANGES, keys));
    }
}
