package io.hiroba.knowledge.sessions;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Finds idle sessions and advances their archive position. */
final class SessionArchiveStore {

    /** Active sessions without a message since {@code since}, the longest idle first. */
    List<ChatSession> idle(Reads reads, Instant since, SessionPosition after, int limit) {
        return idle(reads, "", since, after, limit)
                .map(ChatSessionStore::session)
                .list();
    }

    static Query idle(Reads reads, String lead, Instant since, SessionPosition after, int limit) {
        return reads.query("""
                %sSELECT %s FROM knowledge.sessions
                WHERE status = 'active' AND last_active_at < :since AND (last_active_at, id) > (:at, :id)
                ORDER BY last_active_at, id
                LIMIT :limit
                """.formatted(lead, ChatSessionStore.COLUMNS))
                .bind("since", since)
                .bind("at", after.lastActiveAt())
                .bind("id", after.id().value())
                .bind("limit", limit);
    }

    Optional<ChatSession> find(Reads reads, ChatSessionId id) {
        return reads.query("SELECT %s FROM knowledge.sessions WHERE id = :id".formatted(ChatSessionStore.COLUMNS))
                .bind("id", id.value())
                .map(ChatSessionStore::session)
                .findOne();
    }

    /** Whether the unarchived messages have this many characters, and one is by a user. */
    boolean hasEnoughContent(Reads reads, ChatSession session, int fewestCharacters) {
        return reads.query("""
                SELECT coalesce(sum(least(length(content), :fewest)) >= :fewest AND bool_or(role = 'user'), false)
                FROM knowledge.session_messages
                WHERE session_id = :session AND message_index >= :from AND message_index < :end
                """)
                .bind("fewest", fewestCharacters)
                .bind("session", session.id().value())
                .bind("from", session.archived())
                .bind("end", session.messageCount())
                .mapTo(Boolean.class)
                .one();
    }

    /** Returns false, with nothing written, if the session was changed since {@code seen}. */
    boolean advance(Tx tx, ChatSession seen, int archived, SessionStatus status) {
        return tx.update("""
                UPDATE knowledge.sessions
                SET status = CAST(:status AS knowledge.session_status_enum), last_archived_message_index = :archived,
                    version = version + 1
                WHERE id = :id AND version = :seen
                """)
                        .bind("status", status.text())
                        .bind("archived", archived)
                        .bind("id", seen.id().value())
                        .bind("seen", seen.version())
                        .execute()
                == 1;
    }
}
