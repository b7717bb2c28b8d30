package io.hiroba.accounts.signin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.hiroba.accounts.Revocations;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Remembers for a second whom a secret let in, so that somebody busy is not looked up for each request. What is revoked
 * on this node is forgotten at once, and on another one within the second; what let nobody in is not remembered.
 */
final class RecentUses {

    static final Duration KEPT = Duration.ofSeconds(1);

    private static final int MOST = 10_000;

    private final Revocations revocations;
    private final Cache<Key, Used> uses;

    RecentUses(Revocations revocations, Ticker ticker) {
        this.revocations = revocations;
        this.uses = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(KEPT)
                .ticker(ticker)
                .build();
    }

    Optional<Used> find(Secret secret, Instant now, Supplier<Optional<Used>> lookUp) {
        // A look-up under way while something is revoked may see the time before: what it finds is kept under the count
        // of that time, where nobody will look for it.
        var key = new Key(secret, revocations.count());
        var known = uses.getIfPresent(key);
        // In its last second the database decides, which rounds times in its own way.
        if (known != null && known.expiresAt().isAfter(now.plus(KEPT))) {
            return Optional.of(known);
        }
        var found = lookUp.get();
        found.ifPresent(used -> uses.put(key, used));
        return found;
    }

    private record Key(Secret secret, long revocations) {}
}
