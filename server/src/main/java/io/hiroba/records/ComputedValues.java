package io.hiroba.records;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.expression.ExpressionException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Computes values in the transactions that write: those of the records that are written, and those of others that come from them. No
 * writer waits for a record of others: what somebody else has locked, and what is too much, is queued for {@link ComputationWorker}, which
 * waits.
 */
public final class ComputedValues {

    /** The most records of others that are computed in the transaction of a write. */
    static final int MAX_AT_ONCE = 100;

    /** The most records that the rollups of a write look at. */
    private static final int MAX_REFERRING = 2_000;

    private final SchemaCatalog catalog;
    private final ComputationStore store = new ComputationStore();
    private final ComputationQueueStore queue = new ComputationQueueStore();

    public ComputedValues(SchemaCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * A record that was written.
     *
     * @param before its values before; null if it was not there
     * @param after its values now; null if it was deleted
     */
    record Written(
            RowId id, @Nullable ArrayNode before, @Nullable ArrayNode after) {}

    /** The source of a record's rollups. */
    private enum Rollups {
        /** Nobody refers to it yet. */
        NEW,
        KEPT,
        COMPUTED
    }

    /** The work of a transaction: how many records it may still compute, and the schemas as it sees them. */
    private static final class Pass {

        private final Function<Short, Schema> schemas;
        private final boolean waits;
        private int left;

        Pass(Function<Short, Schema> schemas, boolean waits, int left) {
            this.schemas = schemas;
            this.waits = waits;
            this.left = left;
        }
    }

    /** Computes the values of new records before they are inserted. */
    public void compute(Tx tx, ProjectTables tables, Schema schema, List<RecordRow> rows) {
        compute(tx, tables, schema, rows, Rollups.NEW);
    }

    /** Computes the values of changed records, which are locked, before they are written. */
    void recompute(Tx tx, ProjectTables tables, Schema schema, List<RecordRow> rows) {
        compute(tx, tables, schema, rows, Rollups.KEPT);
    }

    private void compute(Tx tx, ProjectTables tables, Schema schema, List<RecordRow> rows, Rollups rollups) {
        if (!schema.computedInOrder().isEmpty()) {
            queue(tx, tables, schema.id(), fill(tx, tables, schema, rows, rollups, false));
        }
    }

    /** Computes the values of others that come from new records. */
    public void spreadNew(Tx tx, ProjectTables tables, Schema schema, List<RecordRow> rows) {
        if (!schema.dependents().isEmpty()) {
            spread(
                    tx,
                    tables,
                    schema,
                    rows.stream()
                            .map(row -> new Written(row.id(), null, row.document()))
                            .toList());
        }
    }

    /** Computes the values of others that come from records that were written. */
    void spread(Tx tx, ProjectTables tables, Schema schema, List<Written> written) {
        spread(tx, tables, schema, written, new Pass(id -> catalog.current(tx, tables, id), false, MAX_AT_ONCE));
    }

    /** Computes records of others, and what comes from them, waiting for whoever has locked them. */
    void refresh(Tx tx, ProjectTables tables, short schema, Collection<RowId> rows) {
        var pass = new Pass(id -> catalog.current(tx, tables, id), true, MAX_AT_ONCE);
        refresh(tx, tables, catalog.current(tx, tables, schema), rows, pass);
    }

    /** The same in a transaction that changes schemas, without waiting. */
    void refresh(Tx tx, ProjectTables tables, Schema schema, Collection<RowId> rows, Function<Short, Schema> schemas) {
        refresh(tx, tables, schema, rows, new Pass(schemas, false, MAX_AT_ONCE));
    }

    /** The value that a record would have by a definition; nothing is locked. */
    Formula.Result evaluate(Tx tx, ProjectTables tables, Schema schema, RecordRow row, ComputedReader.Read read) {
        var computed = read.computed();
        var stored = computed.formula();
        if (stored != null) {
            try {
                return Formula.compile(stored, schema::attribute).evaluate(row.document(), read.type());
            } catch (ExpressionException e) {
                return Formula.Result.none(e.reason());
            }
        }
        JsonNode value = null;
        if (computed.isRollup()) {
            value = store.rollup(tx, tables, schema.id(), computed, List.of(row.id()))
                    .getOrDefault(row.id().value(), none(computed));
        } else {
            var target = target(row.document(), computed.by());
            value = target == null
                    ? null
                    : store.values(tx, tables, computed, Set.of(target.value())).get(target.value());
        }
        return new Formula.Result(value == null ? JsonNodeFactory.instance.nullNode() : value, null);
    }

    private static JsonNode none(Computed rollup) {
        return rollup.function() == Computed.Function.COUNT
                ? JsonNodeFactory.instance.numberNode(0)
                : JsonNodeFactory.instance.nullNode();
    }

    /** Has all records computed that come from an attribute whose values were changed in many records. */
    void queueAll(Tx tx, ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        var schemas = new LinkedHashSet<Short>();
        var input = new Computed.Input(schema.id(), attribute.id());
        if (schema.computedInOrder().stream().anyMatch(each -> reads(schema, each, input))) {
            schemas.add(schema.id());
        }
        schema.dependents().stream()
                .filter(each -> each.computed().inputs(each.schema()).contains(input))
                .forEach(each -> schemas.add(each.schema()));
        schemas.forEach(each -> queue.queueAll(tx, tables, each, null));
        if (!schemas.isEmpty()) {
            tx.afterCommit(catalog.due()::raise);
        }
    }

    private static boolean reads(Schema schema, SchemaAttribute computed, Computed.Input input) {
        return schema.computed(computed)
                .filter(each -> each.inputs(schema.id()).contains(input))
                .isPresent();
    }

    private void queue(Tx tx, ProjectTables tables, short schema, Collection<RowId> rows) {
        if (!rows.isEmpty()) {
            queue.queue(tx, tables, schema, rows);
            tx.afterCommit(catalog.due()::raise);
        }
    }

    private void refresh(Tx tx, ProjectTables tables, Schema schema, Collection<RowId> rows, Pass pass) {
        var computed = schema.computedInOrder();
        if (computed.isEmpty() || rows.isEmpty()) {
            return;
        }
        boolean much = !pass.waits
                && computed.stream()
                        .flatMap(each -> schema.computed(each).filter(Computed::isRollup).stream())
                        .anyMatch(each -> store.hasMore(tx, tables, schema.id(), each, rows, MAX_REFERRING));
        if (much) {
            queue(tx, tables, schema.id(), rows);
            return;
        }
        var locked = store.lock(tx, tables, schema.id(), rows, pass.waits);
        if (!pass.waits && locked.size() < rows.size()) {
            var others = new LinkedHashSet<>(rows);
            locked.forEach(row -> others.remove(row.id()));
            queue(tx, tables, schema.id(), others);
        }
        var before = new HashMap<RowId, ArrayNode>();
        locked.forEach(row -> before.put(row.id(), row.document().deepCopy()));
        queue(tx, tables, schema.id(), fill(tx, tables, schema, locked, Rollups.COMPUTED, pass.waits));
        var changed = locked.stream()
                .filter(row -> !Documents.same(Objects.requireNonNull(before.get(row.id())), row.document()))
                .toList();
        if (!changed.isEmpty()) {
            store.write(tx, tables, schema.id(), changed);
            var written = changed.stream()
                    .map(row -> new Written(row.id(), before.get(row.id()), row.document()))
                    .toList();
            // What comes from these is no reason to wait: nobody should hold many records for long.
            spread(tx, tables, schema, written, new Pass(pass.schemas, false, pass.left));
        }
    }

    private void spread(Tx tx, ProjectTables tables, Schema schema, List<Written> written, Pass pass) {
        var due = new LinkedHashMap<Short, Set<RowId>>();
        for (var dependent : schema.dependents()) {
            var rows = due.computeIfAbsent(dependent.schema(), each -> new LinkedHashSet<>());
            if (dependent.computed().isRollup()) {
                written.forEach(each -> rows.addAll(referredTo(dependent.computed(), each)));
            } else {
                rows.addAll(referring(tx, tables, schema, dependent, written, pass));
            }
        }
        due.forEach((id, rows) -> {
            if (rows.size() > pass.left) {
                queue(tx, tables, id, rows);
            } else if (!rows.isEmpty()) {
                pass.left -= rows.size();
                refresh(tx, tables, pass.schemas.apply(id), rows, pass);
            }
        });
    }

    /** The records whose rollup changes by a write of a record that referred to them or does now. */
    private static Set<RowId> referredTo(Computed rollup, Written written) {
        var before = targets(written.before(), rollup.by());
        var after = targets(written.after(), rollup.by());
        var attribute = rollup.attribute();
        var targets = new LinkedHashSet<>(before);
        targets.addAll(after);
        if (attribute == null || !changes(written, attribute)) {
            targets.removeIf(each -> before.contains(each) && after.contains(each));
        }
        return targets;
    }

    /** The records that a document refers to: one, or those of a list. */
    private static Set<RowId> targets(@Nullable ArrayNode document, short relation) {
        var value = at(document, relation);
        return (value.isArray() ? value.valueStream() : Stream.of(value))
                .filter(JsonNode::isString)
                .map(each -> new RowId(UUID.fromString(each.stringValue())))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The records with a lookup of what was changed; if there are many, they are queued. */
    private List<RowId> referring(
            Tx tx, ProjectTables tables, Schema schema, Computed.Dependent lookup, List<Written> written, Pass pass) {
        var attribute = Objects.requireNonNull(lookup.computed().attribute());
        var targets = written.stream()
                .filter(each -> each.after() != null)
                // Only those that were created together refer to a new record.
                .filter(each -> each.before() == null ? lookup.schema() == schema.id() : changes(each, attribute))
                .map(Written::id)
                .toList();
        if (targets.isEmpty()) {
            return List.of();
        }
        var found = store.referring(tx, tables, lookup, schema.id(), targets, pass.left + 1);
        if (found.size() <= pass.left) {
            return found;
        }
        queue.queueReferring(tx, tables, lookup.schema(), lookup.computed().by(), targets);
        tx.afterCommit(catalog.due()::raise);
        return List.of();
    }

    private static boolean changes(Written written, short attribute) {
        return !Documents.same(at(written.before(), attribute), at(written.after(), attribute));
    }

    private static JsonNode at(@Nullable ArrayNode document, short attribute) {
        var value = document == null ? null : document.get(attribute / ValueType.STORAGE_CLASSES);
        return value == null ? JsonNodeFactory.instance.nullNode() : value;
    }

    /** The records that lookups of {@code row} come from. */
    static Set<UUID> targets(Schema schema, RecordRow row) {
        return schema.computedInOrder().stream()
                .flatMap(each -> schema.computed(each).filter(Computed::isLookup).stream())
                .flatMap(each -> Stream.ofNullable(target(row.document(), each.by())))
                .map(RowId::value)
                .collect(Collectors.toSet());
    }

    private static @Nullable RowId target(@Nullable ArrayNode document, short relation) {
        var value = at(document, relation);
        return value.isString() ? new RowId(UUID.fromString(value.stringValue())) : null;
    }

    /** Sets the computed values of documents; returns the records that others kept from being computed for good. */
    private Set<RowId> fill(
            Tx tx, ProjectTables tables, Schema schema, List<RecordRow> rows, Rollups rollups, boolean waits) {
        var late = new LinkedHashSet<RowId>();
        for (var attribute : schema.computedInOrder()) {
            var computed = schema.computed(attribute).orElseThrow();
            if (computed.isLookup()) {
                look(tx, tables, attribute, computed, rows, waits, late);
            } else if (computed.isRollup()) {
                roll(tx, tables, schema, attribute, computed, rows, rollups);
            } else {
                var formula = schema.formula(attribute);
                rows.forEach(row -> Documents.set(
                        row.document(),
                        attribute,
                        formula.map(each -> each.evaluate(row.document(), attribute.type())
                                        .value())
                                .orElseGet(JsonNodeFactory.instance::nullNode)));
            }
        }
        return late;
    }

    private void look(
            Tx tx,
            ProjectTables tables,
            SchemaAttribute attribute,
            Computed lookup,
            List<RecordRow> rows,
            boolean waits,
            Set<RowId> late) {
        var targets = new HashMap<RowId, UUID>();
        for (var row : rows) {
            var target = target(row.document(), lookup.by());
            if (target != null) {
                targets.put(row.id(), target.value());
            }
        }
        var values = new HashMap<UUID, JsonNode>();
        if (!targets.isEmpty()) {
            var ids = Set.copyOf(targets.values());
            values.putAll(store.lockValues(tx, tables, lookup, ids, waits));
            var locked = ids.stream().filter(each -> !values.containsKey(each)).collect(Collectors.toSet());
            if (!waits && !locked.isEmpty()) {
                var others = store.values(tx, tables, lookup, locked);
                values.putAll(others);
                targets.forEach((row, target) -> {
                    if (others.containsKey(target)) {
                        late.add(row);
                    }
                });
            }
        }
        for (var row : rows) {
            var target = targets.get(row.id());
            var value = target == null ? null : values.get(target);
            Documents.set(row.document(), attribute, value == null ? JsonNodeFactory.instance.nullNode() : value);
        }
    }

    private void roll(
            Tx tx,
            ProjectTables tables,
            Schema schema,
            SchemaAttribute attribute,
            Computed rollup,
            List<RecordRow> rows,
            Rollups rollups) {
        if (rollups == Rollups.KEPT) {
            return;
        }
        Map<UUID, JsonNode> values = rollups == Rollups.NEW
                ? Map.of()
                : store.rollup(
                        tx,
                        tables,
                        schema.id(),
                        rollup,
                        rows.stream().map(RecordRow::id).toList());
        for (var row : rows) {
            var value = values.getOrDefault(row.id().value(), none(rollup));
            Documents.set(row.document(), attribute, storable(attribute, value));
        }
    }

    /** A sum may have too many digits. */
    private static JsonNode storable(SchemaAttribute attribute, JsonNode value) {
        try {
            return attribute.type() == ValueType.NUMERIC && value.isNumber()
                    ? attribute.type().stored(value)
                    : value;
        } catch (InvalidValueException _) {
            return JsonNodeFactory.instance.nullNode();
        }
    }
}
