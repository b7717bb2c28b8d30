package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.HistoryEntry.Delta;
import io.hiroba.records.HistoryEntry.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The history of records, also of deleted ones, and the restoring of earlier versions. */
public final class RecordHistory {

    private final Db db;
    private final SchemaCatalog catalog;
    private final AccessResolver accessResolver;
    private final Records records;
    private final RecordEvents events;
    private final IntegrityChecks integrity;
    private final ComputedValues computed;
    private final RecordStore rows = new RecordStore();
    private final HistoryStore store = new HistoryStore();

    public RecordHistory(
            Db db, SchemaCatalog catalog, AccessResolver accessResolver, Records records, RecordEvents events) {
        this.db = db;
        this.catalog = catalog;
        this.accessResolver = accessResolver;
        this.records = records;
        this.events = events;
        this.integrity = new IntegrityChecks(catalog, accessResolver);
        this.computed = new ComputedValues(catalog);
    }

    /** The last state of a record: the current one, or the one before its deletion. */
    private record Last(RecordRow row, boolean deleted) {}

    /**
     * The entries with versions below {@code before}, the newest first; the first of all is the creation. Changes of nothing that the
     * caller sees, such as values of a type that was undone, are left out.
     */
    public List<HistoryEntry> page(ProjectAccess access, String name, RowId id, int before, int limit) {
        return db.inTransaction(tx -> {
            // The rules are locked until all is read.
            var schema = catalog.current(tx, access.tables(), name);
            var recordAccess = accessResolver.of(tx, access, schema);
            var last = last(tx, access.tables(), recordAccess, id, false);
            var entries = new ArrayList<HistoryEntry>();
            int next = before;
            while (entries.size() < limit && next > 2) {
                var changes = store.page(tx, access.tables(), schema.id(), id, next, limit - entries.size());
                changes.stream()
                        .map(change -> entry(recordAccess, change))
                        .filter(entry -> entry.operation() != Operation.CHANGED
                                || !entry.changes().isEmpty())
                        .forEach(entries::add);
                next = changes.isEmpty() ? 0 : changes.getLast().version();
            }
            if (entries.size() < limit && before > 1) {
                entries.add(creation(tx, access.tables(), recordAccess, last));
            }
            return entries;
        });
    }

    private static HistoryEntry entry(RecordAccess recordAccess, HistoryStore.Change change) {
        var operation =
                change.deleted() ? Operation.DELETED : change.restored() ? Operation.RESTORED : Operation.CHANGED;
        return new HistoryEntry(change.version(), operation, change.at(), change.by(), deltas(recordAccess, change));
    }

    /** The creation is not stored: it follows from the record and its later changes. */
    private HistoryEntry creation(Reads reads, ProjectTables tables, RecordAccess recordAccess, Last last) {
        var created = at(reads, tables, recordAccess.schema(), last, 1);
        var deltas = recordAccess.shown().stream()
                .map(attribute -> new Delta(
                        attribute.name(),
                        Documents.exact().nullNode(),
                        attribute.type().shown(Documents.value(created, attribute))))
                .filter(delta -> !delta.to().isNull())
                .toList();
        return new HistoryEntry(
                1, Operation.CREATED, last.row().id().createdAt(), last.row().createdBy(), deltas);
    }

    private static List<Delta> deltas(RecordAccess recordAccess, HistoryStore.Change change) {
        return recordAccess.shown().stream()
                // The entry itself tells who changed it when.
                .filter(attribute -> !GeneratedValues.isOfChange(attribute))
                .flatMap(attribute -> {
                    // What it was before its type was changed is told as what it was.
                    var then = recordAccess.schema().conversionsTo(attribute).stream()
                            .filter(conversion -> conversion.isAfter(change.at()))
                            .findFirst()
                            .map(Schema.Conversion::from)
                            .orElse(attribute);
                    return Stream.ofNullable(change.changes().get(then.id()))
                            .map(values -> new Delta(
                                    attribute.name(),
                                    then.type().shown(values.path(0)),
                                    then.type().shown(values.path(1))));
                })
                .toList();
    }

    /**
     * Restores the values of {@code version}, and the record under its id if it was deleted. Values that the caller may
     * not write stay as they were last.
     */
    public RecordView restore(ProjectAccess access, String name, RowId id, int version, @Nullable Integer expected) {
        return ConflictRetry.run(
                prechecked -> db.inTransaction(tx -> restore(tx, access, name, id, version, expected, prechecked)));
    }

    /**
     * A deleted record to restore as it was.
     *
     * @param version that of its deletion; if it has another one by now, nothing is restored
     */
    public record Restoration(RowId id, int version) {}

    /** Restores deleted records as they were, all or none. */
    public void restore(ProjectAccess access, String name, List<Restoration> restorations) {
        RecordBatch.requireSize(restorations.size());
        ConflictRetry.run(prechecked -> db.inTransaction(tx -> {
            for (var each : restorations) {
                restore(tx, access, name, each.id(), each.version() - 1, each.version(), prechecked);
            }
            return true;
        }));
    }

    RecordView restore(
            Tx tx,
            ProjectAccess access,
            String name,
            RowId id,
            int version,
            @Nullable Integer expected,
            boolean prechecked) {
        access.requireEditor();
        var tables = access.tables();
        var schema = catalog.current(tx, tables, name);
        var recordAccess = accessResolver.of(tx, access, schema);
        var last = last(tx, tables, recordAccess, id, true);
        if (expected != null && expected != last.row().version()) {
            throw RecordsProblem.otherVersion(last.row().version());
        }
        if (version < 1 || version > last.row().version() || store.wasDeleted(tx, tables, schema.id(), id, version)) {
            throw RecordsProblem.invalid("version", Text.of("records.field.version-there"));
        }
        var values = values(recordAccess, at(tx, tables, schema, last, version));
        if (!last.deleted()) {
            return records.change(tx, access, name, new Records.Change(id, null, values, false), prechecked);
        }
        var draft = new RecordValidator(recordAccess.require(AccessRules.WriteKind.CREATE), List.of(id))
                .replaced(last.row().document(), values);
        integrity.dropConflicts(tx, tables, schema, id, draft.document());
        var row = new RecordRow(
                id, last.row().version() + 1, last.row().createdBy(), access.user(), records.now(), draft.document());
        records.writable(
                tx,
                access,
                schema,
                List.of(RecordWrite.restored(row, draft.errors())),
                new Records.Mode(true, prechecked, true));
        GeneratedValues.changed(schema, List.of(row));
        computed.compute(tx, tables, schema, List.of(row));
        rows.insert(tx, tables, schema.id(), List.of(row));
        store.insertRestored(tx, tables, schema.id(), row);
        events.append(tx, access, schema, RecordEvents.CREATED, List.of(row));
        computed.spreadNew(tx, tables, schema, List.of(row));
        return RecordView.of(row, recordAccess, access.role());
    }

    /**
     * The values of {@code document} that the caller may write, with nulls for missing ones, so that none gets its
     * default.
     */
    private static ObjectNode values(RecordAccess recordAccess, ArrayNode document) {
        var values = Documents.exact().createObjectNode();
        recordAccess.schema().attributes().stream()
                .filter(recordAccess::canWrite)
                .forEach(attribute ->
                        values.set(attribute.name(), attribute.type().shown(Documents.value(document, attribute))));
        return values;
    }

    private Last last(Tx tx, ProjectTables tables, RecordAccess recordAccess, RowId id, boolean locked) {
        short schema = recordAccess.schema().id();
        var live = locked
                ? rows.lock(tx, tables, schema, List.of(id), false).stream().findFirst()
                : rows.find(tx, tables, schema, id);
        var last =
                live.map(row -> new Last(row, false)).orElseGet(() -> deleted(tx, tables, recordAccess.schema(), id));
        if (!Records.canReadRow(recordAccess, last.row())) {
            throw RecordsProblem.noRecord();
        }
        return last;
    }

    private Last deleted(Reads reads, ProjectTables tables, Schema schema, RowId id) {
        var deletion = store.last(reads, tables, schema.id(), id).orElseThrow(RecordsProblem::noRecord);
        if (!deletion.deleted() || deletion.creator() == null) {
            // It was restored between the two reads.
            throw RecordsProblem.contended();
        }
        var document = document(schema, Documents.exact().createArrayNode(), Map.of());
        deletion.changes().forEach((attribute, change) -> document.set(attribute / 5, change.path(0)));
        for (var conversion : schema.conversions()) {
            // Of a record that was deleted earlier, no value was converted.
            if (conversion.isAfter(deletion.at())) {
                document.set(
                        conversion.to().place(),
                        conversion.convertOrNull(Documents.value(document, conversion.from())));
            }
        }
        return new Last(
                new RecordRow(id, deletion.version(), deletion.creator(), deletion.by(), deletion.at(), document),
                true);
    }

    /** The document at {@code version}. */
    private ArrayNode at(Reads reads, ProjectTables tables, Schema schema, Last last, int version) {
        var since = store.valuesAt(reads, tables, schema.id(), last.row().id(), version);
        return document(schema, last.row().document(), since);
    }

    private static ArrayNode document(Schema schema, ArrayNode document, Map<Short, HistoryStore.Past> others) {
        var values = Documents.exact().createArrayNode();
        for (int place = 0; place < schema.places(); place++) {
            values.addNull();
        }
        for (var attribute : schema.kept()) {
            var past = others.get(attribute.id());
            values.set(attribute.place(), past == null ? Documents.value(document, attribute) : past.value());
            for (var conversion : schema.conversionsTo(attribute).reversed()) {
                var from = conversion.from();
                var earlier = others.get(from.id());
                if (earlier != null && conversion.isAfter(earlier.until())) {
                    values.set(
                            attribute.place(),
                            new ValueConversion(from, attribute.type(), conversion.written())
                                    .convertOrNull(earlier.value()));
                }
            }
        }
        return values;
    }
}
