package io.hiroba.platform.task;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gauge of how long the first work of a queue has been due on all nodes, looked up once for all who ask within some seconds. */
public final class QueueLag {

    private static final Logger log = LoggerFactory.getLogger(QueueLag.class);
    private static final Duration MAX_AGE = Duration.ofSeconds(15);

    private final Db db;
    private final Function<Reads, Optional<Duration>> overdue;
    private double seconds;
    private long lookedAt = System.nanoTime() - MAX_AGE.toNanos();

    private QueueLag(Db db, Function<Reads, Optional<Duration>> overdue) {
        this.db = db;
        this.overdue = overdue;
    }

    /**
     * Registers it.
     *
     * @param overdue for how long the work has been due that has been so longest; empty if none is due
     */
    public static void register(
            MeterRegistry meters, Db db, String queue, Function<Reads, Optional<Duration>> overdue) {
        Gauge.builder("hiroba.queue.lag", new QueueLag(db, overdue), QueueLag::seconds)
                .description("Time for which the first work of a queue has been due, on all nodes")
                .baseUnit("seconds")
                .tag("queue", queue)
                .strongReference(true)
                .register(meters);
    }

    private synchronized double seconds() {
        if (System.nanoTime() - lookedAt >= MAX_AGE.toNanos()) {
            try {
                seconds = db.read(overdue).map(time -> time.toMillis() / 1000.0).orElse(0.0);
                lookedAt = System.nanoTime();
            } catch (DbException e) {
                log.debug("a queue could not be looked at", e);
                return Double.NaN;
            }
        }
        return seconds;
    }
}
