package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.Claim.ClaimedChunk;
import io.hiroba.knowledge.embedding.EmbeddingSpace.State;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.db.Argument;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlStatement;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Claims, releases and completes queued chunks. Its clock is the database's, which all nodes share. */
final class EmbeddingQueueStore {

    /**
     * An equal share of what is due for each of some owners, from a random one on and round again, each found by a step in the index.
     * Whoever comes with a large upload leaves the others their turn.
     */
    private static final String IN_TURN = """
            bounds AS MATERIALIZED (
                SELECT lowest, lowest + CAST(random() * (highest - lowest) AS bigint) AS middle
                FROM (SELECT (SELECT owned_by FROM knowledge.embedding_queue WHERE space_id = :space ORDER BY owned_by LIMIT 1) AS lowest,
                             (SELECT owned_by FROM knowledge.embedding_queue WHERE space_id = :space ORDER BY owned_by DESC LIMIT 1)
                                 AS highest) AS b
            ), turn AS (
                SELECT coalesce((SELECT q.owned_by FROM knowledge.embedding_queue q
                                 WHERE q.space_id = :space AND q.owned_by >= b.middle ORDER BY q.owned_by LIMIT 1), b.lowest) AS owned_by
                FROM bounds b
                UNION
                SELECT coalesce((SELECT q.owned_by FROM knowledge.embedding_queue q
                                 WHERE q.space_id = :space AND q.owned_by > t.owned_by ORDER BY q.owned_by LIMIT 1),
                                (SELECT lowest FROM bounds))
                FROM turn t
            ), owners AS MATERIALIZED (
                SELECT t.owned_by
                FROM (SELECT owned_by FROM turn LIMIT least(:batch, 32)) AS t
                WHERE (SELECT true FROM knowledge.embedding_queue q
                       WHERE q.space_id = :space AND q.owned_by = t.owned_by AND q.due_at <= CURRENT_TIMESTAMP
                       LIMIT 1)
            ), due AS (
                SELECT d.source_id, d.chunk_id, d.retry_count, d.due_at
                FROM owners o
                CROSS JOIN LATERAL (
                    SELECT source_id, chunk_id, retry_count, due_at
                    FROM knowledge.embedding_queue
                    WHERE space_id = :space AND owned_by = o.owned_by AND due_at <= CURRENT_TIMESTAMP
                    ORDER BY due_at, chunk_id
                    LIMIT (SELECT :batch / count(*) FROM owners)
                    FOR UPDATE SKIP LOCKED) AS d
            )""";

    /** What is due the longest, whoever's it is: of the owners above, the turn may have found none with anything due. */
    private static final String OLDEST = """
            due AS (
                SELECT source_id, chunk_id, retry_count, due_at
                FROM knowledge.embedding_queue
                WHERE space_id = :space AND due_at <= CURRENT_TIMESTAMP
                ORDER BY due_at, chunk_id
                LIMIT :batch
                FOR UPDATE SKIP LOCKED
            )""";

    private static final String CLAIM = """
            WITH RECURSIVE %s, first AS (
                SELECT retry_count FROM due ORDER BY due_at, chunk_id LIMIT 1
            ), chosen AS (
                SELECT d.source_id, d.chunk_id, d.due_at
                FROM due d
                JOIN first f ON f.retry_count = d.retry_count
                ORDER BY d.due_at, d.chunk_id
                LIMIT (SELECT CASE WHEN retry_count >= :maxRetry AND retry_count > 0 THEN 1
                                   ELSE greatest(1, :batch >> least(2 * retry_count, 30)) END
                       FROM first)
            ), weighed AS (
                SELECT n.source_id, n.chunk_id, s.title, c.location ->> 'label' AS label, c.content, c.token_count,
                       sum(c.token_count) OVER (ORDER BY n.due_at, n.chunk_id ROWS UNBOUNDED PRECEDING) AS tokens
                FROM chosen n
                JOIN knowledge.knowledge_chunks c ON c.source_id = n.source_id AND c.id = n.chunk_id
                JOIN knowledge.knowledge_sources s ON s.id = n.source_id
            )
            UPDATE knowledge.embedding_queue q
            SET claim = :claim, due_at = clock_timestamp() + :lease * interval '1 millisecond'
            FROM weighed n
            WHERE q.space_id = :space AND q.source_id = n.source_id AND q.chunk_id = n.chunk_id
              AND (n.tokens <= :tokens OR n.tokens = n.token_count)
            RETURNING q.source_id, q.chunk_id, q.retry_count, n.title, n.label, n.content
            """;

    static final String CLAIM_IN_TURN = CLAIM.formatted(IN_TURN);
    static final String CLAIM_OLDEST = CLAIM.formatted(OLDEST);

    /** The maximum tokens of a claim: services refuse larger calls (OpenAI's limit is 300,000, by its own count). */
    static final int MAX_TOKENS = 200_000;

    static final String WRITE = """
            WITH taken AS (
                DELETE FROM knowledge.embedding_queue q
                USING unnest(:sources, :chunks) WITH ORDINALITY AS n (source_id, chunk_id, nth)
                WHERE q.space_id = :space AND q.source_id = n.source_id AND q.chunk_id = n.chunk_id
                  AND q.claim = :claim
                RETURNING q.source_id, q.chunk_id, n.nth
            )
            INSERT INTO %s
                (source_id, chunk_id, owned_by, channel_id, user_id, created_at, source_type, is_public, collection_id,
                 embedding)
            SELECT c.source_id, c.id, c.owned_by, c.channel_id, c.user_id, c.created_at, c.source_type, c.is_public,
                   c.collection_id,
                   (CAST(:vectors AS real[]))[(t.nth - 1) * :dimensions + 1 : t.nth * :dimensions]::halfvec
            FROM taken t
            JOIN knowledge.knowledge_chunks c ON c.source_id = t.source_id AND c.id = t.chunk_id
            ON CONFLICT (source_id, chunk_id) DO UPDATE SET embedding = excluded.embedding
            """;

    /** A chunk that became a dead letter. */
    record DeadLettered(SourceId source, String title, UserId owner) {}

    /**
     * Claims chunks of each owner in turn, those that are due the longest, with an equal number of retries. The batch shrinks with each retry,
     * to a single chunk at the last: no chunk fails because of another.
     */
    List<ClaimedChunk> claim(Tx tx, EmbeddingSpace space, UUID claim, int batch, int maxRetry, Duration lease) {
        var inTurn = claim(tx.query(CLAIM_IN_TURN), space, claim, batch, maxRetry, lease);
        return inTurn.isEmpty() ? claim(tx.query(CLAIM_OLDEST), space, claim, batch, maxRetry, lease) : inTurn;
    }

    private static List<ClaimedChunk> claim(
            Query query, EmbeddingSpace space, UUID claim, int batch, int maxRetry, Duration lease) {
        return query.bind("space", space.id())
                .bind("claim", claim)
                .bind("batch", batch)
                .bind("maxRetry", maxRetry)
                .bind("tokens", MAX_TOKENS)
                .bind("lease", lease.toMillis())
                .map(row -> new ClaimedChunk(
                        new SourceId(row.getLong("source_id")),
                        new ChunkId(row.getLong("chunk_id")),
                        row.getInt("retry_count"),
                        row.getString("title"),
                        row.getString("label"),
                        row.getString("content")))
                .list();
    }

    boolean hasDue(Reads reads, EmbeddingSpace space) {
        return reads.query("""
                SELECT EXISTS (SELECT 1 FROM knowledge.embedding_queue
                               WHERE space_id = :space AND due_at <= CURRENT_TIMESTAMP)
                """).bind("space", space.id()).mapTo(Boolean.class).one();
    }

    boolean hasDeadLettersSince(Reads reads, EmbeddingSpace space, Fault fault, Duration time) {
        return reads.query("""
                SELECT EXISTS (SELECT 1 FROM knowledge.knowledge_chunks_dlq
                               WHERE space_id = :space AND error_code = :code
                                 AND created_at > CURRENT_TIMESTAMP - :time * interval '1 millisecond')
                """)
                .bind("space", space.id())
                .bind("code", fault.name())
                .bind("time", time.toMillis())
                .mapTo(Boolean.class)
                .one();
    }

    /**
     * Locks the sources of the claimed chunks, and the space, until the transaction ends; empty if the space was
     * retired.
     */
    Optional<State> lockSources(Tx tx, Claim claim) {
        SourceLockStore.share(
                tx, claim.chunks().stream().map(ClaimedChunk::source).toList());
        return tx.query("SELECT state FROM knowledge.spaces WHERE id = :space AND state <> 'retired' FOR SHARE")
                .bind("space", claim.space().id())
                .map(row -> State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)))
                .findOne();
    }

    int renew(Tx tx, Claim claim, Duration lease) {
        return bound(tx.update("""
                UPDATE knowledge.embedding_queue q
                SET due_at = clock_timestamp() + :lease * interval '1 millisecond'
                FROM unnest(:sources, :chunks) AS n (source_id, chunk_id)
                WHERE q.space_id = :space AND q.source_id = n.source_id AND q.chunk_id = n.chunk_id AND q.claim = :claim
                """), claim).bind("lease", lease.toMillis()).execute();
    }

    /**
     * Writes the vectors of the chunks that are still claimed, removes these from the queue and returns how many there
     * were.
     *
     * @param vectors concatenated, in the order of the chunks
     */
    int write(Tx tx, Claim claim, float[] vectors) {
        var space = claim.space();
        return bound(tx.update(WRITE.formatted(space.table())), claim)
                .bind("dimensions", space.model().dimensions())
                .bind("vectors", (Argument) (statement, position) -> statement.setObject(position, vectors))
                .execute();
    }

    /** Releases the claim; the chunks are due after {@code wait}. */
    void release(Tx tx, Claim claim, Duration wait) {
        reschedule(tx, claim, wait, 0);
    }

    /** Releases the claim and counts a retry; the chunks are due after {@code wait}. */
    int postpone(Tx tx, Claim claim, Duration wait) {
        return reschedule(tx, claim, wait, 1);
    }

    private static int reschedule(Tx tx, Claim claim, Duration wait, int tries) {
        return bound(tx.update("""
                UPDATE knowledge.embedding_queue q
                SET claim = NULL, retry_count = q.retry_count + :tries,
                    due_at = clock_timestamp() + :wait * interval '1 millisecond'
                FROM unnest(:sources, :chunks) AS n (source_id, chunk_id)
                WHERE q.space_id = :space AND q.source_id = n.source_id AND q.chunk_id = n.chunk_id AND q.claim = :claim
                """), claim)
                .bind("tries", tries)
                .bind("wait", wait.toMillis())
                .execute();
    }

    /** Moves the claimed chunks to the dead letters, with {@code ids}. */
    List<DeadLettered> deadLetter(Tx tx, Claim claim, List<Long> ids, Fault fault) {
        return bound(tx.query("""
                WITH taken AS (
                    DELETE FROM knowledge.embedding_queue q
                    USING unnest(:sources, :chunks, :ids) AS n (source_id, chunk_id, id)
                    WHERE q.space_id = :space AND q.source_id = n.source_id AND q.chunk_id = n.chunk_id
                      AND q.claim = :claim
                    RETURNING q.source_id, q.chunk_id, q.retry_count, n.id
                ), deadLettered AS (
                    INSERT INTO knowledge.knowledge_chunks_dlq
                        (id, space_id, original_chunk_id, source_id, source_title, owned_by, content,
                         error_code, error_message, retry_count, last_retry_at)
                    SELECT t.id, :space, c.id, s.id, s.title, s.owned_by, c.content,
                           :code, :message, t.retry_count, CASE WHEN t.retry_count > 0 THEN CURRENT_TIMESTAMP END
                    FROM taken t
                    JOIN knowledge.knowledge_chunks c ON c.source_id = t.source_id AND c.id = t.chunk_id
                    JOIN knowledge.knowledge_sources s ON s.id = c.source_id
                    ON CONFLICT (source_id, space_id, original_chunk_id) DO UPDATE
                    SET error_code = excluded.error_code, error_message = excluded.error_message,
                        retry_count = excluded.retry_count, last_retry_at = excluded.last_retry_at
                    RETURNING source_id, source_title, owned_by
                )
                SELECT source_id, source_title, owned_by FROM deadLettered
                """), claim)
                .bindArray("ids", Long.class, ids.toArray())
                .bind("code", fault.name())
                .bind("message", fault.message().toString())
                .map(row -> new DeadLettered(
                        new SourceId(row.getLong("source_id")),
                        row.getString("source_title"),
                        new UserId(row.getLong("owned_by"))))
                .list();
    }

    private static <S extends SqlStatement<S>> S bound(S statement, Claim claim) {
        var chunks = claim.chunks();
        return statement
                .bind("space", claim.space().id())
                .bind("claim", claim.id())
                .bindArray(
                        "sources",
                        Long.class,
                        chunks.stream().map(chunk -> chunk.source().value()).toArray())
                .bindArray(
                        "chunks",
                        Long.class,
                        chunks.stream().map(chunk -> chunk.chunk().value()).toArray());
    }

    /** Counted up to {@code max}. */
    long waiting(Reads reads, int max) {
        return reads.query("SELECT count(*) FROM (SELECT FROM knowledge.embedding_queue LIMIT :max) q")
                .bind("max", max)
                .mapTo(Long.class)
                .one();
    }

    long waiting(Reads reads) {
        return reads.query("SELECT count(*) FROM knowledge.embedding_queue")
                .mapTo(Long.class)
                .one();
    }
}
