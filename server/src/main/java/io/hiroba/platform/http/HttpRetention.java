package io.hiroba.platform.http;

import io.hiroba.platform.db.Db;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes stored answers and limits that are past their time, every few minutes, in batches that hold no lock for long. */
final class HttpRetention implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpRetention.class);
    private static final int BATCH = 1000;
    private static final int MINUTES = 5;

    private final Idempotency idempotency;
    private final Throttle throttle;
    private final ScheduledExecutorService schedule = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("http-sweeper").factory());

    private final ScheduledFuture<?> turns;

    HttpRetention(Db db, Clock clock) {
        this.idempotency = new Idempotency(db, clock);
        this.throttle = new Throttle(db, clock);
        this.turns = schedule.scheduleWithFixedDelay(this::sweep, MINUTES, MINUTES, TimeUnit.MINUTES);
    }

    /** A failure is told and tried again at the next turn: nothing waits for this. */
    void sweep() {
        try {
            untilEmpty(idempotency::sweep);
            untilEmpty(throttle::sweep);
        } catch (RuntimeException e) {
            LOG.warn("Cannot remove what is past its time", e);
        }
    }

    private static void untilEmpty(IntUnaryOperator sweep) {
        int removed;
        do {
            removed = sweep.applyAsInt(BATCH);
        } while (removed == BATCH);
    }

    @Override
    public void close() {
        turns.cancel(false);
        schedule.shutdownNow();
    }
}
