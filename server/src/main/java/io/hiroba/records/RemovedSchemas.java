package io.hiroba.records;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.RemovedSchemaStore.Row;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes schemas with their records, restores them for 30 days, and erases them afterwards. A deleted schema has no name, by which
 * everybody finds a schema; all else stays as it is.
 */
public final class RemovedSchemas {

    /** The events of a schema that was deleted or restored. */
    public static final String DELETED = "schema-deleted";

    public static final String RESTORED = "schema-restored";

    private static final int BATCH_SIZE = 2_000;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(3);
    private static final Logger LOG = LoggerFactory.getLogger(RemovedSchemas.class);

    private final Db db;
    private final Clock clock;
    private final SchemaCatalog catalog;
    private final EventLog events;
    private final AuditLog audit;
    private final Computations computations;
    private final WakeSignal due = new WakeSignal();
    private final SchemaStore schemas = new SchemaStore();
    private final SchemaChangeStore changes = new SchemaChangeStore();
    private final RemovedSchemaStore store = new RemovedSchemaStore();
    private final SchemaEraseStore erasing = new SchemaEraseStore();

    /** @param catalog the cache, which is invalidated by a change */
    public RemovedSchemas(Db db, Clock clock, SchemaCatalog catalog, EventLog events) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
        this.events = events;
        this.audit = new AuditLog(db);
        this.computations = new Computations(db, catalog);
    }

    /** A schema that was deleted, and can be restored until then. */
    public record Removed(short id, String name, UserId by, Instant at, Instant until) {}

    /**
     * The outcome that deleting a schema would have.
     *
     * @param records how many there are
     * @param contents what goes with it, in words
     * @param refusal the reason why it cannot be deleted; null if it can
     */
    public record Preview(
            long records, List<Text> contents, @Nullable Text refusal) {

        public Preview {
            contents = List.copyOf(contents);
        }
    }

    /** A dry run of {@link #remove}. */
    public Preview preview(ProjectAccess access, String name) {
        access.requireOwner();
        return db.read(reads -> {
            var schema = schemas.find(reads, access.tables(), name).orElseThrow(() -> RecordsProblem.noSchema(name));
            var found = store.contents(reads, access.tables(), schema.id(), clock.instant());
            var contents = new ArrayList<Text>();
            contents.add(Text.of("records.removal.records", "count", found.records()));
            contents.add(Text.of("records.removal.views", "count", found.views(), "links", found.links()));
            add(contents, "records.removal.files", found.files());
            add(contents, "records.removal.queries", found.savedQueries());
            add(contents, "records.removal.panels", found.panels());
            contents.add(Text.of("records.removal.rules"));
            if (found.inKnowledge()) {
                contents.add(Text.of("records.removal.knowledge"));
            }
            try {
                requireUnneeded(reads, access, schema);
                return new Preview(found.records(), contents, null);
            } catch (RecordsProblem refused) {
                return new Preview(found.records(), contents, refused.detail());
            }
        });
    }

    private static void add(List<Text> contents, String words, long count) {
        if (count > 0) {
            contents.add(Text.of(words, "count", count));
        }
    }

    /** Deletes a schema with its records: from now on nobody finds it. Its id is never reused, since history refers to it. */
    public void remove(ProjectAccess access, String name) {
        access.requireOwner();
        var tables = access.tables();
        db.useTransaction(tx -> {
            // Asked before the locks as well: a batch of a change of types holds them for a while.
            schemas.find(tx, tables, name).ifPresent(schema -> requireUnneeded(tx, access, schema));
            var schema = schemas.locked(tx, access, name);
            requireUnneeded(tx, access, schema);
            var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
            var removed = new Row(
                    tables.project(),
                    schema.id(),
                    schema.name(),
                    schema.aliases(),
                    access.user(),
                    now,
                    now.plus(RemovedAttributes.KEPT_FOR));
            store.insert(tx, removed);
            schemas.dropNames(tx, tables, schema.id());
            computations.suspend(tx, tables, schema);
            schemas.incrementVersion(tx, tables, schema.id());
            record(tx, access, removed, AuditLog.Action.SCHEMA_DELETED, Changes.NONE);
            publish(tx, access, DELETED, removed.schema(), removed.name());
        });
        catalog.invalidate(tables);
    }

    /** Attributes of other schemas that refer to it or come from it are removed first: their values would lead nowhere. */
    private void requireUnneeded(Reads reads, ProjectAccess access, Schema schema) {
        if (schema.conversions().stream().anyMatch(each -> each.doneAt() == null)) {
            throw RecordsProblem.retypeRunning();
        }
        var referring = schemas.all(reads, access.tables()).stream()
                .filter(other -> other.id() != schema.id())
                .flatMap(other -> other.attributes().stream()
                        .filter(attribute -> attribute.references() != null && attribute.references() == schema.id())
                        .map(attribute -> "`%s.%s`".formatted(other.name(), attribute.name())))
                .toList();
        if (!referring.isEmpty()) {
            throw RecordsProblem.schemaReferenced(referring);
        }
        schema.attributes().forEach(each -> computations.requireNeededHereOnly(reads, access.tables(), schema, each));
    }

    /** The deleted schemas that can be restored, the last deleted first. */
    public List<Removed> list(ProjectAccess access) {
        access.requireOwner();
        return db.read(reads -> store.list(reads, access.project().id(), clock.instant())).stream()
                .map(RemovedSchemas::removed)
                .toList();
    }

    /**
     * Restores a schema with its records, views, rules and whatever else it had. Aliases and former names that another schema has by now
     * are left out.
     *
     * @param named its id, or the name that it had
     * @param name the name that it gets; null for the one that it had
     */
    public Schema restore(ProjectAccess access, String named, @Nullable String name) {
        access.requireOwner();
        var tables = access.tables();
        var restored = db.inTransaction(tx -> {
            schemas.lockNames(tx, tables);
            var removed = find(tx, access, named);
            schemas.lock(tx, tables, removed.schema());
            if (schemas.all(tx, tables).size() >= Schemas.MAX_SCHEMAS) {
                throw RecordsProblem.tooManySchemas();
            }
            var called = name == null ? removed.name() : SchemaChanges.validName(name);
            if (!schemas.taken(tx, tables, removed.schema(), List.of(called)).isEmpty()) {
                throw RecordsProblem.removedNameTaken(called);
            }
            if (!store.restore(tx, removed)) {
                throw RecordsProblem.noSchema(named);
            }
            putNames(tx, tables, removed, called);
            schemas.incrementVersion(tx, tables, removed.schema());
            var schema = schemas.find(tx, tables, removed.schema()).orElseThrow();
            for (var each : schema.attributes()) {
                store.requireThere(tx, tables, each.name(), each.references());
                store.requireThere(
                        tx,
                        tables,
                        each.name(),
                        schema.computed(each).map(Computed::about).orElse(null));
            }
            computations.resume(tx, tables, schema);
            record(
                    tx,
                    access,
                    removed,
                    AuditLog.Action.SCHEMA_RESTORED,
                    Changes.NONE.with("name", removed.name(), called));
            publish(tx, access, RESTORED, removed.schema(), called);
            return schemas.find(tx, tables, removed.schema()).orElseThrow();
        });
        catalog.invalidate(tables);
        return restored;
    }

    private void putNames(Tx tx, ProjectTables tables, Row removed, String called) {
        for (var former : changes.formerNames(tx, tables, removed.schema())) {
            if (former.equals(called)
                    || !schemas.taken(tx, tables, removed.schema(), List.of(former))
                            .isEmpty()) {
                changes.dropSchemaName(tx, tables, removed.schema(), former);
            }
        }
        var taken = schemas.taken(tx, tables, removed.schema(), removed.aliases());
        var aliases = removed.aliases().stream()
                .filter(alias -> !taken.contains(alias) && !alias.equals(called))
                .toList();
        schemas.putNames(tx, tables, removed.schema(), called, aliases);
        changes.renameSavedQueries(tx, tables, removed.schema(), removed.name(), called);
    }

    /** Has a deleted schema erased now rather than after 30 days. */
    public void erase(ProjectAccess access, String named) {
        access.requireOwner();
        db.useTransaction(tx -> {
            schemas.lockNames(tx, access.tables());
            var removed = find(tx, access, named);
            var needing = store.needing(tx, access.tables(), removed.schema());
            if (!needing.isEmpty()) {
                throw RecordsProblem.schemaReferenced(needing);
            }
            store.erase(tx, removed);
            record(tx, access, removed, AuditLog.Action.SCHEMA_ERASED, Changes.NONE);
            tx.afterCommit(due::raise);
        });
    }

    /** The last deleted schema that had this name and can be restored: any member who looks for it is told. */
    public Optional<Removed> find(ProjectAccess access, String named) {
        var name = SchemaNames.normalized(named);
        return db.read(reads -> store.list(reads, access.project().id(), clock.instant())).stream()
                .filter(each -> each.isCalled(name) || each.aliases().contains(name))
                .map(RemovedSchemas::removed)
                .findFirst();
    }

    private static Removed removed(Row row) {
        return new Removed(row.schema(), row.name(), row.by(), row.at(), row.until());
    }

    private Row find(Tx tx, ProjectAccess access, String named) {
        var name = SchemaNames.normalized(named);
        return store.list(tx, access.project().id(), clock.instant()).stream()
                .filter(each -> each.isCalled(name))
                .findFirst()
                .orElseThrow(() -> RecordsProblem.noSchema(named));
    }

    private void record(Tx tx, ProjectAccess access, Row removed, AuditLog.Action action, Changes changed) {
        var project = access.project();
        var id = project.id().hex() + "/" + removed.schema();
        audit.record(
                tx,
                access.caller(),
                action,
                Target.of(TargetKind.SCHEMA, id, removed.name(), project.client()),
                changed);
    }

    private void publish(Tx tx, ProjectAccess access, String type, short schema, String name) {
        events.append(
                tx,
                NewEvent.of(access.project().id().value(), type)
                        .with("projectId", access.project().id().hex())
                        .with(RecordEvents.SCHEMA_ID, schema)
                        .with("schema", name)
                        .with("by", access.user().hex()));
    }

    WorkLoop start(Projects projects) {
        return WorkLoop.whenSignalled("deleted schemas", 1, due, WorkLoop.FALLBACK_POLL, () -> eraseSome(projects));
    }

    /** Erases all that no other node erases. */
    void eraseAll(Projects projects) {
        while (eraseSome(projects)) {
            // eraseSome does the work.
        }
    }

    /** A batch a transaction, which holds the claim: a node that dies leaves the rest to the others. */
    private boolean eraseSome(Projects projects) {
        var claimed = new AtomicReference<@Nullable Row>();
        try {
            return db.inTransaction(tx -> {
                claimed.set(null);
                var removed = store.claim(tx, clock.instant());
                removed.ifPresent(row -> {
                    claimed.set(row);
                    eraseSome(tx, projects, row);
                });
                return removed.isPresent();
            });
        } catch (RuntimeException e) {
            var row = claimed.get();
            if (row == null) {
                throw e;
            }
            putOff(row, e);
            return true;
        }
    }

    private void eraseSome(Tx tx, Projects projects, Row removed) {
        var tables = projects.find(tx, removed.project())
                .orElseThrow(RecordsProblem::noProject)
                .tables();
        if (erasing.deleteSome(tx, tables, removed.schema(), BATCH_SIZE) == 0) {
            erasing.deleteDescriptions(tx, tables, removed.schema(), clock.instant());
        }
    }

    /** Has others go first, rather than trying the same for ever. */
    private void putOff(Row removed, RuntimeException failure) {
        try {
            db.useTransaction(tx -> store.putOff(tx, removed, clock.instant(), RETRY_DELAY));
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            throw failure;
        }
        LOG.warn("The deleted schema {} of a project cannot be erased now", removed.schema(), failure);
        due.raiseAlsoIn(RETRY_DELAY);
    }
}
