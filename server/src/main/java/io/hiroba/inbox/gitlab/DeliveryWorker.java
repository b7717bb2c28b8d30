package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.InboxConfig;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims and handles deliveries, several at once on every node. Each is claimed, handled and marked in one transaction, so
 * that after a crash another node handles it from the beginning.
 */
final class DeliveryWorker implements AutoCloseable {

    /** A claimed delivery with its payload. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and too large to copy
    record Call(DeliveryId id, ConnectionId connection, String event, byte[] payload, Instant receivedAt) {}

    /** Handles a delivery within the given transaction. */
    @FunctionalInterface
    interface Handler {

        DeliveryOutcome handle(Tx tx, Call call);
    }

    private static final Logger log = LoggerFactory.getLogger(DeliveryWorker.class);
    private static final Duration PIPELINE_RETENTION = Duration.ofDays(90);
    private static final List<Duration> RETRY_DELAYS = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15),
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            Duration.ofHours(2),
            Duration.ofHours(4));
    /** Beginnings of SQLSTATEs: transactions rolled back by the database, lost connections, and a standby. */
    private static final List<String> TRANSIENT_STATES = List.of("40", "08", "57P", "25006");

    private static final int MAX_ATTEMPTS = 1 + RETRY_DELAYS.size();

    private final Db db;
    private final InstantSource clock;
    private final InboxConfig config;
    private final WakeSignal signal;
    private final Handler handler;
    private final DeliveryMeters meters;
    private final DeliveryStore store = new DeliveryStore();
    private @Nullable WorkLoop work;
    private @Nullable WorkLoop retention;

    DeliveryWorker(
            Db db, InstantSource clock, InboxConfig config, WakeSignal signal, Handler handler, DeliveryMeters meters) {
        this.db = db;
        this.clock = clock;
        this.config = config;
        this.signal = signal;
        this.handler = handler;
        this.meters = meters;
    }

    DeliveryWorker start() {
        work = WorkLoop.whenSignalled("deliveries", config.workers(), signal, WorkLoop.FALLBACK_POLL, this::workOne);
        retention = WorkLoop.every(Duration.ofMinutes(10), "delivery retention", this::sweep);
        return this;
    }

    /** Handles the delivery that has been due longest; false if none is due. */
    boolean workOne() {
        var claimed = new AtomicReference<@Nullable Call>();
        long start = System.nanoTime();
        try {
            var outcome = db.<@Nullable DeliveryOutcome>inTransaction(tx -> {
                claimed.set(null);
                var call = store.claim(tx, clock.instant());
                if (call.isEmpty()) {
                    return null;
                }
                claimed.set(call.get());
                var result = handler.handle(tx, call.get());
                var state = result instanceof DeliveryOutcome.Handled ? DeliveryState.HANDLED : DeliveryState.IGNORED;
                store.end(tx, call.get().id(), state, StoredOutcome.of(result.text()), clock.instant());
                return result;
            });
            var call = claimed.get();
            if (outcome == null || call == null) {
                return false;
            }
            meters.ended(
                    call.event(), outcome instanceof DeliveryOutcome.Handled ? "handled" : "ignored", since(start));
            return true;
        } catch (Throwable failure) {
            var call = claimed.get();
            if (call == null) {
                throw failure;
            }
            fail(call, failure, since(start));
            return true;
        }
    }

    /** Schedules a retry, or gives up. The failed attempt was rolled back. */
    private void fail(Call call, Throwable failure, Duration took) {
        var outcome = StoredOutcome.ofWords(failure.getClass().getSimpleName() + ": " + failure.getMessage());
        boolean isTransientFailure = isTransient(failure);
        boolean isGivenUp = db.inTransaction(tx -> {
            var before = store.tries(tx, call.id());
            if (before.isEmpty()) {
                return false;
            }
            int attempts = before.get().attempts() + (isTransientFailure ? 0 : 1);
            if (attempts >= MAX_ATTEMPTS) {
                store.end(tx, call.id(), DeliveryState.FAILED, outcome, clock.instant());
                return true;
            }
            var delay = RETRY_DELAYS.get(Math.min(before.get().retries(), RETRY_DELAYS.size() - 1));
            store.retryLater(tx, call.id(), attempts, clock.instant().plus(delay), outcome);
            tx.afterCommit(() -> signal.raiseAlsoIn(delay));
            return false;
        });
        meters.ended(call.event(), isGivenUp ? "failed" : "put off", took);
        if (isGivenUp) {
            log.warn("Delivery {} of {} is given up", call.id(), call.event(), failure);
        } else {
            log.info(
                    "Delivery {} of {} could not be handled and will be tried again", call.id(), call.event(), failure);
        }
    }

    /** Whether the delivery did not cause it, as with a deadlock or a lost connection. */
    private static boolean isTransient(Throwable failure) {
        var state = SqlState.of(failure);
        return state != null && TRANSIENT_STATES.stream().anyMatch(state::startsWith);
    }

    int sweep() {
        var before = clock.instant().minus(config.deliveries());
        var oldPipelines = clock.instant().minus(PIPELINE_RETENTION);
        RetentionSweep.run(batch -> db.inTransaction(tx -> store.sweepPipelines(tx, oldPipelines, batch)));
        return RetentionSweep.run(batch -> db.inTransaction(tx -> store.sweep(tx, before, batch)));
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Override
    public void close() {
        if (retention != null) {
            retention.close();
        }
        if (work != null) {
            work.close();
        }
    }
}
