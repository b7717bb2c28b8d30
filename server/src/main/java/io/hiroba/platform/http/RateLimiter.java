package io.hiroba.platform.http;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Limits the requests of one client to this node, over HTTP and gRPC together: of a signed-in user, of the programs with their tokens, or
 * else of an address.
 * It protects the node, so its buckets are in memory; limits over all nodes are a {@link Throttle}.
 */
public final class RateLimiter {

    /** Bounds the memory under a flood from many addresses; an evicted client starts with a full bucket. */
    private static final int MAX_CLIENTS = 100_000;

    /** Wrong credentials a minute from one address: each costs a query, so further ones are not looked up. */
    static final int MAX_FAILURES = 60;

    private final HttpConfig.RateLimit limit;
    private final LoadingCache<String, Bucket> buckets;
    private final LoadingCache<String, Bucket> failures;

    public RateLimiter(HttpConfig.RateLimit limit, Clock clock) {
        this.limit = limit;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(MAX_CLIENTS)
                .expireAfterAccess(Duration.ofMinutes(1 + (long) limit.burst() / limit.requestsPerMinute()))
                .build(client -> bucket(clock, limit.burst(), limit.requestsPerMinute()));
        this.failures = Caffeine.newBuilder()
                .maximumSize(MAX_CLIENTS)
                .expireAfterAccess(Duration.ofMinutes(2))
                .build(address -> bucket(clock, MAX_FAILURES, MAX_FAILURES));
    }

    /**
     * The rest that a client has after a request was counted.
     *
     * @param reset the time until its bucket is full again
     * @param retryAfter the time until a refused request may be repeated; zero for one that is admitted
     */
    public record Allowance(long remaining, Duration reset, Duration retryAfter) {

        private static final Allowance UNLIMITED = new Allowance(Long.MAX_VALUE, Duration.ZERO, Duration.ZERO);

        /** Throws a problem for a request that is refused. */
        public void requireAdmitted() {
            if (retryAfter.isPositive()) {
                throw HttpProblem.rateLimited(retryAfter);
            }
        }
    }

    /**
     * Counts a request.
     *
     * @param address the client's, as {@link ClientAddress#bucket} writes it
     * @param isClaimed whether the request has credentials that must be looked up
     * @param user looks up the name under which requests of the user are counted; not called after too many wrong credentials from the address
     */
    public Allowance count(String address, boolean isClaimed, Supplier<Optional<String>> user) {
        if (!limit.enabled()) {
            return Allowance.UNLIMITED;
        }
        if (!isClaimed) {
            return take(user.get(), address);
        }
        var failed = failures.get(address);
        var estimate = failed.estimateAbilityToConsume(1);
        if (!estimate.canBeConsumed()) {
            var wait = Duration.ofNanos(estimate.getNanosToWaitForRefill());
            return new Allowance(0, wait, wait);
        }
        var known = user.get();
        if (known.isEmpty()) {
            failed.tryConsume(1);
        }
        return take(known, address);
    }

    private Allowance take(Optional<String> user, String address) {
        var client = user.map(name -> "user " + name).orElseGet(() -> "address " + address);
        var probe = buckets.get(client).tryConsumeAndReturnRemaining(1);
        return new Allowance(
                probe.getRemainingTokens(),
                Duration.ofNanos(probe.getNanosToWaitForReset()),
                probe.isConsumed() ? Duration.ZERO : Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    /** The name under which the requests of programs with tokens of {@code user} are counted. */
    public static String byToken(String user) {
        return user + " by token";
    }

    /** Counts requests over HTTP, except those of open paths. */
    Handler handler(Identity identity, ClientAddress addresses) {
        return ctx -> {
            if (!limit.enabled() || OpenPaths.include(ctx.path())) {
                return;
            }
            var allowance = count(addresses.bucket(ctx), identity.isClaimed(ctx), () -> identity.client(ctx));
            setHeaders(ctx, allowance);
            allowance.requireAdmitted();
        };
    }

    private void setHeaders(Context ctx, Allowance allowance) {
        ctx.header("RateLimit-Limit", Integer.toString(limit.burst()));
        ctx.header("RateLimit-Remaining", Long.toString(allowance.remaining()));
        ctx.header(
                "RateLimit-Reset",
                Long.toString(allowance.reset().plusMillis(999).toSeconds()));
        if (allowance.retryAfter().isPositive()) {
            RetryAfter.set(ctx, allowance.retryAfter());
        }
    }

    private static Bucket bucket(Clock clock, int burst, int perMinute) {
        return Bucket.builder()
                .withCustomTimePrecision(new Throttle.ClockMeter(clock))
                .addLimit(bandwidth -> bandwidth.capacity(burst).refillGreedy(perMinute, Duration.ofMinutes(1)))
                .build();
    }
}
