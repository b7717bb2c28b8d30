package io.hiroba.records.query;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.records.AccessRules.WriteKind;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordEdits;
import io.hiroba.records.Records;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.WriteResult;
import io.hiroba.records.query.BulkEdit.Operation;
import io.hiroba.records.query.BulkEdit.Progress;
import io.hiroba.records.query.BulkEdit.State;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Deletes or changes all records that match a condition and that a member may write, in the background, and undoes it for a day. */
public final class BulkEdits {

    private static final int MAX_RUNNING = 10;

    private final Db db;
    private final Clock clock;
    private final IdGenerator ids;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final Queries queries;
    private final RecordEdits edits;
    private final ConditionMatcher matcher;
    private final CallerTraits traits;
    private final WakeSignal started = new WakeSignal();
    private final BulkEditStore store = new BulkEditStore();

    BulkEdits(
            Db db,
            Clock clock,
            IdGenerator ids,
            Projects projects,
            SchemaCatalog catalog,
            Queries queries,
            Writing writing) {
        this.db = db;
        this.clock = clock;
        this.ids = ids;
        this.projects = projects;
        this.catalog = catalog;
        this.queries = queries;
        this.edits = writing.edits();
        this.matcher = writing.matcher();
        this.traits = writing.traits();
    }

    /** The parts that find records and write them. */
    record Writing(RecordEdits edits, ConditionMatcher matcher, CallerTraits traits) {}

    /**
     * A bulk edit as requested.
     *
     * @param condition as in queries; null for none
     * @param all whether all records are meant if there is no condition
     * @param changes the values that the records get; null to delete them
     * @param expected how many records match, as far as the caller knows; null if they do not say
     */
    public record Request(
            String schema,
            @Nullable JsonNode condition,
            boolean all,
            @Nullable JsonNode changes,
            @Nullable Long expected) {}

    /** How many records match, exactly. */
    public long count(Caller caller, ProjectId project, String schema, @Nullable JsonNode condition) {
        var counted = queries.page(
                        caller,
                        project,
                        RecordQuery.all(schema)
                                .where(ConditionParser.condition(condition))
                                .limit(1)
                                .counting(RecordQuery.Count.EXACT))
                .count();
        return Objects.requireNonNull(counted).value();
    }

    /** Starts to delete or change records. */
    public BulkEdit start(Caller caller, ProjectId project, Request request) {
        var access = projects.access(caller, project).requireEditor();
        if (request.condition() == null && !request.all()) {
            throw BulkEditProblem.allRecords();
        }
        var changes = request.changes();
        if (changes != null && (!changes.isObject() || changes.isEmpty())) {
            throw RecordsProblem.invalid("values", Text.of("records.field.values-object"));
        }
        var schema = catalog.refreshed(access.tables(), request.schema());
        new RecordAccess(schema, schema.binding(access.role()), access.user(), null)
                .require(changes == null ? WriteKind.DELETE : WriteKind.UPDATE);
        // Relative days mean those of now, however long the edit takes.
        var condition = request.condition() == null ? null : traits.settled(caller.user(), request.condition());
        long count = count(caller, project, request.schema(), condition);
        if (request.expected() != null && request.expected() != count) {
            throw BulkEditProblem.otherCount(count);
        }
        var now = now();
        var newest = new UUID((now.toEpochMilli() + 1) << 16, 0);
        if (changes != null) {
            tryOut(access, schema, condition, changes, newest);
        }
        return insert(new BulkEdit(
                ids.next(),
                project,
                schema.id(),
                changes == null ? Operation.DELETE : Operation.UPDATE,
                null,
                condition,
                changes,
                State.RUNNING,
                Progress.of(count, newest),
                null,
                caller.user(),
                now,
                null));
    }

    private BulkEdit insert(BulkEdit edit) {
        return db.inTransaction(tx -> {
            tx.lock("records.bulk_edits", edit.project().hex());
            if (store.countRunning(tx, edit.project()) >= MAX_RUNNING) {
                throw BulkEditProblem.tooMany(MAX_RUNNING);
            }
            store.insert(tx, edit);
            tx.afterCommit(started::raise);
            return edit;
        });
    }

    /** Rolls back what was only tried. */
    private static final class TriedOut extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TriedOut() {
            super("tried out", null, false, false);
        }
    }

    /** Writes the values to one of the records and takes that back: what is wrong with them is told before anything is started. */
    private void tryOut(
            ProjectAccess access, Schema schema, @Nullable JsonNode condition, JsonNode changes, UUID newest) {
        try {
            db.useTransaction(tx -> {
                var where = ConditionParser.condition(condition);
                var current = catalog.current(tx, access.tables(), schema.id());
                var rows = matcher.newest(tx, access, current, where, newest, 1).stream()
                        .map(each -> new Records.Change(each.id(), null, changes, true))
                        .toList();
                if (!rows.isEmpty()
                        && edits.change(tx, access, String.valueOf(schema.id()), rows)
                                        .getFirst()
                                instanceof WriteResult.Refused(var problem)
                        && problem.kind() == RecordsProblem.Kind.INVALID) {
                    throw problem;
                }
                throw new TriedOut();
            });
        } catch (TriedOut _) {
            // Nothing of it is there.
        } catch (DbException e) {
            // A value that another record has: each record is asked when its turn comes.
            if (!SqlState.is(e, SqlState.UNIQUE_VIOLATION)) {
                throw e;
            }
        }
    }

    /** One's own, or for owners any of the project. */
    public BulkEdit get(Caller caller, ProjectId project, long id) {
        var access = projects.access(caller, project);
        return db.read(reads -> store.find(reads, project, id))
                .filter(each -> access.isOwner() || each.by().equals(caller.user()))
                .orElseThrow(BulkEditProblem::none);
    }

    /** Stops one that is under way; what was written stays, and can be undone. */
    public BulkEdit stop(Caller caller, ProjectId project, long id) {
        get(caller, project, id);
        return db.inTransaction(tx -> {
            store.end(tx, id, State.STOPPED, null, now());
            return store.find(tx, project, id).orElseThrow(BulkEditProblem::none);
        });
    }

    /** Whether it can be undone now. */
    public boolean isUndoable(BulkEdit edit) {
        return edit.isUndoable(clock.instant());
    }

    /** Starts to give the records the values that they had, as far as nobody changed them since. */
    public BulkEdit undo(Caller caller, ProjectId project, long id) {
        projects.access(caller, project).requireEditor();
        var undone = get(caller, project, id);
        if (!isUndoable(undone)) {
            throw BulkEditProblem.notUndoable();
        }
        var beginning = new UUID(0, 0);
        try {
            return insert(new BulkEdit(
                    ids.next(),
                    project,
                    undone.schema(),
                    Operation.UNDO,
                    id,
                    null,
                    null,
                    State.RUNNING,
                    Progress.of(undone.progress().written(), beginning),
                    null,
                    caller.user(),
                    now(),
                    null));
        } catch (DbException e) {
            if (SqlState.is(e, SqlState.UNIQUE_VIOLATION)) {
                throw BulkEditProblem.notUndoable();
            }
            throw e;
        }
    }

    BulkEditWorker worker(Users users) {
        return new BulkEditWorker(db, clock, projects, catalog, users, new Writing(edits, matcher, traits), started);
    }

    /** The time as the database stores it. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
