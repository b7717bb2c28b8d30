package io.hiroba.bench.knowledge;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.store.embedding.EmbeddingSearchRequest;
import dev.langchain4j.store.embedding.pgvector.PgVectorEmbeddingStore;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import java.util.ArrayList;
import java.util.List;

/**
 * LangChain4j's store for pgvector, the usual choice of a Java program. It creates no HNSW index; the benchmark adds one like
 * ours.
 */
final class LangChainStore implements AutoCloseable {

    private static final int BATCH_SIZE = 1000;

    private final ChunkData data;
    private final Db db;
    private final PgVectorEmbeddingStore store;

    /** @param settings planner settings of its connections */
    LangChainStore(ChunkData data, DatabaseConfig config, List<String> settings) {
        this.data = data;
        db = Db.open(config, settings);
        store = PgVectorEmbeddingStore.datasourceBuilder()
                .datasource(db.dataSource())
                .table("langchain_chunks")
                .dimension(SyntheticCorpus.DIMENSIONS)
                .createTable(true)
                .build();
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
