package io.hiroba.platform.db;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of the times in which the database is away: a line when one begins, one a minute with the number of failures, and one
 * when the database works again. All pools of a process are of one database, so there is one log.
 */
final class OutageLog {

    static final OutageLog SHARED = new OutageLog(LoggerFactory.getLogger(OutageLog.class), System::nanoTime);

    private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

    /** The time without a failure after which the database works again: on a standby reads succeed while writes fail. */
    private static final long QUIET = Duration.ofSeconds(10).toNanos();

    private final Logger log;
    private final LongSupplier nanoTime;
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean isAway;
    private volatile long lastFailure;
    private long begun;
    private long told;

    OutageLog(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
    }

    /** Counts a failure of anything, and says so if it is time. */
    void failed(Throwable failure) {
        long now = nanoTime.getAsLong();
        lastFailure = now;
        long count = failures.incrementAndGet();
        synchronized (this) {
            if (!isAway) {
                isAway = true;
                begun = now;
                told = now;
                log.warn("The database is away: {}", DatabaseCheck.reason(failure));
            } else if (now - told >= INTERVAL) {
                told = now;
                log.warn(
                        "The database has been away for {} s, in which {} attempts failed: {}",
                        seconds(now - begun),
                        count,
                        DatabaseCheck.reason(failure));
            }
        }
    }

    /** Says that the database works again, if it was away and nothing has failed for a while. */
    void succeeded() {
        if (isAway && nanoTime.getAsLong() - lastFailure > QUIET) {
            end();
        }
    }

    private synchronized void end() {
        if (isAway) {
            isAway = false;
            log.info(
                    "The database works again: it was away for {} s, in which {} attempts failed",
                    seconds(lastFailure - begun),
                    failures.getAndSet(0));
        }
    }

    private static long seconds(long nanos) {
        return Duration.ofNanos(nanos).toSeconds();
    }
}
