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
 * LangChain4j's store for pgvector, which a Java program would take instead. It makes no graph of vectors by itself; one like
 * ours is put on its table.
 */
final class LangChainStore implements AutoCloseable {

    private static final int AT_ONCE = 1000;

    private final Shelf shelf;
    private final Db db;
    private final PgVectorEmbeddingStore store;

    /** @param settings of its connections */
    LangChainStore(Shelf shelf, DatabaseConfig config, List<String> settings) {
        this.shelf = shelf;
        db = Db.open(config, settings);
        store = PgVectorEmbeddingStore.datasourceBuilder()
                .datasource(db.dataSource())
                .table("langchain_chunks")
                .dimension(Corpus.DIMENSIONS)
                .createTable(true)
                .build();
    }

    void fill() {
        for (int from = 0; from < shelf.chunks; from += AT_ONCE) {
            var embeddings = new ArrayList<Embedding>();
            var segments = new ArrayList<TextSegment>();
            for (int i = from; i < Math.min(shelf.chunks, from + AT_ONCE); i++) {
                embeddings.add(Embedding.from(shelf.corpus.vector(i)));
                segments.add(TextSegment.from(shelf.corpus.text(i)));
            }
            store.addAll(embeddings, segments);
        }
        shelf.db.useTransaction(tx -> {
            tx.update("SET LOCAL maintenance_work_mem = '1GB'").execute();
            tx.update("""
                    CREATE INDEX ON langchain_chunks USING hnsw (embedding vector_cosine_ops)
                    WITH (m = 16, ef_construction = 64)
                    """).execute();
        });
        shelf.run("ANALYZE langchain_chunks");
    }

    List<String> find(long question) {
        return store
                .search(EmbeddingSearchRequest.builder()
                        .queryEmbedding(Embedding.from(shelf.corpus.vector(-1 - question)))
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
