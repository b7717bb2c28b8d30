package io.hiroba.records.query;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.ConflictRetry;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.Projects;
import io.hiroba.records.Records;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RowId;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.WriteResult;
import io.hiroba.records.query.BulkEdit.Operation;
import io.hiroba.records.query.BulkEdit.Progress;
import io.hiroba.records.query.BulkEdit.Refusal;
import io.hiroba.records.query.BulkEdit.State;
import io.hiroba.records.query.BulkEditStore.WrittenRow;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of bulk edits, on every node: a batch a transaction, which locks the edit, so that no two work on the same and a node
 * that dies leaves what it has committed.
 */
final class BulkEditWorker implements AutoCloseable {

    private static final int BATCH_SIZE = 500;
    private static final int MAX_REFUSALS = 20;
    private static final int MAX_ATTEMPTS = 5;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(3);
    private static final Duration SWEEP_INTERVAL = Duration.ofHours(1);

    /** How long an edit that has ended is shown. */
    private static final Duration KEPT_FOR = Duration.ofDays(30);

    private final Db db;
    private final Clock clock;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final Users users;
    private final BulkEdits.Writing writing;
    private final WakeSignal started;
    private final BulkEditStore store = new BulkEditStore();
    private @Nullable WorkLoop loop;
    private @Nullable WorkLoop sweep;

    BulkEditWorker(
            Db db,
            Clock clock,
            Projects projects,
            SchemaCatalog catalog,
            Users users,
            BulkEdits.Writing writing,
            WakeSignal started) {
        this.db = db;
        this.clock = clock;
        this.projects = projects;
        this.catalog = catalog;
        this.users = users;
        this.writing = writing;
        this.started = started;
    }

    BulkEditWorker start() {
        loop = WorkLoop.whenSignalled("bulk edits", 1, started, WorkLoop.FALLBACK_POLL, this::runNext);
        sweep = WorkLoop.every(SWEEP_INTERVAL, "bulk edits sweep", this::sweep);
        return this;
    }

    /** Writes all that nobody else works on. */
    void runAll() {
        while (runNext()) {
            // runNext does the work.
        }
    }

    private boolean runNext() {
        var claimed = new AtomicReference<@Nullable BulkEdit>();
        try {
            return ConflictRetry.run(_ -> db.inTransaction(tx -> {
                var next = store.claim(tx);
                claimed.set(next.orElse(null));
                next.ifPresent(edit -> write(tx, edit));
                return next.isPresent();
            }));
        } catch (Problem e) {
            end(Objects.requireNonNull(claimed.get()), e.detail());
            return true;
        } catch (RuntimeException e) {
            putOff(claimed.get(), e);
            throw e;
        }
    }

    private void end(BulkEdit edit, Text failure) {
        db.useTransaction(tx -> store.end(tx, edit.id(), State.FAILED, failure, clock.instant()));
    }

    /** Has others go first, rather than trying the same for ever. */
    private void putOff(@Nullable BulkEdit edit, RuntimeException failure) {
        if (edit == null) {
            return;
        }
        try {
            if (db.inTransaction(tx -> store.retry(tx, edit.id(), RETRY_DELAY)) >= MAX_ATTEMPTS) {
                end(edit, Text.of("records.bulk.failed", "times", MAX_ATTEMPTS));
            }
            started.raiseAlsoIn(RETRY_DELAY);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** The next batch. Who started it must still be allowed to. */
    private void write(Tx tx, BulkEdit edit) {
        var profile = users.find(tx, List.of(edit.by())).get(edit.by());
        var caller = new Caller(edit.by(), profile != null && profile.user().admin(), new Caller.ByServer(), null);
        var access = projects.access(tx, caller, edit.project()).requireEditor();
        var batch = edit.operation() == Operation.UNDO ? undo(tx, access, edit) : change(tx, access, edit);
        var before = edit.progress();
        var refusals = new ArrayList<>(before.refusals());
        batch.refused().stream()
                .limit(Math.max(0, MAX_REFUSALS - refusals.size()))
                .forEach(refusals::add);
        var after = new Progress(
                before.total(),
                before.written() + batch.written().size(),
                before.refused() + batch.refused().size(),
                refusals,
                before.newest(),
                batch.position() == null ? before.position() : batch.position(),
                before.inPass() + batch.written().size());
        boolean isLast = batch.size() < BATCH_SIZE;
        // What was referred to by records that are deleted by now can go as well.
        boolean again = isLast && edit.operation() == Operation.DELETE && after.refused() > 0 && after.inPass() > 0;
        store.advance(
                tx,
                edit.id(),
                again
                        ? new Progress(after.total(), after.written(), 0, List.of(), after.newest(), after.newest(), 0)
                        : after);
        if (edit.operation() != Operation.UNDO && !batch.written().isEmpty()) {
            store.addRows(tx, edit.id(), batch.written());
        }
        if (isLast && !again) {
            store.end(tx, edit.id(), State.DONE, null, clock.instant());
        }
    }

    /**
     * The outcome of a batch.
     *
     * @param size how many records were taken
     * @param position the last of them; null for none
     */
    private record Batch(int size, @Nullable UUID position, List<WrittenRow> written, List<Refusal> refused) {}

    private Batch change(Tx tx, ProjectAccess access, BulkEdit edit) {
        var schema = catalog.current(tx, access.tables(), edit.schema());
        var rows = writing.matcher()
                .newest(
                        tx,
                        access,
                        schema,
                        ConditionParser.condition(edit.condition()),
                        edit.progress().position(),
                        BATCH_SIZE);
        if (rows.isEmpty()) {
            return new Batch(0, null, List.of(), List.of());
        }
        var named = String.valueOf(schema.id());
        var changes = edit.changes();
        // By the version that matched: what somebody changes meanwhile may match no more.
        var results = changes == null
                ? writing.edits()
                        .delete(
                                tx,
                                access,
                                named,
                                rows.stream()
                                        .map(each -> new Records.Deletion(each.id(), each.version()))
                                        .toList())
                : writing.edits()
                        .change(
                                tx,
                                access,
                                named,
                                rows.stream()
                                        .map(each -> new Records.Change(each.id(), each.version(), changes, true))
                                        .toList());
        var written = new ArrayList<WrittenRow>();
        var refused = new ArrayList<Refusal>();
        for (int i = 0; i < rows.size(); i++) {
            var row = rows.get(i);
            switch (results.get(i)) {
                case WriteResult.Written(var now) -> {
                    // What had the values already is no new version.
                    if (now.version() > row.version()) {
                        written.add(new WrittenRow(row.id(), now.version()));
                    }
                }
                case WriteResult.Refused(var problem) -> refused.add(refusal(row.id(), problem));
            }
        }
        return new Batch(rows.size(), rows.getLast().id().value(), written, refused);
    }

    private Batch undo(Tx tx, ProjectAccess access, BulkEdit edit) {
        var schema = catalog.current(tx, access.tables(), edit.schema());
        var rows = store.rows(
                tx, Objects.requireNonNull(edit.undoes()), edit.progress().position(), BATCH_SIZE);
        var written = new ArrayList<WrittenRow>();
        var refused = new ArrayList<Refusal>();
        for (var row : rows) {
            try {
                writing.edits().undo(tx, access, String.valueOf(schema.id()), row.id(), row.version());
                written.add(row);
            } catch (RecordsProblem problem) {
                refused.add(refusal(row.id(), problem));
            }
        }
        return new Batch(
                rows.size(), rows.isEmpty() ? null : rows.getLast().id().value(), written, refused);
    }

    private static Refusal refusal(RowId id, RecordsProblem problem) {
        return new Refusal(
                id.toString(),
                problem.fields().isEmpty()
                        ? problem.detail()
                        : problem.fields().getFirst().message());
    }

    void sweep() {
        RetentionSweep.run(limit -> db.inTransaction(
                tx -> store.deleteRows(tx, clock.instant().minus(BulkEdit.UNDOABLE_FOR.plusDays(1)), limit)));
        db.useTransaction(tx -> store.deleteOld(tx, clock.instant().minus(KEPT_FOR)));
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        }
        if (sweep != null) {
            sweep.close();
        }
    }
}
