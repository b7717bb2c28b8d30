package io.hiroba.platform.http;

import io.github.bucket4j.TimeMeter;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.Sha256;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * Named rate limits over all nodes together, stored in PostgreSQL: attempts to sign in, posts, uploads. A limit of {@code n} a
 * period allows {@code n} uses within any stretch of that length, and the next as soon as the earliest of them is older; a
 * refused one does not count. Each use costs 8 bytes of a row that is written anew, so limits are some hundreds, not millions.
 *
 * <p>A check takes a connection of its own, so call it outside a transaction: inside one, as many callers as there are
 * connections would deadlock.
 */
public final class Throttle {

    private final Db db;
    private final Clock clock;
    private final ThrottleStore store = new ThrottleStore();

    public Throttle(Db db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** Counts a use of {@code name}, such as {@code login:account:…}, if the limit leaves room for it. */
    public Verdict check(String name, Limit limit) {
        var id = id(name, limit);
        long now = clock.millis();
        long period = limit.period().toMillis();
        if (limit.count() > 0
                && db.inTransaction(tx -> store.use(tx, id, limit.count(), now - period, now, now + period))) {
            return new Verdict(true, Duration.ZERO);
        }
        long earliest = limit.count() > 0 ? db.read(reads -> store.earliest(reads, id, now - period)) : now;
        return new Verdict(false, Duration.ofMillis(earliest + period - now));
    }

    /** Forgets all uses. */
    public void reset(String name, Limit limit) {
        db.useTransaction(tx -> store.delete(tx, id(name, limit)));
    }

    /** Deletes up to {@code max} rows without a use within their period; returns how many. */
    int sweep(int max) {
        return db.inTransaction(tx -> store.deleteExpired(tx, clock.millis(), max));
    }

    /** A hash, since names contain addresses; a changed limit starts anew. */
    private static String id(String name, Limit limit) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(limit + " " + name));
    }

    /** At most {@code count} in any {@code period}. */
    public record Limit(long count, Duration period) {}

    /** The result of a check: allowed, or how long to wait. */
    public record Verdict(boolean allowed, Duration retryAfter) {

        /**
         * Does nothing if the use is allowed.
         *
         * @throws HttpProblem 429 otherwise
         */
        public void orThrow() {
            if (!allowed) {
                throw HttpProblem.rateLimited(retryAfter);
            }
        }
    }

    /** Lets token buckets read a clock that tests can set. */
    record ClockMeter(Clock clock) implements TimeMeter {
        @Override
        public long currentTimeNanos() {
            return TimeUnit.MILLISECONDS.toNanos(clock.millis());
        }

        @Override
        public boolean isWallClockBased() {
            return true;
        }
    }
}
