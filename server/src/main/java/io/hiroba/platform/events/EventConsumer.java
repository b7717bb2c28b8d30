package io.hiroba.platform.events;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog.Appended;
import io.hiroba.platform.events.EventStore.Claim;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.trace.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer of the event log on this node: its workers claim partitions, handle their events and advance the cursors, all
 * in one transaction.
 *
 * <p>The claim is the lock on the cursor's row. It needs no lease table and no clock: it ends with the transaction,
 * whether that commits, its process dies or PostgreSQL ends it as idle, and a worker that lost it cannot commit.
 */
final class EventConsumer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EventConsumer.class);
    /** Enough that a batch is worth its commit, and few enough that other workers and nodes find some too. */
    private static final int MAX_PARTITIONS_PER_BATCH = 32;

    /** The pause after which partitions behind an open transaction are looked at again; twice as long while that one stays open. */
    private static final Duration HORIZON_DELAY = Duration.ofMillis(10);

    private static final Duration MAX_HORIZON_DELAY = Duration.ofMillis(160);

    /** The pause between batches of a few partitions: nothing when all is quiet, and many commits a batch when it is not. */
    private static final Duration PACE = Duration.ofMillis(20);

    /** How long a suspect partition that another worker has is left to it. */
    private static final Duration SUSPECT_DELAY = Duration.ofMillis(500);

    /** About the longest that a batch takes: all consumers wait for the events that it appends itself. */
    private static final Duration BATCH_TIME = Duration.ofMillis(500);

    /** Smaller ones would be little but their claim and their commit. */
    private static final int MIN_BATCH_SIZE = 20;

    /** A batch of a partition that is retried alone is this many times smaller. */
    private static final int SPLIT_FACTOR = 20;

    private final Db db;
    private final EventStore store;
    private final String name;
    private final EventHandler handler;
    private final EventsConfig config;
    private final Tracing tracing;
    private final PartitionHealth health = new PartitionHealth();
    private final PartitionSignal signal = new PartitionSignal(PACE);
    private final WorkLoop workers;

    /** As many events as were handled in {@link #BATCH_TIME} lately. */
    private volatile int batchSize;

    private volatile long lastHorizon;
    private volatile Duration horizonDelay = HORIZON_DELAY;
    private volatile boolean closing;

    EventConsumer(Db db, EventStore store, String name, EventHandler handler, EventsConfig config, Tracing tracing) {
        this.tracing = tracing;
        this.db = db;
        this.store = store;
        this.name = name;
        this.handler = handler;
        this.config = config;
        this.batchSize = Math.min(MIN_BATCH_SIZE, config.batchSize());
        db.useTransaction(tx -> store.register(tx, name));
        this.workers =
                WorkLoop.whenSignalled("events " + name, config.workers(), signal.wake(), config.poll(), this::work);
    }

    boolean isAffectedBy(Appended events) {
        return events.type() == null || handler.isAffectedBy(events.type());
    }

    /** Wakes it for those of {@code appended} that change something for it; false if there are none. */
    boolean wakeFor(Collection<Appended> appended) {
        var partitions = appended.stream()
                .filter(this::isAffectedBy)
                .map(Appended::partition)
                .collect(Collectors.toSet());
        wake(partitions);
        return !partitions.isEmpty();
    }

    void wake(Set<Integer> partitions) {
        if (!partitions.isEmpty()) {
            signal.raise(partitions);
        }
    }

    /** Handles the events of the signalled partitions; false when none is signalled. */
    private boolean work() {
        var partitions = signal.take(MAX_PARTITIONS_PER_BATCH);
        try {
            while (!closing && runBatch(partitions)) {
                // A batch may have left events of the same partitions.
            }
        } finally {
            signal.release(partitions);
        }
        return !partitions.isEmpty();
    }

    /** Handles one batch out of {@code candidates}; false when they have nothing more to do. */
    private boolean runBatch(Set<Integer> candidates) {
        var attempt = health.select(candidates, Instant.now());
        if (attempt.partitions().isEmpty()) {
            return false;
        }
        var claimed = new AtomicReference<List<Claim>>(List.of());
        try {
            var outcome = db.inTransaction(tx -> handleBatch(tx, attempt, claimed));
            boolean worked = outcome != BatchOutcome.NOTHING;
            if (attempt.alone() && !worked) {
                // The other candidates are waiting.
                health.postpone(attempt.partitions(), Instant.now().plus(SUSPECT_DELAY));
                return true;
            }
            health.succeeded(claimed.get().stream().map(Claim::partition).toList());
            return worked && (outcome == BatchOutcome.FULL || attempt.alone());
        } catch (Throwable e) {
            var partitions = claimed.get().stream().map(Claim::partition).toList();
            if (partitions.isEmpty()) {
                throw e;
            }
            boolean passing = e instanceof DbException && SqlState.isTransient(e);
            var pause = health.failed(partitions, Instant.now(), passing);
            if (!pause.isZero()) {
                signal.raiseIn(pause, partitions);
                log.error("{} failed on partition {}; next try in {}", name, partitions, pause, e);
            }
            return true;
        }
    }

    private enum BatchOutcome {
        NOTHING,
        ALL_HANDLED,
        FULL
    }

    private BatchOutcome handleBatch(Tx tx, PartitionHealth.Attempt attempt, AtomicReference<List<Claim>> claimed) {
        claimed.set(List.of());
        int max = attempt.alone() ? 1 : MAX_PARTITIONS_PER_BATCH;
        var claim = store.claim(tx, name, attempt.partitions(), max, config.stall());
        var claims = claim.claims();
        claimed.set(claims);
        if (claim.horizon() < claim.drawn()) {
            // The signalled events may be behind the horizon of an open transaction, whose end signals only its own.
            signal.raiseIn(horizonDelay(claim.horizon()), attempt.partitions());
        }
        if (claims.isEmpty()) {
            return BatchOutcome.NOTHING;
        }
        // A batch that was too large may pass in parts.
        int limit = attempt.alone() ? Math.max(1, batchSize / SPLIT_FACTOR) : batchSize;
        long begun = System.nanoTime();
        var events = store.read(tx, claims, claim.horizon(), limit);
        if (!events.isEmpty()) {
            BatchSpans.begin(tracing, name, handler, events).run(tx, () -> {
                handler.handle(tx, events);
                store.advance(tx, name, reached(events));
            });
            fitBatchSize(events.size(), System.nanoTime() - begun);
        }
        return events.size() < limit ? BatchOutcome.ALL_HANDLED : BatchOutcome.FULL;
    }

    private Duration horizonDelay(long horizon) {
        var longer = horizonDelay.multipliedBy(2);
        horizonDelay = horizon != lastHorizon
                ? HORIZON_DELAY
                : longer.compareTo(MAX_HORIZON_DELAY) < 0 ? longer : MAX_HORIZON_DELAY;
        lastHorizon = horizon;
        return horizonDelay;
    }

    /** By what {@code events} took; one that was too small for the time becomes twice as large at most. */
    private void fitBatchSize(int events, long nanos) {
        long fitting = BATCH_TIME.toNanos() * events / Math.max(1, nanos);
        int largest = Math.min(config.batchSize(), Math.max(batchSize, 2 * events));
        batchSize = Math.clamp(fitting, Math.min(MIN_BATCH_SIZE, largest), largest);
    }

    private static List<Claim> reached(List<Event> events) {
        var last = new LinkedHashMap<Integer, Long>();
        events.forEach(event -> last.merge(event.partition(), event.id(), Math::max));
        return last.entrySet().stream()
                .map(entry -> new Claim(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** The age of the oldest event that is not handled yet. */
    Duration lag() {
        return db.read(reads -> store.oldestWaiting(reads, name))
                .map(id -> Duration.between(Ids.createdAt(id), Instant.now()))
                .filter(lag -> !lag.isNegative())
                .orElse(Duration.ZERO);
    }

    /** Lets running batches finish. */
    @Override
    public void close() {
        closing = true;
        workers.close();
    }
}
