package io.hiroba.knowledge.sources;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.db.Reads;
import java.util.Optional;

/** The SQL of {@link Passages}. */
final class PassageStore {

    Optional<Integer> position(Reads reads, Caller caller, SourceId source, ChunkId chunk) {
        return reads.query("""
                SELECT c.position
                FROM knowledge.knowledge_chunks c
                JOIN knowledge.knowledge_sources s ON s.id = c.source_id
                WHERE c.source_id = :source AND c.id = :chunk
                  AND (%s)
                """.formatted(SourceStore.READABLE))
                .bind("source", source.value())
                .bind("chunk", chunk.value())
                .bind("caller", caller.user().value())
                .bind("admin", caller.admin())
                .mapTo(Integer.class)
                .findOne();
    }
}
