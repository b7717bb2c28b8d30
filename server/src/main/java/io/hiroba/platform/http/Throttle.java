package io.hiroba.platform.http;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.jdbc.PrimaryKeyMapper;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.github.bucket4j.postgresql.PostgreSQLSelectForUpdateBasedProxyManager;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.Sha256;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * Named rate limits over all nodes together, stored in PostgreSQL: attempts to sign in, mails sent. A limit of {@code n} a
 * period is a bucket of {@code n} tokens that is refilled evenly over the period.
 *
 * <p>A check takes a connection of its own, so call it outside a transaction: inside one, as many callers as there are
 * connections would deadlock.
 */
public final class Throttle {

    private static final Duration EXPIRY_AFTER_REFILL = Duration.ofMinutes(1);

    private final PostgreSQLSelectForUpdateBasedProxyManager<String> buckets;

    public Throttle(Db db, Clock clock) {
        this.buckets = Bucket4jPostgreSQL.selectForUpdateBasedBuilder(db.dataSource())
                .primaryKeyMapper(PrimaryKeyMapper.STRING)
                .table("platform.throttles")
                .idColumn("id")
                .stateColumn("state")
                .expiresAtColumn("expires_at")
                .clientClock(new ClockMeter(clock))
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(EXPIRY_AFTER_REFILL))
                .build();
    }

    /** Consumes a token of {@code name}, such as {@code login:account:…}, if there is one. */
    public Verdict check(String name, Limit limit) {
        var configuration = BucketConfiguration.builder()
                .addLimit(bandwidth -> bandwidth.capacity(limit.count()).refillGreedy(limit.count(), limit.period()))
                .build();
        var probe =
                buckets.builder().build(id(name, limit), () -> configuration).tryConsumeAndReturnRemaining(1);
        return new Verdict(probe.isConsumed(), Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    /** Refills the bucket. */
    public void reset(String name, Limit limit) {
        buckets.removeProxy(id(name, limit));
    }

    /** Deletes up to {@code max} buckets that are full again; returns how many. */
    int sweep(int max) {
        return buckets.removeExpired(max);
    }

    /** A hash, since names contain addresses; a changed limit starts a new bucket. */
    private static String id(String name, Limit limit) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(limit + " " + name));
    }

    /** At most {@code count} in {@code period}. */
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
