package io.hiroba.bench.knowledge;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.store.embedding.EmbeddingSearchRequest;
import dev.langchain4j.store.embedding.pgvector.PgVectorEmbeddingStore;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * LangChain4j's store for pgvector, the usual choice of a Java program. Its own index is an IVFFlat; it has no option for an HNSW
 * index, which the benchmark adds to a second table.
 */
final class LangChainStore implements AutoCloseable {

    /** The table with an HNSW index like ours. */
    static final String GRAPH = "langchain_chunks";

    private static final String LISTS = "langchain_lists_";
    private static final int BATCH_SIZE = 1000;
    private static final double EQUAL_RECALL = 0.995;

    private final ChunkData data;
    private final Db db;
    private final PgVectorEmbeddingStore store;

    /** @param settings planner settings of its connections */
    LangChainStore(ChunkData data, DatabaseConfig config, List<String> settings) {
        this(data, config, settings, GRAPH, 0);
    }

    /** @param lists of its own index; none if 0 */
    private LangChainStore(ChunkData data, DatabaseConfig config, List<String> settings, String table, int lists) {
        this.data = data;
        db = Db.open(config, settings);
        var builder = PgVectorEmbeddingStore.datasourceBuilder()
                .datasource(db.dataSource())
                .table(table)
                .dimension(SyntheticCorpus.DIMENSIONS)
                .createTable(true);
        store = (lists == 0 ? builder : builder.useIndex(true).indexListSize(lists)).build();
    }

    /**
     * A store of the same chunks with its own index at its best: of several numbers of lists, that with which a search compares the
     * fewest vectors and yet finds what an exact scan finds.
     *
     * @param recall the share of what an exact scan finds
     */
    static LangChainStore withOwnIndex(ChunkData data, DatabaseConfig config, ToDoubleFunction<LangChainStore> recall) {
        int best = 0;
        int bestProbes = 0;
        double fewest = Double.MAX_VALUE;
        for (int lists : new TreeSet<>(
                List.of(Math.max(10, data.chunks / 1000), (int) Math.sqrt(data.chunks), data.chunks / 100))) {
            copy(data, lists);
            int probes = probes(data, config, lists, recall);
            double compared = lists + (double) data.chunks * probes / lists;
            if (compared < fewest) {
                fewest = compared;
                best = lists;
                bestProbes = probes;
            }
        }
        System.err.printf("· LangChain4j's own index: %d lists, %d probes%n", best, bestProbes);
        return withLists(data, config, best, bestProbes);
    }

    /** The index is made of a table that is full, as it has to be. */
    private static void copy(ChunkData data, int lists) {
        var table = LISTS + lists;
        data.run("CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS)".formatted(table, GRAPH));
        data.run("INSERT INTO %s SELECT * FROM %s".formatted(table, GRAPH));
        data.run("ALTER TABLE %s ADD PRIMARY KEY (embedding_id)".formatted(table));
        data.run("ANALYZE " + table);
    }

    /** The fewest probes, by doubling, with which it finds what an exact scan finds. */
    private static int probes(
            ChunkData data, DatabaseConfig config, int lists, ToDoubleFunction<LangChainStore> recall) {
        for (int probes = 1; probes < lists; probes *= 2) {
            try (var store = withLists(data, config, lists, probes)) {
                if (recall.applyAsDouble(store) >= EQUAL_RECALL) {
                    return probes;
                }
            }
        }
        return lists;
    }

    private static LangChainStore withLists(ChunkData data, DatabaseConfig config, int lists, int probes) {
        return new LangChainStore(data, config, List.of("ivfflat.probes=" + probes, "jit=off"), LISTS + lists, lists);
    }

    void fill() {
        for (int from = 0; from < data.chunks; from += BATCH_SIZE) {
            var embeddings = new ArrayList<Embedding>();
            var segments = new ArrayList<TextSegment>();
            for (int i = from; i < Math.min(data.chunks, from + BATCH_SIZE); i++) {
                embeddings.add(Embedding.from(data.corpus.vector(i)));
                segments.add(TextSegment.from(data.corpus.text(i)));
            }
            store.addAll(embeddings, segments);
        }
        data.db.useTransaction(tx -> {
            tx.update("SET LOCAL maintenance_work_mem = '1GB'").execute();
            tx.update("""
                    CREATE INDEX ON langchain_chunks USING hnsw (embedding vector_cosine_ops)
                    WITH (m = 16, ef_construction = 64)
                    """).execute();
        });
        data.run("ANALYZE langchain_chunks");
    }

    List<String> find(long query) {
        return store
                .search(EmbeddingSearchRequest.builder()
                        .queryEmbedding(Embedding.from(data.corpus.vector(-1 - query)))
                        .maxResults(10)
                        .build())
                .matches()
                .stream()
                .map(match -> match.embedded().text())
                .toList();
    }

    @Override
    public void close() {
        db.close();
    }
}
