package io.hiroba.bench.knowledge;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.embedding.EmbeddingProvider;
import io.hiroba.knowledge.embedding.QueryEmbeddings;
import io.hiroba.knowledge.search.KnowledgeQuery;
import io.hiroba.knowledge.search.RecallSampler;
import io.hiroba.knowledge.search.Search;
import io.hiroba.knowledge.search.SearchConfig;
import io.hiroba.knowledge.search.SearchFilters;
import io.hiroba.knowledge.search.SearchHit;
import io.hiroba.knowledge.search.SearchMode;
import io.hiroba.platform.db.Db;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Search composed as in a server, with an instant provider that derives the vector from the number of the query. */
final class HirobaSearch implements AutoCloseable {

    private static final SearchConfig CONFIG = new SearchConfig(0);

    private final ChunkData data;
    private final Db searchDb;
    private final Map<String, Long> queryNumbers = new ConcurrentHashMap<>();
    private final RecallSampler recall;
    private final Search search;

    HirobaSearch(ChunkData data, BenchDatabase database) {
        this.data = data;
        searchDb = Db.open(database.config().withPoolSize(8), Search.PLANNER);
        var meters = new SimpleMeterRegistry();
        recall = new RecallSampler(searchDb, CONFIG, meters);
        EmbeddingProvider numbers =
                (texts, purpose) -> texts.stream().map(this::vector).toList();
        search = new Search(
                searchDb,
                Clock.systemUTC(),
                data.spaces,
                new QueryEmbeddings(data.spaces, model -> numbers, meters),
                recall);
    }

    private float[] vector(String query) {
        return data.corpus.vector(-1 - Objects.requireNonNull(queryNumbers.get(query)));
    }

    List<Long> find(long query, SearchMode mode, SearchFilters filters) {
        var text = data.corpus.query(query, data.chunks);
        queryNumbers.put(text, query);
        return search.search(data.reader, new KnowledgeQuery(text, mode, 10, filters, -1.0)).hits().stream()
                .map(SearchHit::chunk)
                .map(ChunkId::value)
                .toList();
    }

    @Override
    public void close() {
        recall.close();
        searchDb.close();
    }
}
