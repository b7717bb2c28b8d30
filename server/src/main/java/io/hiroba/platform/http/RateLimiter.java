package io.hiroba.platform.http;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.Clock;
import java.time.Duration;

/**
 * Limits how often one client calls this node: a signed-in user wherever they are, anybody else by address. It guards
 * the node, so its counts stay in memory; limits that must hold over all nodes are a {@link Throttle}.
 */
final class RateLimiter implements Handler {

    /** Bounds memory under a flood from many addresses; who is evicted starts afresh. */
    private static final int CLIENTS = 100_000;

    private final HttpConfig.RateLimit limit;
    private final Identity identity;
    private final ClientAddress addresses;
    private final LoadingCache<String, Bucket> buckets;

    RateLimiter(HttpConfig.RateLimit limit, Identity identity, ClientAddress addresses, Clock clock) {
        this.limit = limit;
        this.identity = identity;
        this.addresses = addresses;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(CLIENTS)
                .expireAfterAccess(Duration.ofMinutes(1 + (long) limit.burst() / limit.requestsPerMinute()))
                .build(client -> bucket(clock));
    }

    @Override
    public void handle(Context ctx) {
        if (!limit.enabled() || isExempt(ctx.path())) {
            return;
        }
        var client = identity.of(ctx).map(user -> "user " + user).orElseGet(() -> "address " + addresses.bucket(ctx));
        var probe = buckets.get(client).tryConsumeAndReturnRemaining(1);
        tell(ctx, probe);
        if (!probe.isConsumed()) {
            var wait = Duration.ofNanos(probe.getNanosToWaitForRefill());
            RetryAfter.set(ctx, wait);
            throw HttpProblem.rateLimited(wait);
        }
    }

    private void tell(Context ctx, ConsumptionProbe probe) {
        var reset = Duration.ofNanos(probe.getNanosToWaitForReset()).plusMillis(999);
        ctx.header("RateLimit-Limit", Integer.toString(limit.burst()));
        ctx.header("RateLimit-Remaining", Long.toString(probe.getRemainingTokens()));
        ctx.header("RateLimit-Reset", Long.toString(reset.toSeconds()));
    }

    private static boolean isExempt(String path) {
        return path.equals("/healthz")
                || path.equals("/readyz")
                || path.equals("/metrics")
                || path.startsWith("/assets/");
    }

    private Bucket bucket(Clock clock) {
        return Bucket.builder()
                .withCustomTimePrecision(new ClockMeter(clock))
                .addLimit(bandwidth -> bandwidth
                        .capacity(limit.burst())
                        .refillGreedy(limit.requestsPerMinute(), Duration.ofMinutes(1)))
                .build();
    }
}
