package io.hiroba.records;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates and changes the schemas of projects and sets their access rules. */
public final class Schemas {

    static final int MAX_SCHEMAS = 1000;

    private static final int BATCH_SIZE = 10_000;

    private final Db db;
    private final SchemaCatalog catalog;
    private final AuditLog audit;
    private final SchemaStore store = new SchemaStore();
    private final SchemaChangeStore names = new SchemaChangeStore();
    private final ValueCheckStore values = new ValueCheckStore();
    private final Computations computations;
    private final GeneratedValues generated = new GeneratedValues();

    /** @param catalog the cache, which is invalidated by a change */
    public Schemas(Db db, SchemaCatalog catalog) {
        this.db = db;
        this.catalog = catalog;
        this.audit = new AuditLog(db);
        this.computations = new Computations(db, catalog);
    }

    /** All schemas of the project, in order of creation. */
    public List<Schema> list(ProjectAccess access) {
        return db.read(reads -> store.all(reads, access.tables()));
    }

    /** The same in the caller's transaction. */
    public List<Schema> list(Reads reads, ProjectAccess access) {
        return store.all(reads, access.tables());
    }

    /** The schema by name or alias. */
    public Schema get(ProjectAccess access, String name) {
        return db.read(reads -> store.find(reads, access.tables(), name))
                .orElseThrow(() -> RecordsProblem.noSchema(name));
    }

    public Schema define(ProjectAccess access, SchemaDefinition definition) {
        return db.inTransaction(tx -> define(tx, access, definition));
    }

    /**
     * The schema that a definition makes by itself, whatever other schemas there are. It is not stored.
     *
     * @param errors gets what is wrong with the definition; the schema is empty then
     */
    public static Optional<Schema> draft(SchemaDefinition definition, List<FieldError> errors) {
        var reader = new DefinitionReader(target -> Optional.empty());
        reader.names(definition.name(), definition.further());
        var attributes = reader.attributes(definition.attributes(), 0, name -> Optional.empty());
        errors.addAll(reader.errors());
        return reader.errors().isEmpty()
                ? Optional.of(new Schema(
                        (short) 0,
                        new Schema.Names(definition.name(), null, definition.further(), List.of()),
                        1,
                        new Schema.Shape(attributes, List.of(), List.of(), attributes.size(), Schema.Calculations.NONE),
                        AccessRules.NONE))
                : Optional.empty();
    }

    /** Creates a schema in the caller's transaction. */
    public Schema define(Tx tx, ProjectAccess access, SchemaDefinition definition) {
        return define(tx, access, definition, false);
    }

    /**
     * The same with titles of attributes.
     *
     * @param titles by the names of the attributes that have one
     */
    public Schema define(Tx tx, ProjectAccess access, SchemaDefinition definition, Map<String, String> titles) {
        var schema = define(tx, access, definition);
        store.putAttributes(
                tx,
                access.tables(),
                schema.id(),
                schema.attributes().stream()
                        .filter(each -> titles.containsKey(each.name()))
                        .map(each -> each.titled(titles.get(each.name())))
                        .toList());
        return store.find(tx, access.tables(), schema.id()).orElseThrow();
    }

    /** @param reuse whether a name is taken that still leads to the schema that had it before */
    Schema define(Tx tx, ProjectAccess access, SchemaDefinition definition, boolean reuse) {
        access.requireOwner();
        var tables = access.tables();
        store.lockNames(tx, tables);
        if (store.all(tx, tables).size() >= MAX_SCHEMAS) {
            throw RecordsProblem.tooManySchemas();
        }
        short id = store.insert(tx, tables);
        var reader = new DefinitionReader(target -> target(tx, tables, id, definition, target));
        reader.names(definition.name(), definition.further());
        var attributes = new ArrayList<>(reader.attributes(definition.attributes(), 0, name -> Optional.empty()));
        var computed = computations.read(tx, tables, id, null, definition.attributes(), attributes, 0, reader.errors());
        requireGood(reader);
        names.formerlyNamed(tx, tables, definition.name()).ifPresent(other -> {
            if (!reuse) {
                throw RecordsProblem.nameKept(definition.name());
            }
            names.dropSchemaName(tx, tables, other, definition.name());
            // Whoever has cached where the name leads notices it by the version.
            store.incrementVersion(tx, tables, other);
        });
        name(tx, tables, id, definition.name(), definition.further());
        store.putAttributes(tx, tables, id, attributes);
        computations.apply(tx, tables, id, computed);
        return store.find(tx, tables, id).orElseThrow();
    }

    /** A dry run of {@link #evolve}. */
    public SchemaEvolution preview(ProjectAccess access, String name, SchemaDefinition definition) {
        access.requireOwner();
        return db.inTransaction(tx -> {
            var before = store.find(tx, access.tables(), name).orElseThrow(() -> RecordsProblem.noSchema(name));
            return SchemaEvolution.of(
                    before,
                    before.isCalled(definition.name()) ? before.name() : definition.name(),
                    aliases(before, definition),
                    attributes(tx, access.tables(), before, definition).attributes());
        });
    }

    /** Changes the schema to {@code definition}, if all existing records stay valid. */
    public Schema evolve(ProjectAccess access, String name, SchemaDefinition definition) {
        var tables = access.tables();
        var evolved = db.inTransaction(tx -> evolved(tx, access, name, definition));
        catalog.invalidate(tables);
        evolved.common()
                .forEach(
                        attribute -> deleteUniqueValues(tables, evolved.schema().id(), attribute));
        return evolved.schema();
    }

    /** Adds attributes to a schema in the transaction that created it. */
    void evolve(Tx tx, ProjectAccess access, String name, SchemaDefinition definition) {
        evolved(tx, access, name, definition);
    }

    /** @param common the attributes that are no longer unique */
    private record Evolved(Schema schema, List<Short> common) {}

    private Evolved evolved(Tx tx, ProjectAccess access, String name, SchemaDefinition definition) {
        access.requireOwner();
        var tables = access.tables();
        var common = new ArrayList<Short>();
        var before = locked(tx, tables, name);
        var after = attributes(tx, tables, before, definition);
        var attributes = after.attributes();
        var aliases = aliases(before, definition);
        var called = before.isCalled(definition.name()) ? before.name() : definition.name();
        var evolution = SchemaEvolution.of(before, called, aliases, attributes);
        if (!evolution.isAllowed()) {
            throw RecordsProblem.cannotEvolve(evolution.refused());
        }
        name(tx, tables, before.id(), before.name(), aliases);
        store.putAttributes(tx, tables, before.id(), attributes);
        generated.added(
                tx,
                tables,
                before.id(),
                attributes.stream()
                        .filter(each -> before.attribute(each.name()).isEmpty())
                        .toList());
        for (var attribute : attributes) {
            before.attribute(attribute.name()).ifPresent(there -> {
                if (there.unique() && !attribute.unique()) {
                    common.add(attribute.id());
                }
                if (there.references() != null && attribute.references() == null) {
                    computations.requireUnneeded(tx, tables, before, there);
                    // In this transaction, however many: a remaining reference would block the deletion of its
                    // target.
                    values.deleteReferences(tx, tables, before.id(), attribute.id());
                }
            });
        }
        computations.apply(tx, tables, before.id(), changed(before, after.computed()));
        store.incrementVersion(tx, tables, before.id());
        return new Evolved(store.find(tx, tables, before.id()).orElseThrow(), common);
    }

    /** Changes the way in which an attribute is computed, whose type stays. */
    public Schema redefine(ProjectAccess access, String name, String attribute, ComputedDefinition definition) {
        return computations.redefine(access.requireOwner(), name, attribute, definition);
    }

    /** The reasons why some of the first records have no value of a computed attribute, or why none can have one. */
    public List<Text> missing(ProjectAccess access, String name, String attribute, ComputedDefinition definition) {
        try {
            return computations.preview(access, name, attribute, definition, null).samples().stream()
                    .flatMap(sample -> Optional.ofNullable(sample.reason()).stream())
                    .distinct()
                    .toList();
        } catch (RecordsProblem refusal) {
            return refusal.fields().stream().map(FieldError::message).toList();
        }
    }

    /**
     * In batches, without blocking anybody. Leftovers of a crash are harmless: they go before the attribute becomes unique again.
     */
    private void deleteUniqueValues(ProjectTables tables, short schema, short attribute) {
        int deleted = BATCH_SIZE;
        while (deleted == BATCH_SIZE) {
            deleted = db.inTransaction(tx -> {
                // The schema is locked, so that the attribute does not become unique again meanwhile.
                store.lockVersion(tx, tables, schema);
                return values.deleteUniqueValues(tx, tables, schema, attribute, BATCH_SIZE);
            });
        }
    }

    /** Sets the access rules of the schema. */
    public Schema setRules(ProjectAccess access, String name, AccessRules given) {
        return setRules(access, name, null, before -> given);
    }

    /** Sets the access rules for one role; those of the other stay. */
    public Schema setRules(ProjectAccess access, String name, ProjectRole role, AccessRules given) {
        return setRules(access, name, null, before -> before.with(role, given));
    }

    /**
     * Changes the access rules of the schema.
     *
     * @param expected the version of the schema that the change was made of; null for any
     */
    public Schema setRules(
            ProjectAccess access, String name, @Nullable Integer expected, UnaryOperator<AccessRules> change) {
        access.requireOwner();
        var changed = db.inTransaction(tx -> {
            var schema = locked(tx, access.tables(), name);
            if (expected != null && schema.version() != expected) {
                throw RecordsProblem.otherVersion(schema.version());
            }
            var given = change.apply(schema.rules().withoutRemoved());
            requireGood(schema, given);
            var rules = given.named(called ->
                    schema.attribute(called).map(SchemaAttribute::name).orElse(called));
            store.putRules(tx, access.tables(), schema.id(), rules.withRemovedOf(schema.rules()));
            store.incrementVersion(tx, access.tables(), schema.id());
            computations.conceal(tx, access.tables());
            record(tx, access, schema, rules);
            return store.find(tx, access.tables(), schema.id()).orElseThrow();
        });
        catalog.invalidate(access.tables());
        return changed;
    }

    private void record(Tx tx, ProjectAccess access, Schema schema, AccessRules rules) {
        var before = schema.rules().withoutRemoved();
        var changes = Changes.NONE
                .with("ownRowsOnly", before.ownRowsOnly(), rules.ownRowsOnly())
                .with("matching", before.matching(), rules.matching())
                .with("hidden", before.hidden(), rules.hidden())
                .with("readOnly", before.readOnly(), rules.readOnly())
                .with("where", before.where(), rules.where())
                .with("denied", before.denied(), rules.denied())
                .with("editors", before.editors(), rules.editors());
        var project = access.project();
        var id = project.id().hex() + "/" + schema.id();
        var target = Target.of(TargetKind.SCHEMA, id, schema.name(), project.client());
        audit.record(tx, access.caller(), AuditLog.Action.SCHEMA_RULES_SET, target, changes);
    }

    /** Locks the schema against writes of records until {@code tx} ends. */
    private Schema locked(Tx tx, ProjectTables tables, String name) {
        store.lockNames(tx, tables);
        var schema = store.find(tx, tables, name).orElseThrow(() -> RecordsProblem.noSchema(name));
        store.lock(tx, tables, schema.id());
        return schema;
    }

    /** The attributes that a definition describes, and how those are computed that it says so of. */
    private record Described(List<SchemaAttribute> attributes, Map<Short, Computed> computed) {}

    private Described attributes(Tx tx, ProjectTables tables, Schema before, SchemaDefinition definition) {
        var reader = new DefinitionReader(target -> target(tx, tables, before.id(), definition, target));
        reader.names(definition.name(), definition.further());
        var attributes =
                new ArrayList<>(reader.attributes(definition.attributes(), before.places(), before::attribute));
        var computed = computations.read(
                tx, tables, before.id(), before, definition.attributes(), attributes, before.places(), reader.errors());
        requireGood(reader);
        return new Described(attributes, computed);
    }

    /** The definitions that are others than before. */
    private static Map<Short, Computed> changed(Schema before, Map<Short, Computed> after) {
        return after.entrySet().stream()
                .filter(each -> !before.attribute(each.getKey())
                        .flatMap(before::computed)
                        .equals(Optional.of(each.getValue())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static List<String> aliases(Schema before, SchemaDefinition definition) {
        return definition.aliases() == null ? before.aliases() : definition.aliases();
    }

    private Optional<Short> target(Tx tx, ProjectTables tables, short own, SchemaDefinition definition, String target) {
        return target.equals(definition.name()) || definition.further().contains(target)
                ? Optional.of(own)
                : store.find(tx, tables, target).map(Schema::id);
    }

    private void name(Tx tx, ProjectTables tables, short id, String name, List<String> aliases) {
        var names = new ArrayList<>(aliases);
        names.add(name);
        var taken = store.taken(tx, tables, id, names);
        if (!taken.isEmpty()) {
            throw RecordsProblem.nameTaken(taken);
        }
        store.putNames(tx, tables, id, name, aliases);
    }

    private static void requireGood(DefinitionReader reader) {
        if (!reader.errors().isEmpty()) {
            throw RecordsProblem.invalid(Text.of("records.problem.schema-invalid"), reader.errors());
        }
    }

    private static void requireGood(Schema schema, AccessRules rules) {
        var errors = new ArrayList<FieldError>();
        requireGood(schema, rules, "", errors);
        var editors = rules.editors();
        if (editors != null) {
            requireGood(schema, editors, "editors.", errors);
        }
        if (!errors.isEmpty()) {
            throw RecordsProblem.invalid(Text.of("records.problem.rules-invalid"), errors);
        }
    }

    /** @param at the path of the rules' fields */
    private static void requireGood(Schema schema, AccessRules rules, String at, List<FieldError> errors) {
        requireAttributes(schema, at + "hidden", rules.hidden(), errors);
        requireAttributes(schema, at + "readOnly", rules.readOnly(), errors);
        var matching = rules.matching();
        if (matching != null
                && schema.attribute(matching.attribute())
                        .filter(attribute -> attribute.type() == ValueType.TEXT && !schema.isComputed(attribute))
                        .isEmpty()) {
            errors.add(new FieldError(at + "matching.attribute", Text.of("records.field.text-attribute")));
        }
        if (rules.where().size() > RowTest.MAX_TESTS) {
            errors.add(new FieldError(at + "where", Text.of("records.filter-too-many", "max", RowTest.MAX_TESTS)));
        }
        for (int i = 0; i < rules.where().size(); i++) {
            var test = rules.where().get(i);
            var field = "%swhere[%d]".formatted(at, i);
            var attribute = schema.attribute(test.attribute());
            if (attribute.isEmpty()) {
                errors.add(
                        new FieldError(field, Text.of("records.field.names-no-attribute", "name", test.attribute())));
                continue;
            }
            try {
                test.requireSuits(schema, attribute.get());
            } catch (InvalidValueException e) {
                errors.add(new FieldError(field, e.reason()));
            }
        }
    }

    private static void requireAttributes(Schema schema, String field, Set<String> names, List<FieldError> errors) {
        names.stream()
                .filter(name -> schema.attribute(name).isEmpty())
                .forEach(name ->
                        errors.add(new FieldError(field, Text.of("records.field.names-no-attribute", "name", name))));
    }
}
