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

/** Ours at its facade, wired as a server wires it, with a provider that costs nothing: a question's number is its vector's. */
final class OurSearch implements AutoCloseable {

    private static final SearchConfig CONFIG = new SearchConfig(-1, 1, 1, 0);

    private final Shelf shelf;
    private final Db near;
    private final Map<String, Long> asked = new ConcurrentHashMap<>();
    private final RecallSampler recall;
    private final Search search;

    OurSearch(Shelf shelf, BenchDatabase database) {
        this.shelf = shelf;
        near = Db.open(database.config().withPoolSize(8), Search.PLANNER);
        var meters = new SimpleMeterRegistry();
        recall = new RecallSampler(near, CONFIG, meters);
        EmbeddingProvider numbers =
                (texts, purpose) -> texts.stream().map(this::vector).toList();
        search = new Search(
                near,
                Clock.systemUTC(),
                shelf.spaces,
                new QueryEmbeddings(shelf.spaces, model -> numbers, meters),
                CONFIG,
                recall);
    }

    private float[] vector(String question) {
        return shelf.corpus.vector(-1 - Objects.requireNonNull(asked.get(question)));
    }

    List<Long> find(long question, SearchMode mode, SearchFilters filters) {
        var text = shelf.corpus.question(question, shelf.chunks);
        asked.put(text, question);
        return search.search(shelf.reader, new KnowledgeQuery(text, mode, 10, filters, null)).hits().stream()
                .map(SearchHit::chunk)
                .map(ChunkId::value)
                .toList();
    }

    @Override
    public void close() {
        recall.close();
        near.close();
    }
}
