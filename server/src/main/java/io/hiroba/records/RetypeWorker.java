package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.AttributeConversion.Step;
import io.hiroba.records.RetypeStore.Claim;
import io.hiroba.records.Retypes.Job;
import io.hiroba.records.Retypes.State;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts the records of large schemas, on every node. A node claims a change with a lease; each batch of records is converted in
 * a transaction that renews the claim and stores how far it came. Meanwhile whoever writes a record converts its value as well, so
 * that all are converted when the names are exchanged.
 */
final class RetypeWorker implements AutoCloseable {

    private static final int MAX_ATTEMPTS = 5;

    /** Much longer than a batch takes. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** The pause after a transient failure. */
    private static final Duration RETRY_DELAY = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(RetypeWorker.class);

    private final Db db;
    private final Clock clock;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final WakeSignal started;
    private final Faults faults;
    private final AttributeConversion conversion;
    private final SchemaStore schemas = new SchemaStore();
    private final RetypeStore store = new RetypeStore();
    private @Nullable WorkLoop loop;
    private volatile boolean closing;

    /** @param started raised when a change was started */
    RetypeWorker(Db db, Clock clock, Projects projects, SchemaCatalog catalog, WakeSignal started) {
        this(db, clock, projects, catalog, started, job -> {});
    }

    /** The same with points at which tests kill or suspend a node. */
    RetypeWorker(Db db, Clock clock, Projects projects, SchemaCatalog catalog, WakeSignal started, Faults faults) {
        this.db = db;
        this.clock = clock;
        this.projects = projects;
        this.catalog = catalog;
        this.started = started;
        this.faults = faults;
        this.conversion = new AttributeConversion(new SchemaChanges(db, clock, catalog, new EventLog())::complete);
    }

    /** Points at which tests kill or suspend a node. */
    @FunctionalInterface
    interface Faults {

        /** A batch, or the exchange of the names, is written but not committed: a crash here must leave nothing of it. */
        void written(Job job);

        /** A batch is committed: a node suspended here may lose the claim. */
        default void committed(Job job) {}
    }

    /** The change was cancelled, or another node has taken over the claim. */
    private static final class ClaimLost extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ClaimLost() {
            super("another node has it", null, false, false);
        }
    }

    RetypeWorker start() {
        loop = WorkLoop.whenSignalled("changes of types", 1, started, WorkLoop.FALLBACK_POLL, this::runNext);
        return this;
    }

    /** Makes the unclaimed changes one by one. */
    void runAll() {
        while (runNext()) {
            // runNext does the work.
        }
    }

    private boolean runNext() {
        var claim = closing ? Optional.<Claim>empty() : db.inTransaction(tx -> store.claim(tx, LEASE));
        claim.ifPresent(this::process);
        return claim.isPresent();
    }

    private void process(Claim claim) {
        var tables =
                db.read(reads -> projects.find(reads, claim.job().project())).map(Project::tables);
        if (tables.isEmpty()) {
            return;
        }
        if (claim.attempts() > MAX_ATTEMPTS) {
            fail(claim, tables.get(), Text.of("records.retype.failed", "times", MAX_ATTEMPTS));
            return;
        }
        try {
            convert(claim, tables.get());
        } catch (ClaimLost e) {
            LOG.info(
                    "The change of a type {} was cancelled, or another node goes on with it",
                    claim.job().id());
        } catch (Problem e) {
            fail(
                    claim,
                    tables.get(),
                    e.fields().isEmpty() ? e.detail() : e.fields().getFirst().message());
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

    private void convert(Claim claim, ProjectTables tables) {
        var step = new Step(claim.job().progress(), claim.job().failures(), false);
        while (!step.isLast()) {
            if (closing) {
                db.useTransaction(tx -> store.release(tx, claim));
                return;
            }
            var before = step;
            step = db.inTransaction(tx -> convert(tx, claim, tables, before));
            faults.committed(claim.job());
        }
        db.useTransaction(tx -> {
            schemas.lockNames(tx, tables);
            schemas.lock(tx, tables, claim.job().schema());
            renew(tx, claim);
            conversion.finish(tx, tables, claim.job(), clock.instant().truncatedTo(ChronoUnit.MICROS));
            faults.written(claim.job());
        });
        catalog.invalidate(tables);
    }

    private Step convert(Tx tx, Claim claim, ProjectTables tables, Step before) {
        store.letOthersGoFirst(tx, tables);
        // Before the claim, as whoever cancels takes them.
        schemas.lockVersion(tx, tables, claim.job().schema());
        renew(tx, claim);
        var step = conversion.convert(tx, tables, claim.job(), before);
        store.advance(tx, claim.job().id(), step.progress(), step.failures());
        faults.written(claim.job());
        return step;
    }

    private void renew(Tx tx, Claim claim) {
        if (!store.renew(tx, claim, LEASE)) {
            throw new ClaimLost();
        }
    }

    private void fail(Claim claim, ProjectTables tables, Text failure) {
        boolean failed = db.inTransaction(tx -> {
            schemas.lockNames(tx, tables);
            schemas.lock(tx, tables, claim.job().schema());
            if (!store.renew(tx, claim, LEASE)) {
                return false;
            }
            store.end(tx, claim.job(), State.FAILED, failure, clock.instant().truncatedTo(ChronoUnit.MICROS));
            schemas.incrementVersion(tx, tables, claim.job().schema());
            return true;
        });
        if (failed) {
            catalog.invalidate(tables);
            conversion.deleteValues(db, tables, claim.job());
        }
    }

    /** Finishes the current batch; other nodes, or this one after a restart, go on. */
    @Override
    public void close() {
        closing = true;
        if (loop != null) {
            loop.close();
        }
    }
}
