package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Defines computed attributes, has their values computed, and keeps what they come from. */
final class Computations {

    /** The most records that are computed in the transaction of a definition. */
    static final int MAX_AT_ONCE = 1_000;

    private static final int MAX_SHOWN = 5;

    private final Db db;
    private final SchemaCatalog catalog;
    private final ComputedValues values;
    private final SchemaStore schemas = new SchemaStore();
    private final RetypeStore records = new RetypeStore();
    private final ComputationStore store = new ComputationStore();
    private final RemovedSchemaStore removed = new RemovedSchemaStore();
    private final ComputationQueueStore queue = new ComputationQueueStore();

    /** @param catalog the cache, which is invalidated by a change */
    public Computations(Db db, SchemaCatalog catalog) {
        this.db = db;
        this.catalog = catalog;
        this.values = new ComputedValues(catalog);
    }

    /**
     * The value that a record would have.
     *
     * @param value as in the API; JSON null for none
     * @param reason the reason why there is none; null if it is known to nobody
     */
    public record Sample(
            RecordRow row, JsonNode value, @Nullable Text reason) {}

    /** The values that some records would have, and their type. */
    public record Preview(ValueType type, List<Sample> samples) {

        public Preview {
            samples = List.copyOf(samples);
        }
    }

    /** A dry run of {@link #add} or, with an attribute that is there, of {@link #redefine}. */
    public Preview preview(
            ProjectAccess access,
            String schemaName,
            @Nullable String attribute,
            ComputedDefinition definition,
            @Nullable ValueType type) {
        access.requireOwner();
        var tables = access.tables();
        return db.inTransaction(tx -> {
            var schema = schemas.find(tx, tables, schemaName).orElseThrow(() -> RecordsProblem.noSchema(schemaName));
            var before = attribute == null ? null : computed(schema, attribute);
            var read = read(
                    new ComputedReader(schema.id(), schema.attributes(), byId(tx, tables)),
                    definition,
                    before == null ? type : before.type());
            return new Preview(
                    read.type(),
                    store.first(tx, tables, schema.id(), MAX_SHOWN).stream()
                            .map(row -> sample(tx, tables, schema, row, read))
                            .toList());
        });
    }

    private Sample sample(Tx tx, ProjectTables tables, Schema schema, RecordRow row, ComputedReader.Read read) {
        var result = values.evaluate(tx, tables, schema, row, read);
        return new Sample(row, read.type().shown(result.value()), result.reason());
    }

    /** Adds a computed attribute. */
    public Schema add(
            ProjectAccess access,
            String schemaName,
            String name,
            ComputedDefinition definition,
            @Nullable ValueType type) {
        var tables = access.tables();
        var changed = db.inTransaction(tx -> {
            var before = schemas.locked(tx, access, schemaName);
            if (before.attribute(name).isPresent()) {
                throw RecordsProblem.attributeTaken(name);
            }
            var errors = new ArrayList<FieldError>();
            var attributes = new ArrayList<>(before.attributes());
            var label = type == null ? null : type.label();
            var computed = read(
                    tx,
                    tables,
                    before.id(),
                    before,
                    List.of(AttributeDefinition.ofComputed(name, label, definition)),
                    attributes,
                    before.places(),
                    errors);
            if (!errors.isEmpty()) {
                throw RecordsProblem.invalid(
                        Text.of("records.problem.schema-invalid"),
                        errors.stream()
                                .map(each -> new FieldError(each.field().replace("attributes[0].", ""), each.message()))
                                .toList());
            }
            schemas.putAttributes(tx, tables, before.id(), attributes);
            apply(tx, tables, before.id(), computed);
            schemas.incrementVersion(tx, tables, before.id());
            return schemas.find(tx, tables, before.id()).orElseThrow();
        });
        catalog.invalidate(tables);
        return changed;
    }

    /** Changes the definition of a computed attribute, whose type stays. */
    public Schema redefine(ProjectAccess access, String schemaName, String attribute, ComputedDefinition definition) {
        var tables = access.tables();
        var changed = db.inTransaction(tx -> {
            var before = schemas.locked(tx, access, schemaName);
            var there = computed(before, attribute);
            var read = read(
                    new ComputedReader(before.id(), before.attributes(), byId(tx, tables)), definition, there.type());
            if (!Optional.of(read.computed()).equals(before.computed(there))) {
                apply(tx, tables, before.id(), Map.of(there.id(), read.computed()));
                schemas.incrementVersion(tx, tables, before.id());
            }
            return schemas.find(tx, tables, before.id()).orElseThrow();
        });
        catalog.invalidate(tables);
        return changed;
    }

    private static ComputedReader.Read read(
            ComputedReader reader, ComputedDefinition definition, @Nullable ValueType type) {
        try {
            return reader.read("computed", definition, type);
        } catch (ComputedReader.Fault e) {
            throw RecordsProblem.invalid(Text.of("records.problem.schema-invalid"), List.of(e.error()));
        }
    }

    private static SchemaAttribute computed(Schema schema, String named) {
        var attribute = schema.attribute(named).orElseThrow(() -> RecordsProblem.noAttribute(named));
        if (!schema.isComputed(attribute)) {
            throw RecordsProblem.invalid("computed", Text.of("records.computed.stored"));
        }
        return attribute;
    }

    private Map<Short, Schema> byId(Reads reads, ProjectTables tables) {
        return schemas.all(reads, tables).stream().collect(Collectors.toMap(Schema::id, Function.identity()));
    }

    /**
     * Reads the computed attributes of a schema that is defined or changed, in the order in which they come from each other.
     *
     * @param before the schema; null for a new one
     * @param attributes the others, to which they are added
     * @param places the number of places before
     */
    Map<Short, Computed> read(
            Tx tx,
            ProjectTables tables,
            short id,
            @Nullable Schema before,
            List<AttributeDefinition> definitions,
            List<SchemaAttribute> attributes,
            int places,
            List<FieldError> errors) {
        var pending = new LinkedHashMap<String, Integer>();
        for (int i = 0; i < definitions.size(); i++) {
            if (definitions.get(i).computed() != null) {
                pending.put(SchemaNames.normalized(definitions.get(i).name()), i);
            }
        }
        if (pending.isEmpty() && (before == null || before.computedInOrder().isEmpty())) {
            return Map.of();
        }
        if (before != null) {
            errors.addAll(ComputedAttributes.kept(before, attributes));
        }
        var batch = new ComputedAttributes(
                new ComputedReader(id, attributes, byId(tx, tables)), before, definitions, attributes, places);
        return batch.read(pending, errors);
    }

    /** Stores definitions and has values computed; the schema is locked, and its attributes are stored. */
    void apply(Tx tx, ProjectTables tables, short id, Map<Short, Computed> computed) {
        if (computed.isEmpty()) {
            return;
        }
        var all = byId(tx, tables);
        var graph = new HashMap<Computed.Input, Computed>();
        all.values()
                .forEach(schema -> schema.computedInOrder()
                        .forEach(each -> graph.put(
                                new Computed.Input(schema.id(), each.id()),
                                schema.computed(each).orElseThrow())));
        computed.forEach((attribute, definition) -> graph.put(new Computed.Input(id, attribute), definition));
        for (var attribute : computed.keySet()) {
            ComputedReader.cycle(new Computed.Input(id, attribute), graph, all).ifPresent(cycle -> {
                throw RecordsProblem.invalid("computed", Text.of("records.computed.cycle", "cycle", cycle));
            });
        }
        computed.forEach((attribute, definition) -> {
            requireSettled(all, definition.inputs(id));
            store.put(tx, tables, id, attribute, definition);
        });
        begin(tx, tables, id, computed);
    }

    /** Has whoever writes what values come from know of them, and fills records that are there. */
    private void begin(Tx tx, ProjectTables tables, short id, Map<Short, Computed> computed) {
        touch(tx, tables, id, computed.values());
        conceal(tx, tables);
        if (records.count(tx, tables, id) > MAX_AT_ONCE) {
            computed.keySet().forEach(attribute -> queue.queueAll(tx, tables, id, attribute));
            tx.afterCommit(catalog.due()::raise);
        } else {
            fill(tx, tables, id);
        }
    }

    private void touch(Tx tx, ProjectTables tables, short id, Collection<Computed> computed) {
        computed.stream()
                .flatMap(each -> Optional.ofNullable(each.about()).stream())
                .filter(about -> about != id)
                .distinct()
                .sorted()
                .forEach(about -> {
                    schemas.lock(tx, tables, about);
                    schemas.incrementVersion(tx, tables, about);
                });
    }

    private void fill(Tx tx, ProjectTables tables, short id) {
        var schema = schemas.find(tx, tables, id).orElseThrow();
        var rows = store.first(tx, tables, id, MAX_AT_ONCE).stream()
                .map(RecordRow::id)
                .toList();
        values.refresh(tx, tables, schema, rows, other -> {
            schemas.lockVersion(tx, tables, other);
            return schemas.find(tx, tables, other).orElseThrow();
        });
    }

    /** An attribute whose type is being changed goes when that is done. */
    private static void requireSettled(Map<Short, Schema> all, Set<Computed.Input> inputs) {
        for (var input : inputs) {
            var schema = all.get(input.schema());
            if (schema != null
                    && schema.conversions().stream()
                            .anyMatch(
                                    each -> each.doneAt() == null && each.from().id() == input.attribute())) {
                throw RecordsProblem.retypeRunning();
            }
        }
    }

    /** Hides what comes from hidden attributes, or from records that not everybody sees, and shows the rest. */
    void conceal(Tx tx, ProjectTables tables) {
        var all = byId(tx, tables);
        var changed = new HashSet<Short>();
        for (var schema : all.values()) {
            for (var attribute : schema.computedInOrder()) {
                boolean concealed = isConcealed(all, schema, attribute);
                if (concealed != schema.isConcealed(attribute)) {
                    store.setConcealed(tx, tables, schema.id(), attribute.id(), concealed);
                    changed.add(schema.id());
                }
            }
        }
        changed.stream().sorted().forEach(id -> schemas.incrementVersion(tx, tables, id));
    }

    private static boolean isConcealed(Map<Short, Schema> all, Schema schema, SchemaAttribute attribute) {
        var computed = schema.computed(attribute).orElseThrow();
        var about = computed.about();
        if (about != null) {
            var other = all.get(about);
            if (other == null || !other.rules().showAllRowsToEverybody()) {
                return true;
            }
        }
        return computed.inputs(schema.id()).stream().anyMatch(input -> {
            var of = all.get(input.schema());
            var from = of == null ? Optional.<SchemaAttribute>empty() : of.attribute(input.attribute());
            return of == null
                    || from.isEmpty()
                    || of.rules().everHide(from.get().name())
                    || (of.isComputed(from.get()) && isConcealed(all, of, from.get()));
        });
    }

    /** Refuses to remove or change an attribute that others come from, also of deleted schemas, and names these. */
    void requireUnneeded(Reads reads, ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        var needing = new ArrayList<>(neededBy(reads, tables, schema, attribute));
        var input = new Computed.Input(schema.id(), attribute.id());
        removed.dependents(reads, tables, schema.id()).stream()
                .filter(each -> each.computed().inputs(each.schema()).contains(input))
                .forEach(each -> needing.add(each.name()));
        if (!needing.isEmpty()) {
            throw RecordsProblem.attributeNeeded(attribute.name(), needing);
        }
    }

    /** Refuses to delete a schema from whose attribute others of other schemas come. */
    void requireNeededHereOnly(Reads reads, ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        var needing = neededBy(reads, tables, schema, attribute).stream()
                .filter(each -> each.contains("."))
                .toList();
        if (!needing.isEmpty()) {
            throw RecordsProblem.attributeNeeded(attribute.name(), needing);
        }
    }

    /** The computed attributes that come from {@code attribute}. */
    List<String> neededBy(Reads reads, ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        var input = new Computed.Input(schema.id(), attribute.id());
        var needing = new ArrayList<String>();
        schema.computedInOrder().stream()
                .filter(each -> schema.computed(each)
                        .filter(computed -> computed.inputs(schema.id()).contains(input))
                        .isPresent())
                .forEach(each -> needing.add(each.name()));
        schema.dependents().stream()
                .filter(each -> each.schema() != schema.id()
                        && each.computed().inputs(each.schema()).contains(input))
                .forEach(each -> schemas.find(reads, tables, each.schema())
                        .ifPresent(other -> other.attribute(each.attribute())
                                .ifPresent(found -> needing.add(other.name() + "." + found.name()))));
        return needing;
    }

    /** Has a computed attribute that was restored go on, if all that it comes from is there. */
    void restored(Tx tx, ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        var computed = schema.computed(attribute);
        if (computed.isEmpty()) {
            return;
        }
        var all = byId(tx, tables);
        for (var input : computed.get().inputs(schema.id())) {
            var of = all.get(input.schema());
            if (of == null || of.attribute(input.attribute()).isEmpty()) {
                throw RecordsProblem.inputGone(attribute.name());
            }
        }
        requireSettled(all, computed.get().inputs(schema.id()));
        begin(tx, tables, schema.id(), Map.of(attribute.id(), computed.get()));
    }

    /** Has whoever writes what values of a deleted schema come from forget it. */
    void suspend(Tx tx, ProjectTables tables, Schema schema) {
        touch(
                tx,
                tables,
                schema.id(),
                schema.computedInOrder().stream()
                        .flatMap(each -> schema.computed(each).stream())
                        .toList());
    }

    /** Has all that is computed of a restored schema computed anew. */
    void resume(Tx tx, ProjectTables tables, Schema schema) {
        var computed = schema.computedInOrder().stream()
                .collect(Collectors.toMap(
                        SchemaAttribute::id, each -> schema.computed(each).orElseThrow()));
        if (!computed.isEmpty()) {
            begin(tx, tables, schema.id(), computed);
        }
    }

    /** Gives up the definition of an attribute that cannot be restored any more. */
    void forget(Tx tx, ProjectTables tables, short schema, short attribute) {
        store.delete(tx, tables, schema, attribute);
    }
}
