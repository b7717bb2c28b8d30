package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.DeadLetter.Origin;
import io.hiroba.knowledge.embedding.DeadLetters.Filter;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlStatement;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Reads and writes dead letters; every statement is restricted to the owner. */
final class DeadLetterStore {

    /** The newest first: a scan of the owner's index, or of the primary key for all. */
    List<DeadLetter> list(Reads reads, Optional<UserId> owner, Filter filter, long before, int limit) {
        return filtered(reads.query(listSql(owner, filter)), owner, filter)
                .bind("before", before)
                .bind("limit", limit)
                .map(DeadLetterStore::letter)
                .list();
    }

    static String listSql(Optional<UserId> owner, Filter filter) {
        return """
                SELECT d.id, d.source_id, d.source_title, d.original_chunk_id, d.owned_by, d.content,
                       s.provider, s.model, s.dimensions,
                       d.error_code, d.error_message, d.retry_count, d.created_at, d.last_retry_at
                FROM knowledge.knowledge_chunks_dlq d
                JOIN knowledge.spaces s ON s.id = d.space_id
                WHERE d.dismissed_at IS NULL AND d.id < :before %s %s
                ORDER BY d.id DESC
                LIMIT :limit
                """.formatted(owned(owner), conditions(filter));
    }

    /** The key of an entry. */
    record Entry(DeadLetterId id, SourceId source) {}

    /** Entries whose chunks exist; of a single source also the dismissed ones. */
    List<Entry> retriable(Reads reads, Optional<UserId> owner, Filter filter, long before, int limit) {
        return filtered(reads.query(retriableSql(owner, filter)), owner, filter)
                .bind("before", before)
                .bind("limit", limit)
                .map(DeadLetterStore::entry)
                .list();
    }

    static String retriableSql(Optional<UserId> owner, Filter filter) {
        return """
                SELECT d.id, d.source_id
                FROM knowledge.knowledge_chunks_dlq d
                WHERE d.id < :before %s %s %s
                  AND EXISTS (SELECT 1 FROM knowledge.knowledge_chunks c
                              WHERE c.source_id = d.source_id AND c.id = d.original_chunk_id)
                ORDER BY d.id DESC
                LIMIT :limit
                """.formatted(
                        owned(owner), conditions(filter), filter.source() == null ? "AND d.dismissed_at IS NULL" : "");
    }

    boolean arePending(Reads reads, SourceId source) {
        return reads.query("""
                SELECT EXISTS (SELECT FROM knowledge.knowledge_chunks_dlq
                               WHERE source_id = :source AND dismissed_at IS NULL AND content <> '')
                """)
                .bind("source", source.value())
                .mapTo(Boolean.class)
                .one();
    }

    Optional<Entry> find(Reads reads, Optional<UserId> owner, DeadLetterId id) {
        return filtered(reads.query("""
                SELECT d.id, d.source_id
                FROM knowledge.knowledge_chunks_dlq d
                WHERE d.dismissed_at IS NULL AND d.id = :id %s
                """.formatted(owned(owner))), owner, Filter.NONE)
                .bind("id", id.value())
                .map(DeadLetterStore::entry)
                .findOne();
    }

    /** Queues chunks again, with their retries reset, and returns how many were queued. */
    int requeue(Tx tx, List<Entry> entries) {
        return tx.update("""
                WITH taken AS (
                    DELETE FROM knowledge.knowledge_chunks_dlq d
                    USING knowledge.knowledge_chunks c
                    WHERE d.id = ANY (:ids)
                      AND c.source_id = d.source_id AND c.id = d.original_chunk_id
                    RETURNING d.space_id, d.source_id, d.original_chunk_id, c.owned_by
                )
                INSERT INTO knowledge.embedding_queue (space_id, source_id, chunk_id, owned_by)
                SELECT space_id, source_id, original_chunk_id, owned_by FROM taken
                ON CONFLICT (space_id, source_id, chunk_id) DO NOTHING
                """)
                .bindArray(
                        "ids",
                        Long.class,
                        entries.stream().map(entry -> entry.id().value()).toArray())
                .execute();
    }

    /** Dismisses an entry: it is hidden only, since it explains why an existing chunk has no vector. */
    void dismiss(Tx tx, Entry entry) {
        int gone = tx.update("""
                DELETE FROM knowledge.knowledge_chunks_dlq d
                WHERE d.id = :id
                  AND NOT EXISTS (SELECT 1 FROM knowledge.knowledge_chunks c
                                  WHERE c.source_id = d.source_id AND c.id = d.original_chunk_id)
                """).bind("id", entry.id().value()).execute();
        if (gone == 0) {
            tx.update("""
                    UPDATE knowledge.knowledge_chunks_dlq
                    SET dismissed_at = CURRENT_TIMESTAMP, content = ''
                    WHERE id = :id
                    """).bind("id", entry.id().value()).execute();
        }
    }

    private static String owned(Optional<UserId> owner) {
        return owner.isPresent() ? "AND d.owned_by = :owner" : "";
    }

    private static String conditions(Filter filter) {
        return (filter.source() == null ? "" : "AND d.source_id = :source ")
                + (filter.errorCode() == null ? "" : "AND d.error_code = :code");
    }

    private static <S extends SqlStatement<S>> S filtered(S statement, Optional<UserId> owner, Filter filter) {
        owner.ifPresent(user -> statement.bind("owner", user.value()));
        var source = filter.source();
        if (source != null) {
            statement.bind("source", source.value());
        }
        if (filter.errorCode() != null) {
            statement.bind("code", filter.errorCode());
        }
        return statement;
    }

    private static Entry entry(ResultSet row) throws SQLException {
        return new Entry(new DeadLetterId(row.getLong("id")), new SourceId(row.getLong("source_id")));
    }

    private static DeadLetter letter(ResultSet row) throws SQLException {
        return new DeadLetter(
                new DeadLetterId(row.getLong("id")),
                new Origin(
                        new SourceId(row.getLong("source_id")),
                        row.getString("source_title"),
                        new ChunkId(row.getLong("original_chunk_id")),
                        new UserId(row.getLong("owned_by")),
                        row.getString("content")),
                new Model(row.getString("provider"), row.getString("model"), row.getInt("dimensions")),
                row.getString("error_code"),
                row.getString("error_message"),
                row.getInt("retry_count"),
                Columns.instant(row, "created_at"),
                Columns.instantOrNull(row, "last_retry_at"));
    }
}
