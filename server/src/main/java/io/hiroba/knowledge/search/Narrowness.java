package io.hiroba.knowledge.search;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.embedding.QueryVectors.Vector;
import io.hiroba.knowledge.search.SearchStore.Way;
import io.hiroba.platform.db.Reads;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the way of a search by meaning. Where filters leave few vectors, looking at each of them is as quick as the graph,
 * most of which they forbid, and misses none. How many they leave is counted once and remembered for a minute: by then it
 * may be the slower way, but never a wrong one.
 */
final class Narrowness {

    private static final int FEW = 6_000;
    private static final int MOST_REMEMBERED = 10_000;

    private final SearchStore store;
    private final int few;
    private final Cache<Asked, Way> known = Caffeine.newBuilder()
            .maximumSize(MOST_REMEMBERED)
            .expireAfterWrite(Duration.ofMinutes(1))
            .build();

    Narrowness(SearchStore store) {
        this(store, FEW);
    }

    Narrowness(SearchStore store, int few) {
        this.store = store;
        this.few = few;
    }

    private record Asked(UserId caller, String table, Filters filters) {}

    Way way(Reads reads, UserId caller, Vector vector, Filters filters) {
        if (filters.equals(Filters.NONE)) {
            return Way.GRAPH;
        }
        // Counted outside the cache, which would let others wait for the database.
        var asked = new Asked(caller, vector.space().table(), filters);
        @Nullable Way remembered = known.getIfPresent(asked);
        if (remembered != null) {
            return remembered;
        }
        var way = store.count(reads, caller, vector, filters, few) < few ? Way.EXACT : Way.GRAPH;
        known.put(asked, way);
        return way;
    }
}
