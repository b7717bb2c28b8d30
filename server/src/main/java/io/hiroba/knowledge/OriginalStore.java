package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes which originals there are and which sources have them. */
final class OriginalStore {

    /** What the originals of an owner's sources take; one that two of them have counts twice. */
    long usedBy(Reads reads, UserId owner) {
        return reads.query("""
                SELECT coalesce(sum(o.size), 0)::bigint
                FROM knowledge.knowledge_sources s
                JOIN knowledge.originals o ON o.id = s.original_id
                WHERE s.owned_by = :owner
                """).bind("owner", owner.value()).mapTo(Long.class).one();
    }

    /** The id of the original with that content, which stays until {@code until} without a source. */
    long register(Tx tx, String hash, long size, Instant until) {
        return tx.query("""
                INSERT INTO knowledge.originals (hash, size, check_at)
                VALUES (decode(:hash, 'hex'), :size, :until)
                ON CONFLICT (hash) DO UPDATE SET check_at = EXCLUDED.check_at
                RETURNING id
                """)
                .bind("hash", hash)
                .bind("size", size)
                .bind("until", until)
                .mapTo(Long.class)
                .one();
    }

    /** Gives a source its original; none takes it away. */
    void attach(Tx tx, SourceId source, @Nullable Long original) {
        tx.update("""
                UPDATE knowledge.knowledge_sources SET original_id = :original
                WHERE id = :source AND original_id IS DISTINCT FROM :original
                """).bind("source", source.value()).bind("original", original).execute();
    }

    Optional<Long> of(Reads reads, SourceId source) {
        return reads.query("""
                SELECT original_id FROM knowledge.knowledge_sources WHERE id = :source AND original_id IS NOT NULL
                """).bind("source", source.value()).mapTo(Long.class).findOne();
    }

    /** An original in an export. */
    record Exported(
            SourceId source, long original, @Nullable String name) {}

    /** The originals of an owner's sources after {@code after}. */
    List<Exported> listFrom(Reads reads, UserId owner, long after, int limit) {
        return reads.query("""
                SELECT id, original_id, metadata ->> 'file_name' AS name
                FROM knowledge.knowledge_sources
                WHERE owned_by = :owner AND id > :after AND original_id IS NOT NULL
                ORDER BY id
                LIMIT :limit
                """)
                .bind("owner", owner.value())
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> new Exported(
                        new SourceId(row.getLong("id")), row.getLong("original_id"), row.getString("name")))
                .list();
    }

    /** Locks originals to be looked at; those that a source is just being given are left for later. */
    List<Long> lockDue(Tx tx, Instant now, int limit) {
        return tx.query("""
                SELECT id FROM knowledge.originals
                WHERE check_at <= :now
                ORDER BY check_at
                LIMIT :limit
                FOR UPDATE SKIP LOCKED
                """)
                .bind("now", now)
                .bind("limit", limit)
                .mapTo(Long.class)
                .list();
    }

    /** Deletes those of the locked ones that no source has, and queues their files; the others need no look any more. */
    void release(Tx tx, List<Long> locked, Instant now) {
        tx.update("""
                WITH gone AS (
                    DELETE FROM knowledge.originals o
                    WHERE o.id = ANY (:ids)
                      AND NOT EXISTS (SELECT FROM knowledge.knowledge_sources s WHERE s.original_id = o.id)
                    RETURNING o.id
                )
                INSERT INTO knowledge.original_deletions (id, due_at) SELECT id, :now FROM gone
                """)
                .bindArray("ids", Long.class, locked.toArray())
                .bind("now", now)
                .execute();
        tx.update("UPDATE knowledge.originals SET check_at = NULL WHERE id = ANY (:ids)")
                .bindArray("ids", Long.class, locked.toArray())
                .execute();
    }
}
