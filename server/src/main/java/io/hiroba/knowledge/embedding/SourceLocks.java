package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.db.Tx;
import java.util.Collection;

/**
 * Keeps sources as they are until a transaction ends. Whoever changes a source or its chunks locks the source first, and
 * so does whoever writes to their queue, vectors or dead letters: in this order nobody waits for one another in a circle,
 * and a vector is never written with what its source said a moment ago.
 */
final class SourceLocks {

    private SourceLocks() {}

    static void share(Tx tx, Collection<SourceId> sources) {
        // The chunks are named for the lock of their table, which comes before that of a space (SpaceStore.keepOut).
        tx.query("""
                SELECT s.id
                FROM knowledge.knowledge_sources s
                WHERE s.id = ANY (:sources)
                  AND EXISTS (SELECT 1 FROM knowledge.knowledge_chunks c WHERE c.source_id = s.id)
                ORDER BY s.id
                FOR SHARE OF s
                """)
                .bindArray(
                        "sources",
                        Long.class,
                        sources.stream().map(SourceId::value).distinct().toArray())
                .mapTo(Long.class)
                .list();
    }
}
