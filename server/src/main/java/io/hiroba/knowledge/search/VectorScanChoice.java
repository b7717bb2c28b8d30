package io.hiroba.knowledge.search;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.knowledge.KnowledgeReader;
import io.hiroba.knowledge.embedding.QueryEmbeddings.Vector;
import io.hiroba.knowledge.search.SearchStore.VectorScan;
import io.hiroba.platform.db.Reads;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Chooses between a graph scan and an exact scan. Where filters leave few vectors, the exact scan is as fast as the
 * graph, most of which is filtered out, and misses none. The count is cached for a minute: an outdated choice may be
 * slower, never wrong.
 */
final class VectorScanChoice {

    private static final int EXACT_SCAN_LIMIT = 6_000;
    private static final int CACHE_SIZE = 10_000;

    private final SearchStore store;
    private final int few;
    private final Cache<CacheKey, VectorScan> choices = Caffeine.newBuilder()
            .maximumSize(CACHE_SIZE)
            .expireAfterWrite(Duration.ofMinutes(1))
            .build();

    VectorScanChoice(SearchStore store) {
        this(store, EXACT_SCAN_LIMIT);
    }

    VectorScanChoice(SearchStore store, int few) {
        this.store = store;
        this.few = few;
    }

    private record CacheKey(KnowledgeReader caller, String table, SearchFilters filters) {}

    VectorScan scan(Reads reads, KnowledgeReader caller, Vector vector, SearchFilters filters) {
        if (filters.equals(SearchFilters.NONE)) {
            return VectorScan.GRAPH;
        }
        // Counted outside the cache, which would let others wait for the database.
        var key = new CacheKey(caller, vector.space().table(), filters);
        @Nullable VectorScan cached = choices.getIfPresent(key);
        if (cached != null) {
            return cached;
        }
        var scan = store.count(reads, caller, vector, filters, few) < few ? VectorScan.EXACT : VectorScan.GRAPH;
        choices.put(key, scan);
        return scan;
    }
}
