package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.db.Tx;
import java.util.Collection;

/**
 * Locks sources until a transaction ends. Every writer locks the source first, then its chunks, queue, vectors or dead
 * letters: in this order there are no deadlocks, and no vector is written with outdated attributes of its source.
 */
final class SourceLockStore {

    private SourceLockStore() {}

    static void share(Tx tx, Collection<SourceId> sources) {
        // Joins the chunks, to lock their table before that of a space (SpaceStore.lockTable).
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
