package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.EmbeddingQueueStore.DeadLettered;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.EmbeddingSpace.State;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates, switches and retires embedding spaces. */
final class SpaceStore {

    /** "hrbspace": the advisory lock for creating, switching and retiring spaces. */
    private static final long LOCK = 0x6872_6273_7061_6365L;

    private static final int BATCH_SIZE = 20_000;

    void lock(Tx tx) {
        tx.query("SELECT pg_advisory_xact_lock(:lock)")
                .bind("lock", LOCK)
                .map(row -> true)
                .list();
    }

    /**
     * Locks the chunks until the transaction ends. Dropping a table that refers to them does so anyway, but later, when
     * others already wait for locks of the transaction.
     */
    void lockTable(Tx tx, Duration patience) {
        lockTable(tx, "knowledge.knowledge_chunks", patience);
    }

    /** Locks the vectors of a space until the transaction ends. */
    void lockTable(Tx tx, EmbeddingSpace space, Duration patience) {
        lockTable(tx, space.table(), patience);
    }

    private static void lockTable(Tx tx, String table, Duration patience) {
        tx.query("SELECT set_config('lock_timeout', :patience, true)")
                .bind("patience", String.valueOf(patience.toMillis()))
                .mapTo(String.class)
                .one();
        tx.update("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE").execute();
    }

    List<EmbeddingSpace> unretired(Reads reads) {
        return reads.query("""
                SELECT id, provider, model, dimensions, state
                FROM knowledge.spaces
                WHERE state <> 'retired'
                ORDER BY id
                """).map(SpaceStore::space).list();
    }

    /** Creates a space; all chunks are queued in it. */
    void make(Tx tx, Model model, State state) {
        int made = tx.query("SELECT knowledge.make_space(:provider, :model, :dimensions, :state)")
                .bind("provider", model.provider())
                .bind("model", model.name())
                .bind("dimensions", model.dimensions())
                .bind("state", state.name().toLowerCase(Locale.ROOT))
                .mapTo(Integer.class)
                .one();
        var last = Optional.of(new Key(Long.MIN_VALUE, Long.MIN_VALUE));
        while (last.isPresent()) {
            last = fill(tx, made, last.get());
        }
    }

    /** A chunk's key. */
    private record Key(long source, long chunk) {}

    /** Queues the chunks after {@code after}, as many as a statement has time for, and returns the last one. */
    private static Optional<Key> fill(Tx tx, int space, Key after) {
        return tx.query("""
                WITH next AS (
                    SELECT source_id, id, owned_by
                    FROM knowledge.knowledge_chunks
                    WHERE (source_id, id) > (:source, :chunk)
                    ORDER BY source_id, id
                    LIMIT :limit
                ), added AS (
                    INSERT INTO knowledge.embedding_queue (space_id, source_id, chunk_id, owned_by)
                    SELECT :space, source_id, id, owned_by FROM next
                )
                SELECT source_id, id FROM next ORDER BY source_id DESC, id DESC LIMIT 1
                """)
                .bind("space", space)
                .bind("source", after.source())
                .bind("chunk", after.chunk())
                .bind("limit", BATCH_SIZE)
                .map(row -> new Key(row.getLong("source_id"), row.getLong("id")))
                .findOne();
    }

    /** Retires a space with its vectors, queue and dead letters. */
    void retire(Tx tx, EmbeddingSpace space) {
        tx.update("UPDATE knowledge.spaces SET state = 'retired' WHERE id = :id")
                .bind("id", space.id())
                .execute();
        tx.update("DELETE FROM knowledge.embedding_queue WHERE space_id = :id")
                .bind("id", space.id())
                .execute();
        tx.update("DELETE FROM knowledge.knowledge_chunks_dlq WHERE space_id = :id")
                .bind("id", space.id())
                .execute();
        tx.query("SELECT knowledge.drop_vectors(:id) IS NULL")
                .bind("id", space.id())
                .mapTo(Boolean.class)
                .one();
    }

    void activate(Tx tx, EmbeddingSpace space) {
        tx.update("UPDATE knowledge.spaces SET state = 'active', activated_at = CURRENT_TIMESTAMP WHERE id = :id")
                .bind("id", space.id())
                .execute();
    }

    /** Whether the queue of a space is empty and at most this share of its chunks are dead letters. */
    boolean isComplete(Reads reads, EmbeddingSpace space, double maxDead) {
        return reads.query("""
                SELECT CASE WHEN EXISTS (SELECT 1 FROM knowledge.embedding_queue WHERE space_id = :space) THEN false
                            ELSE (SELECT d.dead = 0
                                      OR d.dead <= :maxDead * (SELECT count(*) FROM knowledge.knowledge_chunks)
                                  FROM (SELECT count(*) AS dead
                                        FROM knowledge.knowledge_chunks_dlq l
                                        JOIN knowledge.knowledge_chunks c
                                            ON c.source_id = l.source_id AND c.id = l.original_chunk_id
                                        WHERE l.space_id = :space) AS d)
                            END
                """)
                .bind("space", space.id())
                .bind("maxDead", maxDead)
                .mapTo(Boolean.class)
                .one();
    }

    /** The dead letters of a space, counted by source and code. */
    record DeadOfSource(DeadLettered source, String code, long chunks) {}

    List<DeadOfSource> dead(Reads reads, EmbeddingSpace space) {
        return reads.query("""
                SELECT s.id, s.title, s.owned_by, d.error_code, count(*) AS chunks
                FROM knowledge.knowledge_chunks_dlq d
                JOIN knowledge.knowledge_chunks c ON c.source_id = d.source_id AND c.id = d.original_chunk_id
                JOIN knowledge.knowledge_sources s ON s.id = c.source_id
                WHERE d.space_id = :space AND d.dismissed_at IS NULL AND s.owned_by IS NOT NULL
                GROUP BY s.id, s.title, s.owned_by, d.error_code
                """)
                .bind("space", space.id())
                .map(row -> new DeadOfSource(
                        new DeadLettered(
                                new SourceId(row.getLong("id")),
                                row.getString("title"),
                                new UserId(row.getLong("owned_by"))),
                        row.getString("error_code"),
                        row.getLong("chunks")))
                .list();
    }

    List<SpaceProgress> reports(Reads reads) {
        return reads.query("""
                SELECT s.id, s.provider, s.model, s.dimensions, s.state, s.created_at, s.activated_at,
                       (SELECT count(*) FROM knowledge.knowledge_chunks) AS chunks,
                       (SELECT count(*) FROM knowledge.embedding_queue q WHERE q.space_id = s.id) AS waiting,
                       (SELECT count(*)
                        FROM knowledge.knowledge_chunks_dlq d
                        JOIN knowledge.knowledge_chunks c ON c.source_id = d.source_id AND c.id = d.original_chunk_id
                        WHERE d.space_id = s.id) AS dead
                FROM knowledge.spaces s
                WHERE s.state <> 'retired'
                ORDER BY s.id
                """)
                .map(row -> {
                    return new SpaceProgress(
                            space(row),
                            row.getLong("chunks"),
                            row.getLong("waiting"),
                            row.getLong("dead"),
                            Columns.instant(row, "created_at"),
                            Columns.instantOrNull(row, "activated_at"));
                })
                .list();
    }

    private static EmbeddingSpace space(ResultSet row) throws SQLException {
        return new EmbeddingSpace(
                row.getInt("id"),
                new Model(row.getString("provider"), row.getString("model"), row.getInt("dimensions")),
                State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)));
    }

    /** The progress of a space: all chunks, those queued and those that failed. */
    record SpaceProgress(
            EmbeddingSpace space,
            long chunks,
            long waiting,
            long dead,
            Instant createdAt,
            @Nullable Instant activatedAt) {

        long embedded() {
            return Math.max(0, chunks - waiting - dead);
        }
    }
}
