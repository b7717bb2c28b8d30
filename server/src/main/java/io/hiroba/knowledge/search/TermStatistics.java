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
     * @param chunks the approximate number of chunks
     * @param shares the share of chunks that contain each of the common terms
     * @param rarest the smallest of the shares
     */
    record Frequencies(double chunks, Map<String, Double> shares, double rarest) {

        Frequencies {
            shares = Map.copyOf(shares);
        }
    }

    /** The search that finds the statistics outdated refreshes them; concurrent ones use the old ones. */
    TermStatistics(Db db, Clock clock, SearchStore store) {
        this.cache = Caffeine.newBuilder()
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .executor(Runnable::run)
                .refreshAfterWrite(MAX_AGE)
                .build(table -> db.read(store::frequencies));
    }

    /**
     * The approximate number of chunks with {@code lexeme}; an unlisted term counts half as common as the rarest listed
     * one.
     */
    double chunksWith(String lexeme) {
        var known = cache.get(CHUNKS);
        return known.chunks * known.shares.getOrDefault(lexeme, known.rarest / 2);
    }

    /** Whether the statistics list {@code lexeme}. */
    boolean isListed(String lexeme) {
        return cache.get(CHUNKS).shares.containsKey(lexeme);
    }

    /** The approximate number of chunks. */
    double chunks() {
        return cache.get(CHUNKS).chunks;
    }
}
