package io.hiroba.records.data;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.records.Access;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.Sight;
import io.hiroba.records.schema.Sights;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
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
    private final Catalog catalog;
    private final Sights sights;
    private final RecordEvents events;
    private final UuidV7 ids;
    private final Promises promises;
    private final RecordStore store = new RecordStore();

    public Records(Db db, Clock clock, Catalog catalog, Sights sights, RecordEvents events) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
        this.sights = sights;
        this.events = events;
        this.ids = new UuidV7(clock);
        this.promises = new Promises(catalog, sights);
    }

    /** Makes records of {@code values}, each an object of values by their attributes' names. */
    public List<Outcome> create(Access access, String schema, List<JsonNode> values, boolean atomic) {
        return Contention.settled(careful ->
                db.inTransaction(tx -> create(tx, access, schema, values, new Manner(atomic, careful, false))));
    }

    /** Makes one record. */
    public RecordView create(Access access, String schema, JsonNode values) {
        return Contention.settled(careful -> db.inTransaction(tx -> create(tx, access, schema, values, careful)));
    }

    /** As above, in the caller's transaction, which {@link Contention} repeats. */
    public RecordView create(Tx tx, Access access, String schema, JsonNode values, boolean careful) {
        var made = create(tx, access, schema, List.of(values), new Manner(true, careful, true));
        return view(tx, access, schema, row(made.getFirst()));
    }

    List<Outcome> create(Tx tx, Access access, String name, List<JsonNode> values, Manner manner) {
        access.requireEditor();
        Batches.requireSize(values.size());
        var schema = catalog.current(tx, access.tables(), name);
        var rows = Stream.generate(() -> new RowId(ids.next()))
                .limit(values.size())
                .toList();
        var intake = new Intake(sights.of(tx, access, schema), rows);
        var at = now();
        var items = new ArrayList<Item>();
        for (int i = 0; i < rows.size(); i++) {
            var draft = intake.created(values.get(i));
            var row = new Row(rows.get(i), 1, access.user(), access.user(), at, draft.document());
            items.add(new Item(row, null, draft.errors()));
        }
        var good = promised(tx, access, schema, items, manner);
        if (!good.isEmpty()) {
            store.insert(tx, access.tables(), schema.id(), good);
            events.tell(tx, access, schema, RecordEvents.CREATED, good);
        }
        return items.stream().map(Item::outcome).toList();
    }

    public RecordView get(Access access, String schema, RowId id) {
        return Contention.settled(careful -> get(access, catalog.known(access.tables(), schema), id)
                .or(() -> get(access, catalog.renewed(access.tables(), schema), id))
                .orElseThrow(RecordsProblem::contended));
    }

    /** None if the schema is another by now. */
    private Optional<RecordView> get(Access access, Schema schema, RowId id) {
        return db.read(reads -> {
            var found = store.find(reads, access.tables(), schema, id);
            if (!found.isCurrent()) {
                return Optional.empty();
            }
            var sight = sights.of(reads, access, schema);
            var row = found.row();
            if (row == null || !sees(sight, row)) {
                throw RecordsProblem.noRecord();
            }
            return Optional.of(RecordView.of(row, sight, access.role()));
        });
    }

    /** Gives the record these values and no others. */
    public RecordView replace(Access access, String schema, RowId id, JsonNode values, @Nullable Integer expected) {
        return change(access, schema, new Change(id, expected, values, false));
    }

    /** Gives the record these values besides the others that it has; null takes one away. */
    public RecordView patch(Access access, String schema, RowId id, JsonNode values, @Nullable Integer expected) {
        return change(access, schema, new Change(id, expected, values, true));
    }

    private RecordView change(Access access, String schema, Change change) {
        return Contention.settled(careful -> db.inTransaction(tx -> change(tx, access, schema, change, careful)));
    }

    RecordView change(Tx tx, Access access, String schema, Change change, boolean careful) {
        var changed = change(tx, access, schema, List.of(change), new Manner(true, careful, true));
        return view(tx, access, schema, row(changed.getFirst()));
    }

    /** Changes several records. */
    public List<Outcome> change(Access access, String schema, List<Change> changes, boolean atomic) {
        return Contention.settled(careful ->
                db.inTransaction(tx -> change(tx, access, schema, changes, new Manner(atomic, careful, false))));
    }

    List<Outcome> change(Tx tx, Access access, String name, List<Change> changes, Manner manner) {
        access.requireEditor();
        Batches.requireSize(changes.size());
        requireOnce(changes.stream().map(Change::id).toList());
        var schema = catalog.current(tx, access.tables(), name);
        var sight = sights.of(tx, access, schema);
        var there = lock(tx, access, sight, changes.stream().map(Change::id).toList(), false);
        var intake = new Intake(sight, changes.stream().map(Change::id).toList());
        var at = now();
        var items = changes.stream()
                .map(change -> changed(access, intake, there.get(change.id()), change, at))
                .toList();
        var good = promised(tx, access, schema, items, manner).stream()
                .filter(row -> row.version()
                        > Objects.requireNonNull(there.get(row.id())).version())
                .toList();
        if (!good.isEmpty()) {
            store.update(tx, access.tables(), schema.id(), good, access.user(), at);
            events.tell(tx, access, schema, RecordEvents.CHANGED, good);
        }
        return items.stream().map(Item::outcome).toList();
    }

    private static Item changed(Access access, Intake intake, @Nullable Row before, Change change, Instant at) {
        if (before == null) {
            return gone(access, change.id(), at);
        }
        var draft = change.merged()
                ? intake.patched(before.document(), change.values())
                : intake.replaced(before.document(), change.values());
        // What changes nothing is no change: no version, no history, no event.
        boolean same = Documents.same(draft.document(), before.document());
        var row = same
                ? before
                : new Row(before.id(), before.version() + 1, before.createdBy(), access.user(), at, draft.document());
        var item = new Item(row, before, draft.errors());
        requireVersion(item, before, change.expected());
        return item;
    }

    /** Deletes a record; its history stays. */
    public void delete(Access access, String schema, RowId id, @Nullable Integer expected) {
        Contention.settled(careful -> db.inTransaction(
                tx -> delete(tx, access, schema, List.of(new Doomed(id, expected)), new Manner(true, careful, true))));
    }

    /** Deletes several records. */
    public List<Outcome> delete(Access access, String schema, List<Doomed> doomed, boolean atomic) {
        return Contention.settled(careful ->
                db.inTransaction(tx -> delete(tx, access, schema, doomed, new Manner(atomic, careful, false))));
    }

    List<Outcome> delete(Tx tx, Access access, String name, List<Doomed> doomed, Manner manner) {
        access.requireEditor();
        Batches.requireSize(doomed.size());
        requireOnce(doomed.stream().map(Doomed::id).toList());
        var schema = catalog.current(tx, access.tables(), name);
        var there = lock(
                tx,
                access,
                sights.of(tx, access, schema),
                doomed.stream().map(Doomed::id).toList(),
                true);
        var at = now();
        var items = doomed.stream()
                .map(one -> {
                    var before = there.get(one.id());
                    if (before == null) {
                        return gone(access, one.id(), at);
                    }
                    var row = new Row(
                            before.id(),
                            before.version() + 1,
                            before.createdBy(),
                            access.user(),
                            at,
                            before.document());
                    var item = new Item(row, before, List.of());
                    requireVersion(item, before, one.expected());
                    return item;
                })
                .toList();
        if (manner.careful() || !manner.atomic()) {
            promises.checkReferredTo(tx, access, schema, items);
        }
        if (manner.atomic()) {
            Batches.requireAll(items, manner.single());
        }
        var good = items.stream().filter(Item::isGood).map(Item::row).toList();
        if (!good.isEmpty()) {
            store.delete(
                    tx, access.tables(), schema.id(), good.stream().map(Row::id).toList(), access.user(), at);
            events.tell(tx, access, schema, RecordEvents.DELETED, good);
        }
        return items.stream().map(Item::outcome).toList();
    }

    /** The rows that are to be written. */
    List<Row> promised(Tx tx, Access access, Schema schema, List<Item> items, Manner manner) {
        if (manner.careful() || !manner.atomic() || promises.mustAsk(tx, access, schema)) {
            promises.check(tx, access, schema, items);
        }
        if (manner.atomic()) {
            Batches.requireAll(items, manner.single());
        }
        return items.stream().filter(Item::isGood).map(Item::row).toList();
    }

    private Map<RowId, Row> lock(Tx tx, Access access, Sight sight, List<RowId> rows, boolean doomed) {
        return store.lock(tx, access.tables(), sight.schema().id(), rows, doomed).stream()
                .filter(row -> sees(sight, row))
                .collect(Collectors.toMap(Row::id, Function.identity()));
    }

    private RecordView view(Tx tx, Access access, String schema, Row row) {
        // The transaction holds the schema, so what is known of it is so.
        var sight = sights.of(tx, access, catalog.known(tx, access.tables(), schema));
        return RecordView.of(row, sight, access.role());
    }

    static boolean sees(Sight sight, Row row) {
        var matched = sight.matching()
                .map(attribute -> Documents.value(row.document(), attribute))
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue);
        return sight.sees(row.createdBy(), matched.orElse(null));
    }

    private static Item gone(Access access, RowId id, Instant at) {
        var nothing = Documents.exact().createArrayNode();
        var item = new Item(new Row(id, 0, access.user(), access.user(), at, nothing), null, List.of());
        item.refuse(RecordsProblem.noRecord());
        return item;
    }

    private static void requireVersion(Item item, Row before, @Nullable Integer expected) {
        if (expected != null && expected != before.version()) {
            item.refuse(RecordsProblem.otherVersion(before.version()));
        }
    }

    private static void requireOnce(List<RowId> rows) {
        if (new HashSet<>(rows).size() < rows.size()) {
            throw RecordsProblem.invalid("body", "names a record twice");
        }
    }

    private static Row row(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Written(var row) -> row;
            case Outcome.Refused(var problem) -> throw problem;
        };
    }

    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
