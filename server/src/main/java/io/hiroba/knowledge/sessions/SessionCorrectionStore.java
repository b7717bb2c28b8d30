package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.List;

/** Reads sessions by their keys, changes messages, and finds the sources that hold them. */
final class SessionCorrectionStore {

    /**
     * A part of a session that was archived to a source.
     *
     * @param first the index of its first message, before which it has an overlap
     * @param end the index after its last message
     */
    record ArchivedPart(SourceId id, String title, int first, int end) {

        boolean hasInChunks(int index) {
            return index >= first - SessionSource.OVERLAP && index < end;
        }
    }

    /** A scan of the unique index of keys; ids are ordered alike in every collation. */
    List<ChatSession> numbered(Reads reads, UserId owner, String prefix, String below, int limit) {
        return reads.query("""
                SELECT %s FROM knowledge.sessions
                WHERE owned_by = :owner AND session_key >= :prefix || '0000000000000000' AND session_key < :prefix || :below
                  AND starts_with(session_key, :prefix)
                  AND substr(session_key, length(:prefix) + 1) ~ '^[0-7][0-9A-F]{15}$'
                ORDER BY session_key DESC
                LIMIT :limit
                """.formatted(ChatSessionStore.COLUMNS))
                .bind("owner", owner.value())
                .bind("prefix", prefix)
                .bind("below", below)
                .bind("limit", limit)
                .map(ChatSessionStore::session)
                .list();
    }

    /** False if there is no such message. */
    boolean setContent(Tx tx, ChatSessionId session, int index, String content) {
        return tx.update("""
                UPDATE knowledge.session_messages SET content = :content
                WHERE session_id = :session AND message_index = :index
                """)
                        .bind("session", session.value())
                        .bind("index", index)
                        .bind("content", content)
                        .execute()
                == 1;
    }

    ChatSession nextVersion(Tx tx, ChatSessionId session) {
        return tx.query("UPDATE knowledge.sessions SET version = version + 1 WHERE id = :id RETURNING %s"
                        .formatted(ChatSessionStore.COLUMNS))
                .bind("id", session.value())
                .map(ChatSessionStore::session)
                .one();
    }

    /** The sources of a locked session, which stay as they are until {@code tx} ends. Their owner may have changed the metadata. */
    List<ArchivedPart> lockParts(Tx tx, ChatSession session) {
        return tx.query("""
                SELECT id, title, CAST(split_part(origin, ':', 3) AS integer) AS first,
                       CASE WHEN metadata ->> 'message_count' ~ '^[0-9]{1,6}$'
                            THEN CAST(split_part(origin, ':', 3) AS integer) + CAST(metadata ->> 'message_count' AS integer)
                       END AS ends
                FROM knowledge.knowledge_sources
                WHERE owned_by = :owner AND starts_with(origin, :origin)
                ORDER BY id
                FOR UPDATE
                """)
                .bind("owner", session.owner().value())
                .bind("origin", ChatSessionStore.origin(session.id()))
                .map(row -> {
                    int end = row.getInt("ends");
                    return new ArchivedPart(
                            new SourceId(row.getLong("id")),
                            row.getString("title"),
                            row.getInt("first"),
                            row.wasNull() ? session.archived() : Math.min(end, session.archived()));
                })
                .list();
    }
}
