package io.hiroba.records.data;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Access;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Tables;
import io.hiroba.records.data.HistoryEntry.Act;
import io.hiroba.records.data.HistoryEntry.Delta;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.Sight;
import io.hiroba.records.schema.Sights;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What was done to records, also to those that are deleted, and the way back. */
public final class History {

    private final Db db;
    private final Catalog catalog;
    private final Sights sights;
    private final Records records;
    private final RecordEvents events;
    private final RecordStore rows = new RecordStore();
    private final HistoryStore store = new HistoryStore();

    public History(Db db, Catalog catalog, Sights sights, Records records, RecordEvents events) {
        this.db = db;
        this.catalog = catalog;
        this.sights = sights;
        this.records = records;
        this.events = events;
    }

    /** A record as it was last: as it is, or as it was when it was deleted. */
    private record Last(Row row, boolean deleted) {}

    /** What led to versions below {@code before}, the newest first; the oldest of all is the making. */
    public List<HistoryEntry> page(Access access, String name, RowId id, int before, int limit) {
        return db.inTransaction(tx -> {
            // The rules stay as they are until all is read.
            var schema = catalog.current(tx, access.tables(), name);
            var sight = sights.of(tx, access, schema);
            var last = last(tx, access.tables(), sight, id, false);
            var entries = new ArrayList<HistoryEntry>();
            for (var change : store.page(tx, access.tables(), schema.id(), id, before, limit)) {
                var act = change.deleted() ? Act.DELETED : change.restored() ? Act.RESTORED : Act.CHANGED;
                entries.add(new HistoryEntry(
                        change.version(), act, change.at(), change.by(), deltas(sight, change.changes())));
            }
            if (entries.size() < limit && before > 1) {
                entries.add(making(tx, access.tables(), sight, last));
            }
            return entries;
        });
    }

    /** It is not written down: it follows from what the record is and what was changed since. */
    private HistoryEntry making(Reads reads, Tables tables, Sight sight, Last last) {
        var made = at(reads, tables, sight.schema(), last, 1);
        var deltas = sight.shown().stream()
                .map(attribute -> new Delta(
                        attribute.name(),
                        Documents.exact().nullNode(),
                        attribute.type().shown(Documents.value(made, attribute))))
                .filter(delta -> !delta.to().isNull())
                .toList();
        return new HistoryEntry(
                1, Act.CREATED, last.row().id().createdAt(), last.row().createdBy(), deltas);
    }

    private static List<Delta> deltas(Sight sight, Map<Short, JsonNode> changes) {
        return sight.shown().stream()
                .filter(attribute -> changes.containsKey(attribute.id()))
                .map(attribute -> {
                    var change = changes.getOrDefault(
                            attribute.id(), Documents.exact().nullNode());
                    return new Delta(
                            attribute.name(),
                            attribute.type().shown(change.path(0)),
                            attribute.type().shown(change.path(1)));
                })
                .toList();
    }

    /**
     * Gives the record the values that it had at {@code version}, and brings it back under its id if it was deleted. What is
     * not the caller's to write stays as it was last.
     */
    public RecordView restore(Access access, String name, RowId id, int version, @Nullable Integer expected) {
        return Contention.settled(
                careful -> db.inTransaction(tx -> restore(tx, access, name, id, version, expected, careful)));
    }

    private RecordView restore(
            Tx tx, Access access, String name, RowId id, int version, @Nullable Integer expected, boolean careful) {
        access.requireEditor();
        var tables = access.tables();
        var schema = catalog.current(tx, tables, name);
        var sight = sights.of(tx, access, schema);
        var last = last(tx, tables, sight, id, true);
        if (expected != null && expected != last.row().version()) {
            throw RecordsProblem.otherVersion(last.row().version());
        }
        if (version < 1 || version > last.row().version() || store.wasDeleted(tx, tables, schema.id(), id, version)) {
            throw RecordsProblem.invalid("version", "must be one at which the record was there");
        }
        var values = values(sight, at(tx, tables, schema, last, version));
        if (!last.deleted()) {
            return records.change(tx, access, name, new Change(id, null, values, false), careful);
        }
        var draft = new Intake(sight, List.of(id)).replaced(last.row().document(), values);
        var row = new Row(
                id, last.row().version() + 1, last.row().createdBy(), access.user(), records.now(), draft.document());
        records.promised(
                tx, access, schema, List.of(new Item(row, null, draft.errors())), new Manner(true, careful, true));
        rows.insert(tx, tables, schema.id(), List.of(row));
        store.insertRestored(tx, tables, schema.id(), row);
        events.tell(tx, access, schema, RecordEvents.CREATED, List.of(row));
        return RecordView.of(row, sight, access.role());
    }

    /** What the caller may write of {@code document}, each attribute with its value or a null, so that none gets its default. */
    private static ObjectNode values(Sight sight, ArrayNode document) {
        var values = Documents.exact().createObjectNode();
        sight.schema().attributes().stream()
                .filter(sight::mayWrite)
                .forEach(attribute ->
                        values.set(attribute.name(), attribute.type().shown(Documents.value(document, attribute))));
        return values;
    }

    private Last last(Tx tx, Tables tables, Sight sight, RowId id, boolean locked) {
        short schema = sight.schema().id();
        var live = locked
                ? rows.lock(tx, tables, schema, List.of(id), false).stream().findFirst()
                : rows.find(tx, tables, schema, id);
        var last = live.map(row -> new Last(row, false)).orElseGet(() -> deleted(tx, tables, sight.schema(), id));
        if (!Records.sees(sight, last.row())) {
            throw RecordsProblem.noRecord();
        }
        return last;
    }

    private Last deleted(Reads reads, Tables tables, Schema schema, RowId id) {
        var deletion = store.last(reads, tables, schema.id(), id).orElseThrow(RecordsProblem::noRecord);
        if (!deletion.deleted() || deletion.maker() == null) {
            // It was brought back between two looks.
            throw RecordsProblem.contended();
        }
        var document = document(schema, Documents.exact().createArrayNode(), Map.of());
        deletion.changes().forEach((attribute, change) -> document.set(attribute / 5, change.path(0)));
        return new Last(
                new Row(id, deletion.version(), deletion.maker(), deletion.by(), deletion.at(), document), true);
    }

    /** The document as it was at {@code version}. */
    private ArrayNode at(Reads reads, Tables tables, Schema schema, Last last, int version) {
        var since = store.valuesAt(reads, tables, schema.id(), last.row().id(), version);
        return document(schema, last.row().document(), since);
    }

    private static ArrayNode document(Schema schema, ArrayNode document, Map<Short, JsonNode> others) {
        var values = Documents.exact().createArrayNode();
        for (var attribute : schema.attributes()) {
            values.add(others.getOrDefault(attribute.id(), Documents.value(document, attribute)));
        }
        return values;
    }
}
