package io.hiroba.records.data;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.records.Access;
import io.hiroba.records.schema.Schema;
import java.util.List;

/** Tells the event log what became of records, in the transaction in which it did. */
public final class RecordEvents {

    public static final String CREATED = "record-created";
    public static final String CHANGED = "record-changed";
    public static final String DELETED = "record-deleted";

    private final EventLog log;

    public RecordEvents(EventLog log) {
        this.log = log;
    }

    void tell(Tx tx, Access access, Schema schema, String type, List<Row> rows) {
        log.append(
                tx,
                rows.stream()
                        .map(row -> NewEvent.of(access.project().id().value(), type)
                                .with("projectId", access.project().id().hex())
                                .with("schema", schema.name())
                                .with("rowId", row.id().toString())
                                .with("by", access.user().hex())
                                .with("version", row.version()))
                        .toList());
    }
}
