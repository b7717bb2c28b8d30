package io.hiroba.accounts;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Caches callers by their secret for a second, so that a busy one is not looked up for each request. A revocation on this node
 * invalidates the cache at once, and one on another node within the second; unknown secrets are not cached.
 */
final class CallerCache {

    static final Duration TTL = Duration.ofSeconds(1);

    private static final int MAX_ENTRIES = 10_000;

    private final Revocations revocations;
    private final Cache<Key, ResolvedCaller> uses;

    CallerCache(Revocations revocations, Ticker ticker) {
        this.revocations = revocations;
        this.uses = Caffeine.newBuilder()
                .maximumSize(MAX_ENTRIES)
                .expireAfterWrite(TTL)
                .ticker(ticker)
                .build();
    }

    Optional<ResolvedCaller> find(BearerSecret secret, Instant now, Supplier<Optional<ResolvedCaller>> lookUp) {
        // A lookup that runs during a revocation may see the state before it: its result is stored under the former
        // count and never found.
        var key = new Key(secret, revocations.count());
        var known = uses.getIfPresent(key);
        // In the last second before expiry the database decides, which rounds times differently.
        if (known != null && known.expiresAt().isAfter(now.plus(TTL))) {
            return Optional.of(known);
        }
        var found = lookUp.get();
        found.ifPresent(used -> uses.put(key, used));
        return found;
    }

    private record Key(BearerSecret secret, long revocations) {}

    /**
     * A caller found by the secret of a session or token.
     *
     * @param id of the session or token
     * @param before its last use before this one
     */
    record ResolvedCaller(Caller caller, long id, Instant before, Instant expiresAt) {}
}
