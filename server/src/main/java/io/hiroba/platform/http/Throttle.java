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
        return check(name, limit, clock.millis());
    }

    private Verdict check(String name, Limit limit, long now) {
        var id = id(name, limit);
        if (limit.count() > 0 && db.inTransaction(tx -> store.use(tx, id, limit, now))) {
            return new Verdict(true, Duration.ZERO);
        }
        long next = limit.count() > 0
                ? db.read(reads -> store.next(reads, id, limit, now))
                : now + limit.period().toMillis();
        return new Verdict(false, Duration.ofMillis(Math.max(next - now, 1)));
    }

    /**
     * Counts a use as {@link #check} does, which may be taken back if it turns out to be none. Until then it has its place, so
     * that no more are under way at once than the limit allows.
     */
    public Reservation reserve(String name, Limit limit) {
        long now = clock.millis();
        var id = id(name, limit);
        return new Reservation(check(name, limit, now), () -> db.useTransaction(tx -> store.remove(tx, id, now)));
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
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Sha256.of(limit.count() + " " + limit.period() + " " + name));
    }

    /**
     * At most {@code count} in any {@code period}, and after the first {@code free} of them each a while after the one before: a
     * second, and then twice as long each time, up to {@code maxDelay}.
     */
    public record Limit(long count, Duration period, long free, Duration maxDelay) {

        /** At most {@code count} in any {@code period}, as fast as they come. */
        public Limit(long count, Duration period) {
            this(count, period, count, Duration.ZERO);
        }
    }

    /** The result of a check, and what takes the use back. */
    public record Reservation(Verdict verdict, Runnable takeBack) {}

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
