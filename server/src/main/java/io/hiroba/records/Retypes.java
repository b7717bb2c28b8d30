package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.platform.task.WakeSignal;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes the types of attributes. Another attribute gets the converted values and then the name; the one of before is a removed
 * attribute, so that the change can be undone. Few records are converted at once, many by {@link RetypeWorker}.
 */
public final class Retypes {

    /** The most records that are converted in the transaction of the request. */
    static final int MAX_AT_ONCE = 2_000;

    private final Db db;
    private final Clock clock;
    private final IdGenerator ids;
    private final SchemaCatalog catalog;
    private final WakeSignal started;
    private final SchemaChanges changes;
    private final AttributeConversion conversion;
    private final RetypePreviews previews;
    private final SchemaStore schemas = new SchemaStore();
    private final RetypeStore store = new RetypeStore();
    private final SchemaChangeStore names = new SchemaChangeStore();
    private final RetypeTextStore texts = new RetypeTextStore();
    private final RemovedSchemaStore gone = new RemovedSchemaStore();
    private final Computations computations;

    /**
     * @param catalog the cache, which is invalidated by a change
     * @param started raised when a conversion was started
     */
    public Retypes(Db db, Clock clock, IdGenerator ids, SchemaCatalog catalog, WakeSignal started) {
        this.db = db;
        this.clock = clock;
        this.ids = ids;
        this.catalog = catalog;
        this.started = started;
        this.computations = new Computations(db, catalog);
        this.changes = new SchemaChanges(db, clock, catalog, new EventLog());
        this.conversion = new AttributeConversion(changes::complete);
        this.previews = new RetypePreviews(db, changes, computations);
    }

    /** The state of a change of a type. */
    public enum State {
        RUNNING,
        DONE,
        FAILED,
        CANCELLED,
        UNDONE
    }

    /** A value that cannot be converted, in the record {@code row}. */
    public record Failure(String row, String value, Text reason) {}

    /**
     * The progress of a conversion.
     *
     * @param total how many records there were at its start
     * @param seen how many were looked at
     * @param position the last of them; null for none
     * @param failed how many values could not be converted
     */
    public record Progress(long total, long seen, @Nullable UUID position, long failed) {}

    /**
     * A change of a type.
     *
     * @param from the id of the attribute whose values are converted
     * @param to the id of the attribute that gets them
     * @param clears whether values that cannot be converted are left out
     * @param failures the first values that cannot be converted
     * @param failure the reason why it came to nothing
     */
    public record Job(
            long id,
            ProjectId project,
            short schema,
            short from,
            short to,
            ValueType fromType,
            ValueType toType,
            boolean clears,
            State state,
            Progress progress,
            List<Failure> failures,
            @Nullable Text failure,
            UserId by,
            Instant createdAt,
            @Nullable Instant endedAt) {

        public Job {
            failures = List.copyOf(failures);
        }
    }

    /**
     * A type that an attribute is to get.
     *
     * @param clears whether values that cannot be converted are left out
     * @param dates the order of days such as {@code 8/7/2026} in texts; null for the one that the texts show
     * @param more what else is changed, when the values are converted; null for nothing
     */
    public record Change(
            ValueType type,
            boolean clears,
            @Nullable DateOrder dates,
            @Nullable AttributeChange more) {

        public Change(ValueType type, boolean clears, @Nullable DateOrder dates) {
            this(type, clears, dates, null);
        }

        public Change(ValueType type, boolean clears) {
            this(type, clears, null, null);
        }
    }

    /**
     * The outcome of a change.
     *
     * @param schema as it is now
     * @param job null if the attribute is of the type already
     */
    public record Outcome(Schema schema, @Nullable Job job) {

        /** Whether records are still to be converted. */
        public boolean isRunning() {
            return job != null && job.state() == State.RUNNING;
        }
    }

    /**
     * The outcome that a change would have.
     *
     * @param converted how many values can be converted
     * @param failed how many cannot
     * @param duplicates how many of a unique attribute would have a value that another has as well
     * @param failures the first that cannot be converted
     * @param changes in words
     * @param refused the reasons of a refusal
     * @param asksOrder whether there are texts that are days such as {@code 8/7/2026}
     */
    public record Preview(
            long converted,
            long failed,
            long duplicates,
            List<Failure> failures,
            List<Text> changes,
            List<FieldError> refused,
            boolean asksOrder) {

        public Preview {
            failures = List.copyOf(failures);
            changes = List.copyOf(changes);
            refused = List.copyOf(refused);
        }
    }

    /** A dry run of {@link #change}. */
    public Preview preview(ProjectAccess access, String schema, String attribute, Change change) {
        return previews.of(access, schema, attribute, change);
    }

    /** Changes the type of an attribute, or starts to if there are many records. */
    public Outcome change(ProjectAccess access, String schema, String attribute, Change change) {
        access.requireOwner();
        // Read before the locks, as it takes a while.
        var known = db.read(reads -> schemas.find(reads, access.tables(), schema))
                .orElseThrow(() -> RecordsProblem.noSchema(schema));
        var written = db.read(reads -> texts.written(reads, access.tables(), known, found(known, attribute), change));
        var outcome = db.inTransaction(tx -> change(tx, access, schema, attribute, change, written));
        catalog.invalidate(access.tables());
        return outcome;
    }

    private Outcome change(
            Tx tx,
            ProjectAccess access,
            String schemaName,
            String attribute,
            Change change,
            ValueConversion.Written written) {
        access.requireOwner();
        var tables = access.tables();
        // Asked before the locks as well: a batch of that change holds them for a while.
        schemas.find(tx, tables, schemaName)
                .filter(each -> found(each, attribute).type() != change.type())
                .ifPresent(Retypes::requireNone);
        var locked = schemas.locked(tx, access, schemaName);
        if (found(locked, attribute).type() == change.type()) {
            return new Outcome(locked, null);
        }
        requireNone(locked);
        previews.requireRetypable(tx, tables, locked, found(locked, attribute));
        var schema = changes.relaxed(tx, tables, locked, attribute, change.more());
        var from = found(schema, attribute);
        var refused = AttributeConversion.refused(schema, from, change.type());
        if (!refused.isEmpty()) {
            throw RecordsProblem.cannotEvolve(refused);
        }
        if (schema.places() >= DefinitionReader.MAX_PLACES) {
            throw RecordsProblem.invalid("type", Text.of("records.field.no-place"));
        }
        short to = SchemaAttribute.id(schema.places(), change.type());
        long total = store.count(tx, tables, schema.id());
        var job = new Job(
                ids.next(),
                tables.project(),
                schema.id(),
                from.id(),
                to,
                from.type(),
                change.type(),
                change.clears(),
                State.RUNNING,
                new Progress(total, 0, null, 0),
                List.of(),
                null,
                access.user(),
                now(),
                null);
        store.insert(tx, job, written);
        names.keepForLater(tx, job.id(), change.more());
        schemas.putAttributes(
                tx,
                tables,
                schema.id(),
                List.of(AttributeConversion.pending(new ValueConversion(from, change.type(), written).converted(to))));
        if (total <= MAX_AT_ONCE) {
            conversion.convertAll(tx, tables, job);
            conversion.finish(tx, tables, job, now());
        } else {
            schemas.incrementVersion(tx, tables, schema.id());
            tx.afterCommit(started::raise);
        }
        return new Outcome(
                schemas.find(tx, tables, schema.id()).orElseThrow(),
                store.find(tx, tables.project(), job.id()).orElseThrow());
    }

    /** A change of a type of the schema. */
    public Job get(ProjectAccess access, String schemaName, long id) {
        access.requireOwner();
        return db.read(reads -> {
            var schema = schemas.find(reads, access.tables(), schemaName)
                    .orElseThrow(() -> RecordsProblem.noSchema(schemaName));
            return store.find(reads, access.tables().project(), id)
                    .filter(job -> job.schema() == schema.id())
                    .orElseThrow(RecordsProblem::noRetype);
        });
    }

    /** The change that is under way in the schema. */
    public Optional<Job> running(ProjectAccess access, Schema schema) {
        access.requireOwner();
        return db.read(reads -> store.running(reads, access.tables().project(), schema.id()));
    }

    /** Cancels a change that is under way; one that has ended stays as it is. */
    public Job cancel(ProjectAccess access, String schemaName, long id) {
        var tables = access.tables();
        var cancelled = db.inTransaction(tx -> {
            var schema = schemas.locked(tx, access, schemaName);
            var job = store.lock(tx, tables.project(), id)
                    .filter(each -> each.schema() == schema.id())
                    .orElseThrow(RecordsProblem::noRetype);
            if (job.state() == State.RUNNING) {
                store.end(tx, job, State.CANCELLED, null, now());
                schemas.incrementVersion(tx, tables, schema.id());
            }
            return store.find(tx, tables.project(), id).orElseThrow();
        });
        catalog.invalidate(tables);
        if (cancelled.state() == State.CANCELLED) {
            conversion.deleteValues(db, tables, cancelled);
        }
        return cancelled;
    }

    /** The day until which the last change of the attribute's type can be undone. */
    public Optional<Instant> undoableUntil(Schema schema, SchemaAttribute attribute) {
        return undoable(schema, attribute).map(Schema.Removed::until);
    }

    private Optional<Schema.Removed> undoable(Schema schema, SchemaAttribute attribute) {
        return schema.conversionsTo(attribute).reversed().stream()
                .findFirst()
                .flatMap(last -> schema.removed().stream()
                        .filter(each -> each.attribute().id() == last.from().id()
                                && each.until().isAfter(clock.instant()))
                        .findFirst());
    }

    /**
     * Undoes the last change of an attribute's type: the values are those of before it, and those that were written since are kept by
     * the attribute that is removed now.
     */
    public Schema undo(ProjectAccess access, String schemaName, String attribute) {
        var tables = access.tables();
        var undone = db.inTransaction(tx -> {
            var schema = schemas.locked(tx, access, schemaName);
            var from = found(schema, attribute);
            requireNone(schema);
            computations.requireUnneeded(tx, tables, schema, from);
            var before = undoable(schema, from)
                    .map(Schema.Removed::attribute)
                    .orElseThrow(RecordsProblem::retypeNotUndoable);
            if (schema.rules().compare(from.name())) {
                throw RecordsProblem.attributeInRules(from.name());
            }
            gone.requireThere(tx, tables, before.name(), before.references());
            conversion.undo(tx, tables, schema, from, before, now());
            return schemas.find(tx, tables, schema.id()).orElseThrow();
        });
        catalog.invalidate(tables);
        return undone;
    }

    /** The time as the database stores it. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    private static SchemaAttribute found(Schema schema, String attribute) {
        return schema.attribute(attribute).orElseThrow(() -> RecordsProblem.noAttribute(attribute));
    }

    /** One change at a time. */
    private static void requireNone(Schema schema) {
        if (schema.conversions().stream().anyMatch(each -> each.doneAt() == null)) {
            throw RecordsProblem.retypeRunning();
        }
    }
}
