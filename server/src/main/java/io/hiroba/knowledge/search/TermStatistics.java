package io.hiroba.knowledge.search;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.hiroba.platform.db.Db;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The document frequencies of terms from PostgreSQL's own statistics: exact enough to tell common terms from rare
 * ones, at no cost for writers.
 */
final class TermStatistics {

    private static final Duration MAX_AGE = Duration.ofMinutes(1);
    private static final String CHUNKS = "chunks";

    private final LoadingCache<String, Frequencies> cache;

    /**
     * The statistics of all chunks.
     *
     * @param chunks about how many there are
     * @param shares the share of them that contains each of the common terms
     * @param rarest the least of the shares
     */
    record Frequencies(double chunks, Map<String, Double> shares, double rarest) {

        Frequencies {
            shares = Map.copyOf(shares);
        }
    }

    /** A search that finds the statistics outdated reads them; concurrent ones use the old ones meanwhile. */
    TermStatistics(Db db, Clock clock, SearchStore store) {
        this.cache = Caffeine.newBuilder()
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .executor(Runnable::run)
                .refreshAfterWrite(MAX_AGE)
                .build(table -> db.read(store::frequencies));
    }

    /** About how many chunks contain {@code lexeme}; an unlisted term counts half as common as the rarest listed one. */
    double chunksWith(String lexeme) {
        var known = cache.get(CHUNKS);
        return known.chunks * known.shares.getOrDefault(lexeme, known.rarest / 2);
    }

    /** Whether the statistics list {@code lexeme}. */
    boolean knows(String lexeme) {
        return cache.get(CHUNKS).shares.containsKey(lexeme);
    }

    /** About how many chunks there are. */
    double chunks() {
        return cache.get(CHUNKS).chunks;
    }
}
