package io.hiroba.platform.http;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.jdbc.PrimaryKeyMapper;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.github.bucket4j.postgresql.PostgreSQLSelectForUpdateBasedProxyManager;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.Sha256;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;

/**
 * Named limits that hold over all nodes together, kept in PostgreSQL: attempts to sign in, mails sent. A limit of
 * {@code n} a period is a bucket of {@code n} that fills up again evenly over the period.
 *
 * <p>A check takes a connection of its own, so it is made outside a transaction: inside one, as many callers as there
 * are connections would wait for one another.
 */
public final class Throttle {

    private static final Duration KEPT_AFTER_FULL = Duration.ofMinutes(1);

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
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(KEPT_AFTER_FULL))
                .build();
    }

    /** Counts one use of {@code name}, such as {@code login:account:…}, if the limit allows it. */
    public Verdict check(String name, Limit limit) {
        var configuration = BucketConfiguration.builder()
                .addLimit(bandwidth -> bandwidth.capacity(limit.count()).refillGreedy(limit.count(), limit.period()))
                .build();
        var probe =
                buckets.builder().build(id(name, limit), () -> configuration).tryConsumeAndReturnRemaining(1);
        return new Verdict(probe.isConsumed(), Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    /** Forgets what was counted, as a successful sign-in does with the failures before it. */
    public void reset(String name, Limit limit) {
        buckets.removeProxy(id(name, limit));
    }

    /** Removes up to {@code most} buckets that are full again; answers how many. */
    int sweep(int most) {
        return buckets.removeExpired(most);
    }

    /** Names hold people's addresses, so only a hash is stored; a changed limit starts a new bucket. */
    private static String id(String name, Limit limit) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(limit + " " + name));
    }

    /** At most {@code count} in {@code period}. */
    public record Limit(long count, Duration period) {}

    /** The answer to a use: allowed, or how long to wait. */
    public record Verdict(boolean allowed, Duration retryAfter) {

        /**
         * Passes an allowed use.
         *
         * @throws HttpProblem 429 otherwise
         */
        public void orThrow() {
            if (!allowed) {
                throw HttpProblem.rateLimited(retryAfter);
            }
        }
    }
}
