package io.hiroba.inbox.gitlab.deliveries;

import io.hiroba.inbox.InboxConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles deliveries, some at once on every node. Each is claimed, handled and marked in one transaction: a node that
 * dies in the middle leaves nothing behind, and another takes it.
 */
public final class DeliveryWorker implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DeliveryWorker.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PIPELINES_KEPT = Duration.ofDays(90);
    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15),
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            Duration.ofHours(2),
            Duration.ofHours(4));
    /** Rolled back in favour of another, and connections that were lost or ended. */
    private static final List<String> INNOCENT = List.of("40", "08", "57P");

    private static final int MOST_ATTEMPTS = 1 + PAUSES.size();
    private static final int SWEEP_BATCH = 1000;
    private static final int LONGEST_OUTCOME = 500;

    private final Db db;
    private final InstantSource clock;
    private final InboxConfig config;
    private final WakeSignal signal;
    private final DeliveryHandler handler;
    private final DeliveryMeters meters;
    private final DeliveryStore store = new DeliveryStore();
    private List<Thread> loops = List.of();
    private @Nullable WorkLoop retention;
    private volatile boolean closing;

    public DeliveryWorker(
            Db db,
            InstantSource clock,
            InboxConfig config,
            WakeSignal signal,
            DeliveryHandler handler,
            DeliveryMeters meters) {
        this.db = db;
        this.clock = clock;
        this.config = config;
        this.signal = signal;
        this.handler = handler;
        this.meters = meters;
    }

    public DeliveryWorker start() {
        loops = IntStream.range(0, config.workers())
                .mapToObj(n -> Thread.ofVirtual().name("deliveries " + n).start(this::loop))
                .toList();
        retention = WorkLoop.every(Duration.ofMinutes(10), "delivery retention", this::sweep);
        return this;
    }

    private void loop() {
        while (!closing) {
            long seen = signal.count();
            boolean more = false;
            try {
                more = workOne();
            } catch (Throwable e) { // an Error too: nobody would start the loop again
                log.warn("Deliveries cannot be worked on; trying again", e);
            }
            if (!more && !closing) {
                signal.await(seen, POLL);
            }
        }
    }

    /** Handles the one that has waited longest; false if none is due. */
    boolean workOne() {
        var claimed = new AtomicReference<@Nullable Call>();
        long begun = System.nanoTime();
        try {
            var outcome = db.<@Nullable Outcome>inTransaction(tx -> {
                claimed.set(null);
                var call = store.claim(tx, clock.instant());
                if (call.isEmpty()) {
                    return null;
                }
                claimed.set(call.get());
                var result = handler.handle(tx, call.get());
                var state = result instanceof Outcome.Handled ? DeliveryState.HANDLED : DeliveryState.IGNORED;
                store.end(tx, call.get().id(), state, fitting(result.text()), clock.instant());
                return result;
            });
            var call = claimed.get();
            if (outcome == null || call == null) {
                return false;
            }
            meters.ended(call.event(), outcome instanceof Outcome.Handled ? "handled" : "ignored", since(begun));
            return true;
        } catch (Throwable failure) {
            var call = claimed.get();
            if (call == null) {
                throw failure;
            }
            fail(call, failure, since(begun));
            return true;
        }
    }

    /** What went wrong with it was rolled back; others go first until it is due again. */
    private void fail(Call call, Throwable failure, Duration took) {
        var outcome = fitting(failure.getClass().getSimpleName() + ": " + failure.getMessage());
        boolean innocent = isInnocent(failure);
        boolean given = db.inTransaction(tx -> {
            var before = store.tries(tx, call.id());
            if (before.isEmpty()) {
                return false;
            }
            int attempts = before.get().attempts() + (innocent ? 0 : 1);
            if (attempts >= MOST_ATTEMPTS) {
                store.end(tx, call.id(), DeliveryState.FAILED, outcome, clock.instant());
                return true;
            }
            var pause = PAUSES.get(Math.min(before.get().putOff(), PAUSES.size() - 1));
            store.putOff(tx, call.id(), attempts, clock.instant().plus(pause), outcome);
            return false;
        });
        meters.ended(call.event(), given ? "failed" : "put off", took);
        if (given) {
            log.warn("Delivery {} of {} is given up", call.id(), call.event(), failure);
        } else {
            log.info(
                    "Delivery {} of {} could not be handled and will be tried again", call.id(), call.event(), failure);
        }
    }

    /** Where two waited for each other, or the connection was lost, nothing is wrong with the delivery. */
    private static boolean isInnocent(Throwable failure) {
        var state = SqlState.of(failure);
        return state != null && INNOCENT.stream().anyMatch(state::startsWith);
    }

    /** Deletes what is past its time, in batches small enough that nobody waits for them. */
    int sweep() {
        var before = clock.instant().minus(config.deliveries());
        int swept = 0;
        int batch;
        do {
            batch = db.inTransaction(tx -> store.sweep(tx, before, SWEEP_BATCH));
            swept += batch;
        } while (batch == SWEEP_BATCH);
        var old = clock.instant().minus(PIPELINES_KEPT);
        do {
            batch = db.inTransaction(tx -> store.sweepPipelines(tx, old, SWEEP_BATCH));
        } while (batch == SWEEP_BATCH);
        return swept;
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static String fitting(String text) {
        var clean = text.replace('\0', ' ');
        return clean.length() <= LONGEST_OUTCOME ? clean : clean.substring(0, LONGEST_OUTCOME);
    }

    @Override
    public void close() {
        closing = true;
        signal.raise();
        if (retention != null) {
            retention.close();
        }
        for (var loop : loops) {
            try {
                if (!loop.join(PATIENCE)) {
                    log.warn("{} did not stop within {}; its delivery is handled again", loop, PATIENCE);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
