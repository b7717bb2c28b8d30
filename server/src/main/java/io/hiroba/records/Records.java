package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.records.AccessRules.WriteKind;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The records of projects. */
public final class Records {

    private final Db db;
    private final Clock clock;
    private final SchemaCatalog catalog;
    private final AccessResolver accessResolver;
    private final RecordEvents events;
    private final UuidV7 ids;
    private final IntegrityChecks integrity;
    private final ComputedValues computed;
    private final ComputationQueueStore queue = new ComputationQueueStore();
    private final RecordStore store = new RecordStore();
    private final GeneratedValues generated = new GeneratedValues();

    public Records(Db db, Clock clock, SchemaCatalog catalog, AccessResolver accessResolver, RecordEvents events) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
        this.accessResolver = accessResolver;
        this.events = events;
        this.ids = new UuidV7(clock);
        this.integrity = new IntegrityChecks(catalog, accessResolver);
        this.computed = new ComputedValues(catalog);
    }

    /** Creates records from {@code values}, each an object by attribute name. */
    public List<WriteResult> create(ProjectAccess access, String schema, List<JsonNode> values, boolean atomic) {
        return ConflictRetry.run(prechecked ->
                db.inTransaction(tx -> create(tx, access, schema, values, new Mode(atomic, prechecked, false))));
    }

    /** Creates one record. */
    public RecordView create(ProjectAccess access, String schema, JsonNode values) {
        return ConflictRetry.run(prechecked -> db.inTransaction(tx -> create(tx, access, schema, values, prechecked)));
    }

    /** The same in the caller's transaction, which {@link ConflictRetry} repeats. */
    public RecordView create(Tx tx, ProjectAccess access, String schema, JsonNode values, boolean prechecked) {
        var created = create(tx, access, schema, List.of(values), new Mode(true, prechecked, true));
        return view(tx, access, schema, row(created.getFirst()));
    }

    /** All that is wrong with a new record, by itself and beside others; nothing is written. */
    public RecordsProblem faults(ProjectAccess access, String schema, JsonNode values) {
        return db.inTransaction(tx -> integrity.faults(tx, access, schema, values));
    }

    List<WriteResult> create(Tx tx, ProjectAccess access, String name, List<JsonNode> values, Mode mode) {
        access.requireEditor();
        RecordBatch.requireSize(values.size());
        var schema = catalog.current(tx, access.tables(), name);
        var rows = Stream.generate(() -> new RowId(ids.next()))
                .limit(values.size())
                .toList();
        var intake =
                new RecordValidator(accessResolver.of(tx, access, schema).require(WriteKind.CREATE), mode.among(rows));
        var items = new ArrayList<RecordWrite>();
        for (int i = 0; i < rows.size(); i++) {
            var draft = intake.created(values.get(i));
            var id = rows.get(i);
            var row = new RecordRow(id, 1, access.user(), access.user(), id.createdAt(), draft.document());
            items.add(new RecordWrite(row, null, draft.errors()));
        }
        var good = writable(tx, access, schema, items, mode);
        if (!good.isEmpty()) {
            generated.created(tx, access.tables(), schema, good);
            computed.compute(tx, access.tables(), schema, good);
            store.insert(tx, access.tables(), schema.id(), good);
            events.append(tx, access, schema, RecordEvents.CREATED, good);
            computed.spreadNew(tx, access.tables(), schema, good);
        }
        return items.stream().map(RecordWrite::outcome).toList();
    }

    public RecordView get(ProjectAccess access, String schema, RowId id) {
        return ConflictRetry.run(prechecked -> get(access, catalog.cached(access.tables(), schema), id)
                .or(() -> get(access, catalog.refreshed(access.tables(), schema), id))
                .orElseThrow(RecordsProblem::contended));
    }

    /** Empty if the cached schema is outdated. */
    private Optional<RecordView> get(ProjectAccess access, Schema schema, RowId id) {
        return db.read(reads -> {
            var found = store.find(reads, access.tables(), schema, id);
            if (!found.isCurrent()) {
                return Optional.empty();
            }
            var recordAccess = accessResolver.of(reads, access, schema);
            var row = found.row();
            if (row == null || !canReadRow(recordAccess, row)) {
                throw RecordsProblem.noRecord();
            }
            return Optional.of(
                    RecordView.of(row, recordAccess, access.role(), isComputing(reads, access, schema, row)));
        });
    }

    /**
     * Some records of a schema.
     *
     * @param schema as it was when they were read
     * @param records by their ids
     */
    public record RecordSet(Schema schema, Map<String, RecordView> records) {

        public RecordSet {
            records = Map.copyOf(records);
        }
    }

    /** The records among {@code ids} that the caller may read. */
    public RecordSet find(ProjectAccess access, String schema, Collection<RowId> ids) {
        return find(access, catalog.cached(access.tables(), schema), ids)
                .or(() -> find(access, catalog.refreshed(access.tables(), schema), ids))
                .orElseThrow(RecordsProblem::contended);
    }

    /** Empty if the cached schema is outdated. */
    private Optional<RecordSet> find(ProjectAccess access, Schema schema, Collection<RowId> ids) {
        return db.read(reads -> store.find(reads, access.tables(), schema, ids).map(rows -> {
            var recordAccess = accessResolver.of(reads, access, schema);
            return new RecordSet(
                    schema,
                    rows.stream()
                            .filter(row -> canReadRow(recordAccess, row))
                            .map(row -> RecordView.of(row, recordAccess, access.role()))
                            .collect(Collectors.toMap(RecordView::id, Function.identity())));
        }));
    }

    /** Whether values of the record are still to be computed. */
    private boolean isComputing(Reads reads, ProjectAccess access, Schema schema, RecordRow row) {
        return !schema.computedInOrder().isEmpty()
                && queue.isDue(reads, access.tables(), schema.id(), row.id(), ComputedValues.targets(schema, row));
    }

    /** Replaces all values of the record. */
    public RecordView replace(
            ProjectAccess access, String schema, RowId id, JsonNode values, @Nullable Integer expected) {
        return change(access, schema, new Change(id, expected, values, false));
    }

    /** Changes the given values; null removes one. */
    public RecordView patch(
            ProjectAccess access, String schema, RowId id, JsonNode values, @Nullable Integer expected) {
        return change(access, schema, new Change(id, expected, values, true));
    }

    private RecordView change(ProjectAccess access, String schema, Change change) {
        return ConflictRetry.run(prechecked -> db.inTransaction(tx -> change(tx, access, schema, change, prechecked)));
    }

    RecordView change(Tx tx, ProjectAccess access, String schema, Change change, boolean prechecked) {
        var changed = change(tx, access, schema, List.of(change), new Mode(true, prechecked, true));
        return view(tx, access, schema, row(changed.getFirst()));
    }

    public List<WriteResult> change(ProjectAccess access, String schema, List<Change> changes, boolean atomic) {
        return ConflictRetry.run(prechecked ->
                db.inTransaction(tx -> change(tx, access, schema, changes, new Mode(atomic, prechecked, false))));
    }

    List<WriteResult> change(Tx tx, ProjectAccess access, String name, List<Change> changes, Mode mode) {
        access.requireEditor();
        RecordBatch.requireSize(changes.size());
        RecordBatch.requireOnce(changes.stream().map(Change::id).toList());
        var schema = catalog.current(tx, access.tables(), name);
        var recordAccess = accessResolver.of(tx, access, schema).require(WriteKind.UPDATE);
        var existing =
                lock(tx, access, recordAccess, changes.stream().map(Change::id).toList(), false);
        var intake = new RecordValidator(
                recordAccess, mode.among(changes.stream().map(Change::id).toList()));
        var at = now();
        var items = changes.stream()
                .map(change -> changed(access, intake, existing.get(change.id()), change, at))
                .toList();
        var good = writable(tx, access, schema, items, mode).stream()
                .filter(row -> row.version()
                        > Objects.requireNonNull(existing.get(row.id())).version())
                .toList();
        if (!good.isEmpty()) {
            GeneratedValues.changed(schema, good);
            computed.recompute(tx, access.tables(), schema, good);
            store.update(tx, access.tables(), schema.id(), good, access.user(), at);
            events.append(tx, access, schema, RecordEvents.CHANGED, good);
            computed.spread(tx, access.tables(), schema, written(existing, good, false));
        }
        return items.stream().map(RecordWrite::outcome).toList();
    }

    private static List<ComputedValues.Written> written(
            Map<RowId, RecordRow> before, List<RecordRow> rows, boolean deleted) {
        return rows.stream()
                .map(row -> new ComputedValues.Written(
                        row.id(),
                        Objects.requireNonNull(before.get(row.id())).document(),
                        deleted ? null : row.document()))
                .toList();
    }

    private static RecordWrite changed(
            ProjectAccess access, RecordValidator intake, @Nullable RecordRow before, Change change, Instant at) {
        if (before == null) {
            return missing(access, change.id(), at);
        }
        var draft = change.merged()
                ? intake.patched(before.document(), change.values())
                : intake.replaced(before.document(), change.values());
        // A write without changes creates no version, history or event.
        boolean same = Documents.same(draft.document(), before.document());
        var row = same
                ? before
                : new RecordRow(
                        before.id(), before.version() + 1, before.createdBy(), access.user(), at, draft.document());
        var item = new RecordWrite(row, before, draft.errors());
        requireVersion(item, before, change.expected());
        return item;
    }

    /** Deletes a record; its history stays. */
    public void delete(ProjectAccess access, String schema, RowId id, @Nullable Integer expected) {
        ConflictRetry.run(prechecked -> db.inTransaction(tx ->
                delete(tx, access, schema, List.of(new Deletion(id, expected)), new Mode(true, prechecked, true))));
    }

    public List<WriteResult> delete(ProjectAccess access, String schema, List<Deletion> deletions, boolean atomic) {
        return ConflictRetry.run(prechecked ->
                db.inTransaction(tx -> delete(tx, access, schema, deletions, new Mode(atomic, prechecked, false))));
    }

    List<WriteResult> delete(Tx tx, ProjectAccess access, String name, List<Deletion> deletions, Mode mode) {
        access.requireEditor();
        RecordBatch.requireSize(deletions.size());
        RecordBatch.requireOnce(deletions.stream().map(Deletion::id).toList());
        var schema = catalog.current(tx, access.tables(), name);
        var existing = lock(
                tx,
                access,
                accessResolver.of(tx, access, schema).require(WriteKind.DELETE),
                deletions.stream().map(Deletion::id).toList(),
                true);
        var at = now();
        var items = deletions.stream()
                .map(one -> {
                    var before = existing.get(one.id());
                    if (before == null) {
                        return missing(access, one.id(), at);
                    }
                    var row = new RecordRow(
                            before.id(),
                            before.version() + 1,
                            before.createdBy(),
                            access.user(),
                            at,
                            before.document());
                    var item = new RecordWrite(row, before, List.of());
                    requireVersion(item, before, one.expected());
                    return item;
                })
                .toList();
        if (mode.prechecked() || !mode.atomic()) {
            integrity.checkReferredTo(tx, access, schema, items);
        }
        if (mode.atomic()) {
            RecordBatch.requireAll(items.stream().map(RecordWrite::outcome).toList(), mode.single());
        }
        var good =
                items.stream().filter(RecordWrite::isGood).map(RecordWrite::row).toList();
        if (!good.isEmpty()) {
            store.delete(
                    tx,
                    access.tables(),
                    schema.id(),
                    good.stream().map(RecordRow::id).toList(),
                    access.user(),
                    at);
            events.append(tx, access, schema, RecordEvents.DELETED, good);
            computed.spread(tx, access.tables(), schema, written(existing, good, true));
        }
        return items.stream().map(RecordWrite::outcome).toList();
    }

    /** The rows of the writes that were not refused. */
    List<RecordRow> writable(Tx tx, ProjectAccess access, Schema schema, List<RecordWrite> items, Mode mode) {
        if (mode.prechecked() || !mode.atomic() || integrity.requiresPrecheck(tx, access, schema)) {
            integrity.check(tx, access, schema, items);
        }
        if (mode.atomic()) {
            RecordBatch.requireAll(items.stream().map(RecordWrite::outcome).toList(), mode.single());
        }
        integrity.attach(tx, schema, items, now().plus(Attachments.RELEASED));
        return items.stream().filter(RecordWrite::isGood).map(RecordWrite::row).toList();
    }

    private Map<RowId, RecordRow> lock(
            Tx tx, ProjectAccess access, RecordAccess recordAccess, List<RowId> rows, boolean deletions) {
        return store.lock(tx, access.tables(), recordAccess.schema().id(), rows, deletions).stream()
                .filter(row -> canReadRow(recordAccess, row))
                .collect(Collectors.toMap(RecordRow::id, Function.identity()));
    }

    private RecordView view(Tx tx, ProjectAccess access, String schema, RecordRow row) {
        // The transaction locks the schema, so the cached one is current.
        var recordAccess = accessResolver.of(tx, access, catalog.cached(tx, access.tables(), schema));
        return RecordView.of(row, recordAccess, access.role());
    }

    static boolean canReadRow(RecordAccess recordAccess, RecordRow row) {
        return recordAccess.canReadRow(row.createdBy(), row.document());
    }

    private static RecordWrite missing(ProjectAccess access, RowId id, Instant at) {
        var nothing = Documents.exact().createArrayNode();
        var item = new RecordWrite(new RecordRow(id, 0, access.user(), access.user(), at, nothing), null, List.of());
        item.refuse(RecordsProblem.noRecord());
        return item;
    }

    private static void requireVersion(RecordWrite item, RecordRow before, @Nullable Integer expected) {
        if (expected != null && expected != before.version()) {
            item.refuse(RecordsProblem.otherVersion(before.version()));
        }
    }

    static RecordRow row(WriteResult outcome) {
        return switch (outcome) {
            case WriteResult.Written(var row) -> row;
            case WriteResult.Refused(var problem) -> throw problem;
        };
    }

    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    /**
     * A deletion of a record that a caller requests.
     *
     * @param expected the version that the caller knows; null for any
     */
    public record Deletion(RowId id, @Nullable Integer expected) {}

    /**
     * A change of a record that a caller requests.
     *
     * @param expected the version that the caller knows; null for any
     * @param values by attribute name
     * @param merged whether values that are not given stay
     */
    public record Change(RowId id, @Nullable Integer expected, JsonNode values, boolean merged) {}

    /**
     * The mode in which a batch is written.
     *
     * @param atomic all or nothing; otherwise the valid records are written
     * @param prechecked whether constraints are checked beforehand, see {@link ConflictRetry}
     * @param single whether the request is about one record, whose errors carry no index
     * @param linked whether {@code #3} refers to the fourth record of the request
     */
    record Mode(boolean atomic, boolean prechecked, boolean single, boolean linked) {

        Mode(boolean atomic, boolean prechecked, boolean single) {
            this(atomic, prechecked, single, true);
        }

        private List<RowId> among(List<RowId> rows) {
            return linked ? rows : List.of();
        }
    }
}
