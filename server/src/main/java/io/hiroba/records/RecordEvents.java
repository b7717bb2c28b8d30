package io.hiroba.records;

import io.hiroba.platform.db.Tx;
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

    private final EventLog log;

    public RecordEvents(EventLog log) {
        this.log = log;
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
    }
}
