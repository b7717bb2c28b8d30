package io.hiroba.platform.http;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits the requests of one client to this node: of a signed-in user, or else of an address. It protects the node, so
 * its buckets are in memory; limits over all nodes are a {@link Throttle}.
 */
final class RateLimiter implements Handler {

    /** Bounds the memory under a flood from many addresses; an evicted client starts with a full bucket. */
    private static final int MAX_CLIENTS = 100_000;

    /** Wrong credentials a minute from one address: each costs a query, so further ones are not looked up. */
    static final int MAX_FAILURES = 60;

    private final HttpConfig.RateLimit limit;
    private final Identity identity;
    private final ClientAddress addresses;
    private final LoadingCache<String, Bucket> buckets;
    private final LoadingCache<String, Bucket> failures;

    RateLimiter(HttpConfig.RateLimit limit, Identity identity, ClientAddress addresses, Clock clock) {
        this.limit = limit;
        this.identity = identity;
        this.addresses = addresses;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(MAX_CLIENTS)
                .expireAfterAccess(Duration.ofMinutes(1 + (long) limit.burst() / limit.requestsPerMinute()))
                .build(client -> bucket(clock, limit.burst(), limit.requestsPerMinute()));
        this.failures = Caffeine.newBuilder()
                .maximumSize(MAX_CLIENTS)
                .expireAfterAccess(Duration.ofMinutes(2))
                .build(address -> bucket(clock, MAX_FAILURES, MAX_FAILURES));
    }

    @Override
    public void handle(Context ctx) {
        if (!limit.enabled() || OpenPaths.include(ctx.path())) {
            return;
        }
        var client = user(ctx).map(user -> "user " + user).orElseGet(() -> "address " + addresses.bucket(ctx));
        var probe = buckets.get(client).tryConsumeAndReturnRemaining(1);
        setHeaders(ctx, probe);
        if (!probe.isConsumed()) {
            throw refusal(ctx, probe.getNanosToWaitForRefill());
        }
    }

    private Optional<String> user(Context ctx) {
        if (!identity.isClaimed(ctx)) {
            return identity.of(ctx);
        }
        var failed = failures.get(addresses.bucket(ctx));
        var estimate = failed.estimateAbilityToConsume(1);
        if (!estimate.canBeConsumed()) {
            throw refusal(ctx, estimate.getNanosToWaitForRefill());
        }
        var user = identity.of(ctx);
        if (user.isEmpty()) {
            failed.tryConsume(1);
        }
        return user;
    }

    private static HttpProblem refusal(Context ctx, long nanosToWait) {
        var wait = Duration.ofNanos(nanosToWait);
        RetryAfter.set(ctx, wait);
        return HttpProblem.rateLimited(wait);
    }

    private void setHeaders(Context ctx, ConsumptionProbe probe) {
        var reset = Duration.ofNanos(probe.getNanosToWaitForReset()).plusMillis(999);
        ctx.header("RateLimit-Limit", Integer.toString(limit.burst()));
        ctx.header("RateLimit-Remaining", Long.toString(probe.getRemainingTokens()));
        ctx.header("RateLimit-Reset", Long.toString(reset.toSeconds()));
    }

    private static Bucket bucket(Clock clock, int burst, int perMinute) {
        return Bucket.builder()
                .withCustomTimePrecision(new Throttle.ClockMeter(clock))
                .addLimit(bandwidth -> bandwidth.capacity(burst).refillGreedy(perMinute, Duration.ofMinutes(1)))
                .build();
    }
}
