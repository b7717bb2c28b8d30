package io.hiroba.accounts;

import io.hiroba.accounts.DataExport.PartProgress;
import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts, lists, hands out and deletes exports of people's own data, which {@link DataExportWorker} writes. */
final class DataExports {

    private static final Throttle.Limit DAILY = new Throttle.Limit(3, Duration.ofDays(1));
    private static final int DELETION_BATCH = 20;
    private static final Logger LOG = LoggerFactory.getLogger(DataExports.class);

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final Throttle throttle;
    private final Sessions sessions;
    private final AuditLog audit;
    private final ArchiveStorage storage;
    private final List<ExportPart> parts;
    private final WakeSignal started = new WakeSignal();
    private final WakeSignal deleted = new WakeSignal();
    private final DataExportStore store = new DataExportStore();

    DataExports(Platform platform, Sessions sessions, AuditLog audit, ArchiveStorage storage, List<ExportPart> parts) {
        this.db = platform.db();
        this.ids = platform.ids();
        this.clock = platform.clock();
        this.throttle = platform.throttle();
        this.sessions = sessions;
        this.audit = audit;
        this.storage = storage;
        this.parts = List.copyOf(parts);
    }

    /**
     * Starts an export of all that is the caller's; one at a time, and a few a day.
     *
     * @param password of the caller; empty if their session was confirmed lately
     */
    DataExport start(Caller caller, String password) {
        requireOwner(caller);
        var confirmation = sessions.confirm(caller, password);
        // Before the use is counted: a start that is refused is none.
        db.useTransaction(confirmation::require);
        var use = throttle.reserve("export:" + caller.user().hex(), DAILY);
        use.verdict().orThrow();
        var progress = parts.stream()
                .map(part -> new PartProgress(part.name(), 0, false))
                .toList();
        var token = caller.via() instanceof Caller.ByToken by ? by.id() : null;
        var export = new DataExport(
                new DataExport.Id(ids.next()), caller.user(), token, DataExport.State.RUNNING, progress, null, null, 0);
        boolean inserted = db.inTransaction(tx -> {
            confirmation.require(tx);
            boolean isFirst = store.insert(tx, export);
            if (isFirst) {
                audit.record(tx, caller, AuditLog.Action.DATA_EXPORTED, AuditLog.Target.of(caller.user()));
                tx.afterCommit(started::raise);
            }
            return isFirst;
        });
        if (!inserted) {
            use.takeBack().run();
            throw AccountsProblem.exportRunning();
        }
        return export;
    }

    /** The caller's exports, newest first; {@code before} is the last one seen. */
    List<DataExport> list(Caller caller, Optional<DataExport.Id> before, int limit) {
        long bound = before.map(DataExport.Id::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, caller.user(), bound, limit));
    }

    DataExport get(Caller caller, DataExport.Id id) {
        return db.read(reads -> store.find(reads, caller.user(), id)).orElseThrow(AccountsProblem::exportNotFound);
    }

    /** Cancels an export that is running, and deletes one that is not. */
    void delete(Caller caller, DataExport.Id id) {
        db.useTransaction(tx -> {
            if (!store.delete(tx, caller.user(), id)) {
                throw AccountsProblem.exportNotFound();
            }
            tx.afterCommit(deleted::raise);
        });
    }

    /**
     * Opens the archive, for a session that was confirmed lately or the token that started the export. Any other token would
     * be a way around the password.
     */
    ArchiveStorage.Stored open(Caller caller, DataExport.Id id) {
        requireOwner(caller);
        var export = get(caller, id);
        boolean hasStartedIt =
                caller.via() instanceof Caller.ByToken by && by.id().equals(export.token());
        if (!hasStartedIt) {
            db.useTransaction(sessions.confirm(caller, "")::require);
        }
        if (export.state() != DataExport.State.READY) {
            throw AccountsProblem.exportNotReady();
        }
        try {
            return storage.get(DataExport.archive(id, export.fence())).orElseThrow(AccountsProblem::exportNotFound);
        } catch (AccountsProblem e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.warn("The archive of an export cannot be read", e);
            throw AccountsProblem.exportUnavailable();
        }
    }

    private static void requireOwner(Caller caller) {
        if (caller.acting()) {
            throw AccountsProblem.ownDataOnly();
        }
    }

    /** Deletes exports that have expired, and the archives of those that are gone. */
    void sweep() {
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteExpired(tx, clock.instant(), limit)));
        RetentionSweep.run(DELETION_BATCH, limit -> {
            var due = db.inTransaction(tx -> store.claimDeletions(tx, limit));
            for (var deletion : due) {
                for (int fence = 1; fence <= deletion.fence(); fence++) {
                    storage.delete(DataExport.archive(deletion.id(), fence));
                }
                db.useTransaction(tx -> store.finishDeletion(tx, deletion));
            }
            return due.size();
        });
    }

    List<ExportPart> parts() {
        return parts;
    }

    /** Raised when an export was started. */
    WakeSignal started() {
        return started;
    }

    /** Raised when an export was deleted. */
    WakeSignal deleted() {
        return deleted;
    }
}
