package io.hiroba.testkit;

import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.EmbeddingSpace;
import io.hiroba.platform.db.Db;
import java.util.Arrays;
import java.util.List;

/** Gives chunks their vectors at once, as the worker would in its time. */
public final class TestVectors {

    private TestVectors() {}

    /** Embeds every chunk of {@code source} that waits. */
    public static void embed(Db db, EmbeddingSpace space, SourceId source) {
        record Waiting(long chunk, String content) {}
        db.useTransaction(tx -> {
            List<Waiting> waiting = tx.query("""
                    SELECT c.id, c.content
                    FROM knowledge.embedding_queue q
                    JOIN knowledge.knowledge_chunks c ON c.source_id = q.source_id AND c.id = q.chunk_id
                    WHERE q.source_id = :source AND q.space_id = :space
                    """)
                    .bind("source", source.value())
                    .bind("space", space.id())
                    .map(row -> new Waiting(row.getLong("id"), row.getString("content")))
                    .list();
            var batch = tx.batch("""
                    INSERT INTO %s (source_id, chunk_id, owned_by, channel_id, user_id, created_at, source_type, is_public,
                        collection_id, embedding)
                    SELECT source_id, id, owned_by, channel_id, user_id, created_at, source_type, is_public, collection_id,
                           CAST(:vector AS halfvec)
                    FROM knowledge.knowledge_chunks WHERE source_id = :source AND id = :chunk
                    """.formatted(space.table()));
            for (var chunk : waiting) {
                batch.bind("source", source.value())
                        .bind("chunk", chunk.chunk())
                        .bind("vector", Arrays.toString(FakeProvider.vector(chunk.content())))
                        .add();
            }
            batch.execute();
            tx.update("DELETE FROM knowledge.embedding_queue WHERE source_id = :source AND space_id = :space")
                    .bind("source", source.value())
                    .bind("space", space.id())
                    .execute();
        });
    }
}
