package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;

/** Removes attributes with their values, restores them for 30 days, and sets the order of those that are there. */
public final class RemovedAttributes {

    /** How long a removed attribute can be restored. */
    static final Duration KEPT_FOR = Duration.ofDays(30);

    private static final int BATCH_SIZE = 10_000;

    private final Db db;
    private final Clock clock;
    private final SchemaCatalog catalog;
    private final SchemaStore schemas = new SchemaStore();
    private final RemovedAttributeStore store = new RemovedAttributeStore();
    private final SchemaChangeStore changes = new SchemaChangeStore();
    private final ValueCheckStore values = new ValueCheckStore();
    private final RemovedSchemaStore gone = new RemovedSchemaStore();
    private final Computations computations;

    /** @param catalog the cache, which is invalidated by a change */
    public RemovedAttributes(Db db, Clock clock, SchemaCatalog catalog) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
        this.computations = new Computations(db, catalog);
    }

    /** Removes an attribute. Its values stay in the records, where nobody sees them. */
    public Schema remove(ProjectAccess access, String schema, String attribute) {
        access.requireOwner();
        return changed(access, tx -> {
            // Asked before the locks as well: a batch of a change of types holds them for a while.
            schemas.find(tx, access.tables(), schema).ifPresent(each -> requireUnneeded(each, found(each, attribute)));
            var before = schemas.locked(tx, access, schema);
            var removed = found(before, attribute);
            requireUnneeded(before, removed);
            computations.requireUnneeded(tx, access.tables(), before, removed);
            var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
            store.remove(tx, access.tables(), before.id(), new Schema.Removed(removed, now, now.plus(KEPT_FOR)));
            rename(tx, access.tables(), before, removed.name(), AccessRules.ofRemoved(removed.id()));
            return before.id();
        });
    }

    /** How many records have a value of an attribute. */
    public long countValues(ProjectAccess access, String schema, String attribute) {
        return countValues(access, schema, attribute, false);
    }

    /** The same of one that may be removed. */
    long preview(ProjectAccess access, String schema, String attribute) {
        return countValues(access, schema, attribute, true);
    }

    private long countValues(ProjectAccess access, String schema, String attribute, boolean unneeded) {
        access.requireOwner();
        return db.inTransaction(tx -> {
            var there = schemas.find(tx, access.tables(), schema).orElseThrow(() -> RecordsProblem.noSchema(schema));
            var removed = found(there, attribute);
            if (unneeded) {
                requireUnneeded(there, removed);
                computations.requireUnneeded(tx, access.tables(), there, removed);
            }
            return values.count(tx, access.tables(), there.id())
                    - values.countMissing(tx, access.tables(), there.id(), removed);
        });
    }

    /** As {@link #restore(ProjectAccess, String, String, boolean)}, unless its name still leads to another attribute. */
    public Schema restore(ProjectAccess access, String schema, String attribute) {
        return restore(access, schema, attribute, false);
    }

    /**
     * Restores an attribute with its values. It is required again only if no record lacks it.
     *
     * @param reuse whether it gets its name back from an attribute that is found by it as by a former one
     */
    public Schema restore(ProjectAccess access, String schema, String attribute, boolean reuse) {
        return changed(access, tx -> {
            var before = schemas.locked(tx, access, schema);
            var name = SchemaNames.normalized(attribute);
            var removed = before.removed().stream()
                    .filter(each -> each.until().isAfter(clock.instant()))
                    .map(Schema.Removed::attribute)
                    .filter(each -> each.name().equals(name)
                            || String.valueOf(each.id()).equals(name))
                    .reduce((earlier, later) -> later)
                    .orElseThrow(() -> RecordsProblem.noAttribute(attribute));
            if (before.attributes().stream().anyMatch(each -> each.name().equals(removed.name()))) {
                throw RecordsProblem.attributeTaken(removed.name());
            }
            if (before.attributes().size() >= DefinitionReader.MAX_ATTRIBUTES) {
                throw RecordsProblem.invalid(
                        "attributes", Text.of("records.field.most", "max", DefinitionReader.MAX_ATTRIBUTES));
            }
            if (!reuse && leadsElsewhere(before, removed.name())) {
                throw RecordsProblem.nameKept(removed.name());
            }
            gone.requireThere(tx, access.tables(), removed.name(), removed.references());
            changes.dropAttributeName(tx, access.tables(), before.id(), removed.name());
            // Its id led to the attribute that got its place with another type.
            changes.dropAttributeName(tx, access.tables(), before.id(), String.valueOf(removed.id()));
            boolean required =
                    removed.required() && values.countMissing(tx, access.tables(), before.id(), removed) == 0;
            store.restore(tx, access.tables(), before.id(), removed);
            rename(tx, access.tables(), before, AccessRules.ofRemoved(removed.id()), removed.name());
            schemas.putAttributes(
                    tx,
                    access.tables(),
                    before.id(),
                    List.of(removed.constrained(required, removed.unique(), removed.initial())));
            computations.restored(tx, access.tables(), before, removed);
            return before.id();
        });
    }

    /** Sets the order in which attributes are shown; those that are not named follow as they were. */
    public Schema reorder(ProjectAccess access, String schema, List<String> names) {
        return changed(access, tx -> {
            var before = schemas.locked(tx, access, schema);
            var order = new LinkedHashSet<Short>();
            for (var name : names) {
                if (!order.add(found(before, name).id())) {
                    throw RecordsProblem.invalid("attributes", Text.of("records.field.named-twice", "name", name));
                }
            }
            before.attributes().forEach(each -> order.add(each.id()));
            store.reorder(tx, access.tables(), before.id(), List.copyOf(order));
            return before.id();
        });
    }

    /** Gives up attributes that were removed too long ago to be restored. */
    public void sweep(Projects projects) {
        for (var gone : db.read(reads -> store.expired(reads, clock.instant()))) {
            db.read(reads -> projects.find(reads, gone.project())).ifPresent(project -> {
                var tables = project.tables();
                boolean givenUp = db.inTransaction(tx -> {
                    schemas.lockNames(tx, tables);
                    schemas.lock(tx, tables, gone.schema());
                    // It may have been restored, or given up by another node, since it was looked for.
                    boolean there = store.giveUp(tx, tables, gone, clock.instant());
                    if (there) {
                        forgetRules(tx, tables, gone);
                        computations.forget(tx, tables, gone.schema(), gone.attribute());
                        schemas.incrementVersion(tx, tables, gone.schema());
                    }
                    return there;
                });
                int deleted = givenUp ? BATCH_SIZE : 0;
                while (deleted == BATCH_SIZE) {
                    // Leftovers of a crash are harmless: nothing reads them.
                    deleted = db.inTransaction(tx -> store.deleteValues(tx, tables, gone, BATCH_SIZE));
                }
            });
        }
    }

    /** Has the rules of {@code schema} go on about an attribute that they name otherwise from now on. */
    private void rename(Tx tx, ProjectTables tables, Schema schema, String before, String after) {
        schemas.putRules(tx, tables, schema.id(), schema.rules().named(each -> each.equals(before) ? after : each));
    }

    private void forgetRules(Tx tx, ProjectTables tables, RemovedAttributeStore.Gone gone) {
        var name = AccessRules.ofRemoved(gone.attribute());
        schemas.find(tx, tables, gone.schema())
                .ifPresent(schema ->
                        schemas.putRules(tx, tables, schema.id(), schema.rules().without(name::equals)));
    }

    /** Whether it is a former name of an attribute that is there. */
    private static boolean leadsElsewhere(Schema schema, String name) {
        return schema.former().stream()
                .filter(former -> former.name().equals(name))
                .map(Schema.Former::attribute)
                .anyMatch(of -> of != null && schema.attribute((short) of).isPresent());
    }

    private Schema changed(ProjectAccess access, Function<Tx, Short> change) {
        var changed = db.inTransaction(tx -> {
            short schema = change.apply(tx);
            schemas.incrementVersion(tx, access.tables(), schema);
            return schemas.find(tx, access.tables(), schema).orElseThrow();
        });
        catalog.invalidate(access.tables());
        return changed;
    }

    private static SchemaAttribute found(Schema schema, String attribute) {
        return schema.attribute(attribute).orElseThrow(() -> RecordsProblem.noAttribute(attribute));
    }

    /** Without the attribute that a rule compares, nobody but owners would see a record. */
    private static void requireUnneeded(Schema schema, SchemaAttribute attribute) {
        if (schema.conversions().stream()
                .anyMatch(each -> each.doneAt() == null && each.from().id() == attribute.id())) {
            throw RecordsProblem.retypeRunning();
        }
        if (schema.rules().compare(attribute.name())) {
            throw RecordsProblem.attributeInRules(attribute.name());
        }
    }
}
