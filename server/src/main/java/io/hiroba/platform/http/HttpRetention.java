package io.hiroba.platform.http;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import java.time.Clock;
import java.time.Duration;

/** Deletes stored answers and limits that have expired, every few minutes. */
final class HttpRetention implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofMinutes(5);

    private final Idempotency idempotency;
    private final Throttle throttle;
    private final WorkLoop loop;

    HttpRetention(Db db, Clock clock) {
        idempotency = new Idempotency(db, clock);
        throttle = new Throttle(db, clock);
        loop = WorkLoop.every(INTERVAL, "http retention", this::sweep);
    }

    void sweep() {
        RetentionSweep.run(idempotency::sweep);
        RetentionSweep.run(throttle::sweep);
    }

    @Override
    public void close() {
        loop.close();
    }
}
