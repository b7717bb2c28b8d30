package io.hiroba.records.transfer;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.transfer.Import.Progress;
import io.hiroba.records.transfer.ImportStore.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs imports, on every node. A node claims one with a lease; each chunk of records is written in a transaction that
 * first renews the claim and last stores the progress. A node that dies leaves whole chunks, and another continues
 * after them. One that was suspended finds its claim lost and writes nothing.
 */
public final class ImportWorker implements AutoCloseable {

    static final int CHUNK_LINES = 2_000;
    private static final int CHUNK_BYTES = 2 << 20;
    private static final int MAX_ERRORS = 1_000;
    private static final int MAX_ATTEMPTS = 5;
    private static final int WORKERS = 2;

    /** Much longer than a chunk takes. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** The pause of an import after a transient failure. */
    private static final Duration RETRY_DELAY = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(ImportWorker.class);

    private final Db db;
    private final Users users;
    private final Projects projects;
    private final ImportChunkWriter writer;
    private final Duration lease;
    private final Faults faults;
    private final ImportStore store = new ImportStore();
    private final ImportContentStore content = new ImportContentStore();
    private final WakeSignal started;
    private @Nullable WorkLoop loop;
    private volatile boolean closing;

    /** @param started raised when an import was started */
    public ImportWorker(Db db, Users users, Projects projects, ImportChunkWriter writer, WakeSignal started) {
        this(db, users, projects, writer, started, LEASE, chunk -> {});
    }

    ImportWorker(
            Db db,
            Users users,
            Projects projects,
            ImportChunkWriter writer,
            WakeSignal started,
            Duration lease,
            Faults faults) {
        this.db = db;
        this.users = users;
        this.projects = projects;
        this.writer = writer;
        this.started = started;
        this.lease = lease;
        this.faults = faults;
    }

    /** Points at which tests kill or suspend a node. */
    @FunctionalInterface
    interface Faults {

        /** A chunk is written but not committed: a crash here must leave nothing of it. */
        void written(Import work);

        /** A chunk is committed: a node suspended here may lose the claim. */
        default void committed(Import work) {}
    }

    /** Another node has taken over the claim. */
    private static final class ClaimLost extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ClaimLost() {
            super("another node has it", null, false, false);
        }
    }

    public ImportWorker start() {
        loop = WorkLoop.whenSignalled("imports", WORKERS, started, WorkLoop.FALLBACK_POLL, this::runNext);
        return this;
    }

    /** Runs the unclaimed imports one by one. */
    void runAll() {
        while (runNext()) {
            // runNext does the work.
        }
    }

    /** Runs an unclaimed import; false if there is none. */
    private boolean runNext() {
        var claim = closing ? Optional.<Claim>empty() : db.inTransaction(tx -> store.claim(tx, lease));
        claim.ifPresent(this::process);
        return claim.isPresent();
    }

    private void process(Claim claim) {
        if (claim.attempts() > MAX_ATTEMPTS) {
            end(claim, ImportState.FAILED, Text.of("records.transfer.failed", "times", MAX_ATTEMPTS));
            return;
        }
        try {
            read(claim);
        } catch (ClaimLost e) {
            LOG.info(
                    "The import {} was cancelled, or another node goes on with it",
                    claim.work().id());
        } catch (Problem e) {
            if (e.code().equals(RecordsProblem.contended().code())) {
                db.useTransaction(tx -> store.postpone(tx, claim, RETRY_DELAY));
                started.raiseAlsoIn(RETRY_DELAY);
            } else {
                end(claim, ImportState.FAILED, e.detail());
            }
        } catch (MalformedFileException e) {
            end(claim, ImportState.FAILED, TransferProblem.broken(e).detail());
        } catch (RuntimeException e) {
            releaseForRetry(claim, e);
            throw e;
        }
    }

    /** Releases the claim after a failure, rather than letting the lease expire. */
    private void releaseForRetry(Claim claim, RuntimeException failure) {
        try {
            db.useTransaction(tx -> store.renew(tx, claim, RETRY_DELAY));
            started.raiseAlsoIn(RETRY_DELAY);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void read(Claim claim) {
        var heartbeat = new Heartbeat(claim);
        var stream = new ImportContentStream(db, claim.work().id(), heartbeat::renewIfDue);
        try (var lines = LineReader.of(stream, claim.work().options())) {
            read(claim, lines, stream, heartbeat);
        }
    }

    private void read(Claim claim, LineReader lines, ImportContentStream stream, Heartbeat heartbeat) {
        var progress = claim.work().progress();
        for (long i = 0; i < progress.position(); i++) {
            lines.next();
            heartbeat.renewIfDue();
        }
        while (true) {
            if (closing) {
                db.useTransaction(tx -> store.release(tx, claim));
                return;
            }
            var access = access(claim.work());
            var chunk = next(lines, stream, progress.line());
            var before = progress;
            writer.addOptions(db, access, claim.work(), chunk, tx -> renew(tx, claim));
            var after = db.inTransaction(tx -> write(tx, access, claim, chunk, before));
            faults.committed(claim.work());
            if (after.isEmpty()) {
                content.remove(db, claim.work().id());
                return;
            }
            progress = after.getFirst();
            heartbeat.renewed();
        }
    }

    /** Returns the progress; empty at the end of the file. */
    private List<Progress> write(
            Tx tx, ProjectAccess access, Claim claim, ImportChunkWriter.Chunk chunk, Progress before) {
        var work = claim.work();
        // Before the import, as whoever renames the schema takes them.
        var schema = writer.schema(tx, access, work);
        renew(tx, claim);
        var written = writer.write(tx, access, schema, work, chunk);
        var errors = new ArrayList<>(written.errors());
        boolean stops = !errors.isEmpty() && !work.options().skipErrors();
        if (!stops) {
            errors.addAll(chunk.broken());
        }
        var after = new Progress(
                before.position() + chunk.lines().size(),
                stops ? errors.getFirst().line() : chunk.line(),
                chunk.bytes(),
                before.rows() + written.rows(),
                before.errors()
                        + written.failedLines()
                        + (stops ? 0 : chunk.broken().size()));
        // Errors have their own numbers, since one line may have several.
        int kept = store.errorCount(tx, work.id());
        store.insertErrors(tx, work.id(), kept, errors.subList(0, Math.clamp(MAX_ERRORS - kept, 0, errors.size())));
        store.advance(tx, claim, after);
        if (stops || chunk.isLast()) {
            boolean failed = stops || !chunk.broken().isEmpty();
            store.end(
                    tx,
                    claim,
                    failed ? ImportState.FAILED : ImportState.DONE,
                    failed ? sentence(stops ? errors.getFirst() : chunk.broken().getFirst(), after) : null);
        }
        faults.written(work);
        return stops || chunk.isLast() ? List.of() : List.of(after);
    }

    private void renew(Tx tx, Claim claim) {
        if (!store.renew(tx, claim, lease)) {
            throw new ClaimLost();
        }
    }

    private static Text sentence(LineError error, Progress progress) {
        var reason = error.field().isEmpty()
                ? error.message()
                : Text.of("records.transfer.in-field", "field", error.field(), "message", error.message());
        return Text.of(
                "records.transfer.stopped",
                "line",
                Long.toString(error.line()),
                "error",
                reason,
                "rows",
                progress.rows());
    }

    private static ImportChunkWriter.Chunk next(LineReader lines, ImportContentStream stream, long line) {
        var read = new ArrayList<FileLine>();
        var broken = new ArrayList<LineError>();
        long from = lines.unpacked(stream.position());
        try {
            while (read.size() < CHUNK_LINES && lines.unpacked(stream.position()) - from < CHUNK_BYTES) {
                var next = lines.next();
                if (next.isEmpty()) {
                    break;
                }
                read.add(next.get());
            }
        } catch (MalformedFileException e) {
            broken.add(e.error());
        }
        long last = read.isEmpty() ? line : read.getLast().number();
        return new ImportChunkWriter.Chunk(
                lines.columns(), lines.unnamed(), read, last, lines.position(stream.position()), broken);
    }

    /** The creator must still have write access, which may be revoked while the import runs. */
    private ProjectAccess access(Import work) {
        boolean admin =
                users.find(work.by()).map(profile -> profile.user().admin()).orElse(false);
        return projects.access(new Caller(work.by(), admin, new Caller.ByServer(), null), work.project())
                .requireEditor();
    }

    private void end(Claim claim, ImportState state, Text failure) {
        boolean ended = db.inTransaction(tx -> store.end(tx, claim, state, failure));
        if (ended) {
            content.remove(db, claim.work().id());
        }
    }

    /** Renews the claim while a large part of the file is skipped. */
    private final class Heartbeat {

        private final Claim claim;
        private long last = System.nanoTime();

        Heartbeat(Claim claim) {
            this.claim = claim;
        }

        void renewed() {
            last = System.nanoTime();
        }

        void renewIfDue() {
            if (System.nanoTime() - last > lease.toNanos() / 4) {
                boolean holds = db.inTransaction(tx -> store.renew(tx, claim, lease));
                if (!holds) {
                    throw new ClaimLost();
                }
                renewed();
            }
        }
    }

    /** Finishes the current chunks; other nodes, or this one after a restart, continue. */
    @Override
    public void close() {
        closing = true;
        if (loop != null) {
            loop.close();
        }
    }
}
