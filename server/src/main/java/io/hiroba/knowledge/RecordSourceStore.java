package io.hiroba.knowledge;

import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and writes which records are to be sources, and finds those sources. */
final class RecordSourceStore {

    /** Records of a choice that wait to be looked at. */
    record PendingTexts(
            long texts, CollectionId collection, @Nullable UUID walkAfter, boolean ended) {}

    /** The collection of a choice; its readers are those of the records. */
    void insert(Tx tx, long texts, CollectionId collection, String name, Instant now) {
        tx.update("""
                INSERT INTO knowledge.collections (id, owned_by, name, visibility, created_at)
                SELECT :collection, NULL, :name, 'shared', :now
                WHERE NOT EXISTS (SELECT FROM knowledge.record_texts WHERE id = :texts)
                """)
                .bind("collection", collection.value())
                .bind("name", name)
                .bind("now", now)
                .bind("texts", texts)
                .execute();
        tx.update("""
                INSERT INTO knowledge.record_texts (id, collection_id)
                SELECT :texts, c.id FROM knowledge.collections c WHERE c.id = :collection
                """)
                .bind("texts", texts)
                .bind("collection", collection.value())
                .execute();
    }

    /** Has all records looked at again, under another name of their collection. */
    void walkAgain(Tx tx, long texts, String name) {
        tx.update("UPDATE knowledge.record_texts SET walk_after = DEFAULT WHERE id = :texts AND NOT ended")
                .bind("texts", texts)
                .execute();
        tx.update("""
                UPDATE knowledge.collections c SET name = :name
                FROM knowledge.record_texts t
                WHERE t.id = :texts AND c.id = t.collection_id
                """).bind("texts", texts).bind("name", name).execute();
    }

    void end(Tx tx, long texts) {
        tx.update("UPDATE knowledge.record_texts SET ended = true WHERE id = :texts")
                .bind("texts", texts)
                .execute();
        tx.update("DELETE FROM knowledge.changed_records WHERE texts_id = :texts")
                .bind("texts", texts)
                .execute();
    }

    void addChanged(Tx tx, long texts, List<UUID> rows) {
        tx.update("""
                INSERT INTO knowledge.changed_records (texts_id, row_id)
                SELECT t.id, r.row_id
                FROM knowledge.record_texts t
                CROSS JOIN (SELECT DISTINCT unnest(:rows) AS row_id ORDER BY 1) AS r
                WHERE t.id = :texts AND NOT t.ended
                ON CONFLICT DO NOTHING
                """)
                .bind("texts", texts)
                .bindArray("rows", UUID.class, rows.toArray())
                .execute();
    }

    /** Locks a choice that no other node works on: first one of which only some records changed. */
    Optional<PendingTexts> claim(Tx tx) {
        return tx.query("""
                SELECT t.id, t.collection_id, t.walk_after, t.ended
                FROM knowledge.record_texts t
                WHERE t.walk_after IS NOT NULL OR t.ended
                   OR EXISTS (SELECT FROM knowledge.changed_records c WHERE c.texts_id = t.id)
                ORDER BY t.walk_after IS NOT NULL OR t.ended, t.id
                LIMIT 1
                FOR NO KEY UPDATE OF t SKIP LOCKED
                """)
                .map(row -> new PendingTexts(
                        row.getLong("id"),
                        new CollectionId(row.getLong("collection_id")),
                        row.getObject("walk_after", UUID.class),
                        row.getBoolean("ended")))
                .findOne();
    }

    /** Whether there is something to do, possibly for another node. */
    boolean hasPending(Tx tx) {
        return tx.query("""
                SELECT EXISTS (SELECT FROM knowledge.record_texts WHERE walk_after IS NOT NULL OR ended)
                    OR EXISTS (SELECT FROM knowledge.changed_records) AS pending
                """).map(row -> row.getBoolean("pending")).one();
    }

    /** Removes the next records from those that changed. */
    List<UUID> takeChanged(Tx tx, long texts, int limit) {
        return tx.query("""
                DELETE FROM knowledge.changed_records
                WHERE texts_id = :texts AND row_id IN (
                    SELECT row_id FROM knowledge.changed_records WHERE texts_id = :texts ORDER BY row_id LIMIT :limit)
                RETURNING row_id
                """)
                .bind("texts", texts)
                .bind("limit", limit)
                .map(row -> row.getObject("row_id", UUID.class))
                .list();
    }

    void setWalk(Tx tx, long texts, @Nullable UUID after) {
        tx.update("UPDATE knowledge.record_texts SET walk_after = CAST(:after AS uuid) WHERE id = :texts")
                .bind("texts", texts)
                .bind("after", after == null ? null : after.toString())
                .execute();
    }

    /** Locks the sources with these origins. */
    Map<String, SourceId> lock(Tx tx, CollectionId collection, Collection<String> origins) {
        var found = new HashMap<String, SourceId>();
        tx.query("""
                SELECT id, origin FROM knowledge.knowledge_sources
                WHERE collection_id = :collection AND owned_by IS NULL AND origin = ANY (:origins)
                ORDER BY id
                FOR UPDATE
                """)
                .bind("collection", collection.value())
                .bindArray("origins", String.class, origins.toArray())
                .map(row -> found.put(row.getString("origin"), new SourceId(row.getLong("id"))) == null)
                .list();
        return found;
    }

    /** Counted up to {@code max}. */
    int count(Tx tx, CollectionId collection, int max) {
        return tx.query("""
                SELECT count(*) FROM (
                    SELECT FROM knowledge.knowledge_sources WHERE collection_id = :collection LIMIT :max) AS counted
                """)
                .bind("collection", collection.value())
                .bind("max", max)
                .mapTo(Integer.class)
                .one();
    }

    /** Deletes the next sources of a collection and, with the last of them, the collection. */
    void deleteNext(Tx tx, CollectionId collection, int limit) {
        int deleted = tx.update("""
                DELETE FROM knowledge.knowledge_sources
                WHERE id IN (
                    SELECT id FROM knowledge.knowledge_sources WHERE collection_id = :collection ORDER BY id LIMIT :limit)
                """)
                .bind("collection", collection.value())
                .bind("limit", limit)
                .execute();
        if (deleted < limit) {
            tx.update("DELETE FROM knowledge.collections WHERE id = :collection")
                    .bind("collection", collection.value())
                    .execute();
        }
    }
}
