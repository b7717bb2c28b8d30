package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.GroupCommit;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.call.StepCaller;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.WorkflowLookup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on sagas on this node. One that is started here is worked on here at once; one that has to wait belongs to nobody
 * and is claimed by any node when it is due. Each has a virtual thread while it is worked on, and none while it waits.
 */
public final class Engine implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);
    private static final int CLAIMED_AT_ONCE = 50;
    private static final int STARTED_AT_ONCE = 200;
    static final Duration DRAIN = Duration.ofSeconds(30);

    private final Db db;
    private final SagaConfig config;
    private final UuidV7 ids;
    private final FaultInjector faults;
    private final ClaimStore store = new ClaimStore();
    private final WakeTimer alarm = new WakeTimer();
    private final AtomicInteger running = new AtomicInteger();

    /** How many drivers of a saga there are: one that lost it may still be at work when it comes back. */
    private final Map<SagaId, Integer> inHand = new ConcurrentHashMap<>();

    private final NodeLease lease;
    private final Journal journal;
    private final Recovery recovery;
    private final Claimer claims;
    private final Driver driver;
    private final GroupCommit<SagaStart, Optional<Long>> starts;
    private final Thread claimer;
    private volatile boolean isOpen;
    private volatile boolean stopping;

    /**
     * What the engine works with.
     *
     * @param leases connections that nothing else holds, so that a busy node is not taken for dead
     * @param changed is told of each saga that this node has taken further; it must neither wait nor throw
     */
    public record Parts(
            Db db,
            Db leases,
            InstantSource clock,
            IdGenerator ids,
            WorkflowLookup definitions,
            StepCaller caller,
            Consumer<SagaId> changed) {

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
        lease = new NodeLease(parts.leases(), parts.ids());
        journal = new Journal(db, parts.changed());
        driver = new Driver(journal, new StepInvoker(parts.caller(), lease, faults), alarm, () -> stopping, faults);
        claims = new Claimer(db, store, parts.definitions());
        recovery = new Recovery(db, store, lease, alarm, faults, inHand::containsKey);
        starts = new GroupCommit<>("saga starts", 1, STARTED_AT_ONCE, this::insert);
        claimer = Thread.ofVirtual().name("saga claimer").unstarted(this::claimDue);
    }

    /** Begins to work on sagas. */
    public Engine open() {
        lease.open();
        recovery.open();
        claimer.start();
        isOpen = true;
        return this;
    }

    /** Starts a saga and returns once it is durable; it is worked on in the background. */
    public SagaId start(NewSaga saga, Workflow workflow) {
        var beginning = new SagaStart(new SagaId(ids.next()), saga, workflow);
        begin(beginning, starts.write(beginning).orElse(null));
        return beginning.id();
    }

    /** Starts a saga in the caller's transaction; it is worked on once that is committed. */
    public SagaId start(Tx tx, NewSaga saga, Workflow workflow) {
        var beginning = new SagaStart(new SagaId(ids.next()), saga, workflow);
        var owner = owner(1);
        store.insert(tx, List.of(beginning), owner);
        tx.afterCommit(() -> begin(beginning, owner));
        return beginning.id();
    }

    /** Looks at once whether a saga is due. */
    public void wake() {
        alarm.ring();
    }

    /** Who works on each; where the answer gets lost, {@link Recovery} finds what is there all the same. */
    private List<Optional<Long>> insert(List<SagaStart> beginnings) {
        var owner = Optional.ofNullable(owner(beginnings.size()));
        return db.inStatement(statement -> {
            store.insert(statement, beginnings, owner.orElse(null));
            return Collections.nCopies(beginnings.size(), owner);
        });
    }

    /** Who is to work on so many more sagas: this node, if it has room, or anybody. */
    private @Nullable Long owner(int more) {
        return isOpen && !stopping && running.get() + more <= config.concurrency() ? Long.valueOf(lease.node()) : null;
    }

    private void begin(SagaStart beginning, @Nullable Long owner) {
        faults.at(FaultInjector.Point.STARTED);
        if (owner == null) {
            alarm.ring();
            return;
        }
        long now = System.nanoTime();
        var total = beginning.workflow().totalTimeout();
        launch(new SagaProgress(
                new ClaimedSaga(
                        beginning.id(),
                        owner,
                        1,
                        beginning.workflow().name(),
                        beginning.workflow().version(),
                        SagaStatus.STARTED,
                        null,
                        false,
                        beginning.saga().payload(),
                        beginning.saga().traceparent(),
                        now,
                        total == null ? null : now + total.toNanos(),
                        0,
                        Map.of(),
                        List.of()),
                beginning.workflow()));
    }

    private void launch(SagaProgress progress) {
        running.incrementAndGet();
        inHand.merge(progress.id(), 1, Integer::sum);
        Thread.ofVirtual().name("saga " + progress.id()).start(() -> drive(progress));
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
            log.warn("saga {} could not be taken further", progress.id(), e);
            clean = setAside(progress, e);
        } finally {
            if (!clean) {
                recovery.abandon(progress.id(), progress.saga().fence());
            }
            inHand.computeIfPresent(progress.id(), (id, drivers) -> drivers == 1 ? null : drivers - 1);
            if (running.getAndDecrement() >= config.concurrency()) {
                alarm.ring();
            }
        }
    }

    /** What fails for a reason that stays would fail for ever; what fails because the database was away goes on later. */
    private boolean setAside(SagaProgress progress, RuntimeException e) {
        if (stopping || (e instanceof DbException && SqlState.isTransient(e))) {
            return false;
        }
        try {
            driver.setAside(progress.saga(), true, "It could not go on; the log says why.");
            return true;
        } catch (RuntimeException again) {
            log.warn("saga {} could not be set aside", progress.id(), again);
            return false;
        }
    }

    private void claimDue() {
        while (!stopping) {
            try {
                int room = Math.min(CLAIMED_AT_ONCE, config.concurrency() - running.get());
                int taken = room > 0 ? claim(room) : 0;
                if (room <= 0 || taken < room) {
                    alarm.await(config.poll());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) { // nobody would begin again
                log.warn("no saga could be claimed; trying again", e);
                LockSupport.parkNanos(config.poll().toNanos());
            }
        }
    }

    private int claim(int room) {
        var claimed = claims.take(lease.node(), room);
        if (!claimed.isEmpty()) {
            faults.at(FaultInjector.Point.CLAIMED);
        }
        for (var each : claimed) {
            switch (each) {
                case Claimer.Ready ready -> launch(ready.progress());
                case Claimer.Poison poison -> driver.setAside(poison.saga(), false, poison.reason());
            }
        }
        return claimed.size();
    }

    /** Lets the steps under way end, for up to {@link #DRAIN}; what is left goes to other nodes, or waits for the next start. */
    @Override
    public void close() {
        close(DRAIN);
    }

    void close(Duration drain) {
        stopping = true;
        alarm.ring();
        long end = System.nanoTime() + drain.toNanos();
        try {
            claimer.join();
            starts.close();
            while (running.get() > 0 && System.nanoTime() - end < 0) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (running.get() > 0) {
            log.warn("{} sagas were at work when the time to stop was over", running.get());
        }
        journal.close();
        recovery.close();
        lease.close();
    }
}
