package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.GroupCommit;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.call.StepCaller;
import io.hiroba.saga.engine.ClaimStore.SagaStart;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.WorkflowLookup;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Runs sagas on this node. A saga that is started here runs here at once; one that has to wait has no owner and is claimed
 * by any node when it is due. Each has a virtual thread while it runs, and none while it waits.
 */
public final class Engine implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);
    private static final Duration CLAIM_AGAIN = Duration.ofMillis(250);
    private static final int CLAIM_BATCH_SIZE = 50;
    private static final int START_BATCH_SIZE = 200;
    static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);

    private final Db db;
    private final SagaConfig config;
    private final UuidV7 ids;
    private final FaultInjector faults;
    private final ClaimStore store;
    private final SagaSpans spans;
    private final WakeSignal wakeSignal = new WakeSignal();
    private final AtomicInteger running = new AtomicInteger();

    /** The number of drivers of each saga: one that lost the saga may still run when the saga comes back. */
    private final Map<SagaId, Integer> driven = new ConcurrentHashMap<>();

    private final SagaMetrics metrics;
    private final NodeLease lease;
    private final Journal journal;
    private final Recovery recovery;
    private final Claimer claimer;
    private final Places places;
    private final Driver driver;
    private final GroupCommit<SagaStart, Optional<Long>> starts;
    private @Nullable WorkLoop claimLoop;
    private volatile boolean isOpen;
    private volatile boolean stopping;

    /** Whether more sagas may be due than this node has room for: new ones queue behind them then. */
    private volatile boolean behind;

    /**
     * The collaborators of the engine.
     *
     * @param leases a pool for leases alone, so that a busy node does not lose its own
     * @param changed called for each saga that this node has changed; it must neither block nor throw
     */
    public record Parts(
            Db db,
            Db leases,
            InstantSource clock,
            IdGenerator ids,
            WorkflowLookup definitions,
            StepCaller caller,
            Consumer<SagaId> changed,
            MeterRegistry meters,
            Tracing tracing) {

        public Parts(
                Db db,
                Db leases,
                InstantSource clock,
                IdGenerator ids,
                WorkflowLookup definitions,
                StepCaller caller,
                Consumer<SagaId> changed) {
            this(db, leases, clock, ids, definitions, caller, changed, new CompositeMeterRegistry(), Tracing.OFF);
        }

        public Parts(Db db, InstantSource clock, IdGenerator ids, WorkflowLookup definitions, StepCaller caller) {
            this(db, clock, ids, definitions, caller, id -> {});
        }

        public Parts(
                Db db,
                InstantSource clock,
                IdGenerator ids,
                WorkflowLookup definitions,
                StepCaller caller,
                Consumer<SagaId> changed) {
            this(db, db, clock, ids, definitions, caller, changed);
        }
    }

    public Engine(Parts parts, SagaConfig config) {
        this(parts, config, FaultInjector.NONE);
    }

    public Engine(Parts parts, SagaConfig config, FaultInjector faults) {
        this.db = parts.db();
        this.config = config;
        this.faults = faults;
        ids = new UuidV7(parts.clock());
        store = new ClaimStore(parts.tracing());
        spans = new SagaSpans(parts.tracing());
        lease = new NodeLease(parts.leases(), parts.ids());
        journal = new Journal(db, parts.changed(), parts.tracing());
        metrics = new SagaMetrics(parts.meters(), running);
        places = new Places(db, parts.definitions(), wakeSignal, config.poll());
        driver = new Driver(
                journal,
                new Driver.Workers(
                        new StepInvoker(parts.caller(), lease, faults),
                        new ApprovalRequests(db, parts.ids(), parts.clock(), faults),
                        new ChildSteps(db, parts.definitions(), ids),
                        new TaskExecution(db)),
                wakeSignal,
                places,
                () -> stopping,
                faults,
                metrics);
        claimer = new Claimer(db, store, parts.definitions());
        recovery = new Recovery(db, store, lease, wakeSignal, faults, driven::containsKey);
        starts = new GroupCommit<>("saga starts", 1, START_BATCH_SIZE, this::insert);
    }

    /** Starts running sagas. */
    public Engine open() {
        lease.open();
        recovery.open();
        places.open();
        claimLoop = WorkLoop.whenSignalled("saga claimer", 1, wakeSignal, config.poll(), this::claimDue);
        isOpen = true;
        return this;
    }

    /** Starts a saga and returns once it is durable; it runs in the background. */
    public SagaId start(NewSaga saga, Workflow workflow) {
        var start = ready(saga, workflow);
        begin(start, SagaSpans.commit(() -> starts.write(start)).orElse(null));
        return start.id();
    }

    /** Starts a saga in the caller's transaction; it runs once that is committed. */
    public SagaId start(Tx tx, NewSaga saga, Workflow workflow) {
        var start = ready(saga, workflow);
        var owner = workflow.isLimited() ? null : owner(1);
        store.insert(tx, List.of(start), owner);
        tx.afterCommit(() -> begin(start, owner));
        return start.id();
    }

    /** Wakes {@code parent}, whose row is locked: a child of it was ended by hand. */
    public void childEnded(Tx tx, SagaId parent) {
        new ChildStore().wake(tx, List.of(parent));
    }

    /** Replaces the search attributes of a saga, whose row is locked, by those that its new payload makes. */
    public void changeAttributes(Tx tx, SagaId id, Workflow workflow, JsonNode payload) {
        AttributeStore.replace(tx, id, AttributeStore.AttributeValue.required(id, workflow, payload));
    }

    /** Has a saga go on that was moved to another version of its workflow, whose limit may be another. */
    public void moved(String workflow) {
        places.look(workflow);
        wakeSignal.raise();
    }

    /** Counts a saga that an operator has ended. */
    public void endedByHand(String workflow, SagaStatus status) {
        metrics.ended(workflow, status);
        places.look(workflow);
    }

    /** A saga that {@link #startAll} can start. */
    public static final class Start {
        private final SagaStart start;

        private Start(SagaStart start) {
            this.start = start;
        }
    }

    /** Makes a saga ready to be started with others; throws what would refuse it alone. */
    public Start prepare(NewSaga saga, Workflow workflow) {
        return new Start(ready(saga, workflow));
    }

    private SagaStart ready(NewSaga saga, Workflow workflow) {
        return new SagaStart(new SagaId(ids.next()), spans.started(saga), workflow);
    }

    /**
     * Starts sagas in the caller's transaction, all with one statement; any node claims them once that is committed, this one when it
     * is told to {@link #wake}.
     */
    public List<SagaId> startAll(Tx tx, List<Start> starts) {
        if (starts.isEmpty()) {
            return List.of();
        }
        var all = starts.stream().map(each -> each.start).toList();
        store.insert(tx, all, null);
        tx.afterCommit(() -> all.forEach(start -> places.look(start.workflow())));
        return all.stream().map(SagaStart::id).toList();
    }

    /**
     * Claims due sagas at once, without waiting for the next poll; and soon once more, since a claim passes over one that somebody looks at
     * just then.
     */
    public void wake() {
        wakeSignal.raise();
        wakeSignal.raiseAlsoIn(CLAIM_AGAIN);
    }

    /** Returns the owner of each; if the answer is lost, {@link Recovery} finds the sagas. */
    private List<Optional<Long>> insert(List<SagaStart> batch) {
        var owner = Optional.ofNullable(owner(batch.size()));
        return db.inStatement(statement -> {
            store.insert(statement, batch, owner.orElse(null));
            return batch.stream()
                    .map(start -> start.workflow().isLimited() ? Optional.<Long>empty() : owner)
                    .toList();
        });
    }

    /** The owner of {@code more} sagas: this node if it has room and nothing waits for that, else none. */
    private @Nullable Long owner(int more) {
        return isOpen && !stopping && !behind && running.get() + more <= config.concurrency()
                ? Long.valueOf(lease.node())
                : null;
    }

    private void begin(SagaStart start, @Nullable Long owner) {
        metrics.started(start.workflow().name());
        faults.at(FaultInjector.Point.STARTED);
        if (owner == null) {
            wakeSignal.raise();
            places.look(start.workflow());
            return;
        }
        long now = System.nanoTime();
        var total = start.workflow().totalTimeout();
        launch(new SagaProgress(
                new ClaimedSaga(
                        start.id(),
                        owner,
                        1,
                        start.workflow().name(),
                        start.workflow().version(),
                        SagaStatus.RUNNING,
                        null,
                        false,
                        start.saga().payload(),
                        start.saga().traceparent(),
                        now,
                        total == null ? null : now + total.toNanos(),
                        0,
                        Map.of(),
                        List.of(),
                        null,
                        null,
                        List.of()),
                start.workflow()));
    }

    private void launch(SagaProgress progress) {
        running.incrementAndGet();
        driven.merge(progress.id(), 1, Integer::sum);
        Thread.ofVirtual()
                .name("saga " + progress.id())
                .start(() -> spans.drive(progress).run(() -> drive(progress)));
    }

    private void drive(SagaProgress progress) {
        boolean clean = false;
        try {
            driver.drive(progress);
            clean = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StepInvoker.LeaseEnded e) {
            log.info("saga {} is left to another node", progress.id());
        } catch (RuntimeException e) {
            log.warn("saga {} failed", progress.id(), e);
            TraceSpan.current().fail(e.getClass().getSimpleName());
            clean = markStuck(progress, e);
        } finally {
            if (!clean) {
                recovery.abandon(progress.id(), progress.saga().fence());
            }
            driven.computeIfPresent(progress.id(), (id, drivers) -> drivers == 1 ? null : drivers - 1);
            if (running.getAndDecrement() >= config.concurrency()) {
                wakeSignal.raise();
            }
        }
    }

    /** A permanent failure would repeat for ever, so the saga is marked as stuck; a transient one is retried later. */
    private boolean markStuck(SagaProgress progress, RuntimeException e) {
        if (stopping || (e instanceof DbException && SqlState.isTransient(e))) {
            return false;
        }
        try {
            driver.markStuck(progress.saga(), true, Text.of("saga.journal.unexpected"));
            return true;
        } catch (RuntimeException again) {
            log.warn("saga {} could not be marked as stuck", progress.id(), again);
            return false;
        }
    }

    /** Claims due sagas as far as there is room; whether there may be more. */
    private boolean claimDue() {
        int room = Math.min(CLAIM_BATCH_SIZE, config.concurrency() - running.get());
        if (room <= 0) {
            behind = true;
            return false;
        }
        claim(room);
        return behind;
    }

    private void claim(int room) {
        var claimed = claimer.claim(lease.node(), room);
        behind = claimed.size() == room;
        if (!claimed.isEmpty()) {
            claimed.forEach(each -> metrics.claimed(each.late()));
            faults.at(FaultInjector.Point.CLAIMED);
        }
        for (var each : claimed) {
            switch (each) {
                case Claimer.Ready ready -> launch(ready.progress());
                case Claimer.Poison poison -> driver.markStuck(poison.saga(), false, poison.reason());
            }
        }
    }

    /** Lets running steps end, for up to {@link #DRAIN_TIMEOUT}; other nodes, or the next start, claim the rest. */
    @Override
    public void close() {
        close(DRAIN_TIMEOUT);
    }

    void close(Duration drain) {
        stopping = true;
        long end = System.nanoTime() + drain.toNanos();
        if (claimLoop != null) {
            claimLoop.close();
        }
        places.close();
        starts.close();
        try {
            while (running.get() > 0 && System.nanoTime() - end < 0) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (running.get() > 0) {
            log.warn("{} sagas were still running after the drain timeout", running.get());
        }
        journal.close();
        recovery.close();
        lease.close();
    }
}
