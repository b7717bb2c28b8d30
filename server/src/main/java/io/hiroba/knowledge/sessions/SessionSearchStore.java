package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.sessions.ChatSessions.FoundMessage;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.search.SearchWords;
import java.util.List;

/**
 * Finds sessions of one owner by the words of a message. There is no index of words, which every message would pay for: the
 * latest messages of the latest sessions are read, and what is older is found among the sources it was archived to.
 */
final class SessionSearchStore {

    private static final int MAX_SESSIONS = 200;
    private static final int MAX_MESSAGES_EACH = 100;

    List<FoundMessage> search(Reads reads, UserId owner, SearchWords words, int limit) {
        return query(reads, "", owner, words, limit)
                .map(row -> new FoundMessage(
                        new SessionKey(row.getString("session_key")),
                        row.getString("content"),
                        Columns.instant(row, "sent_at")))
                .list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query query(Reads reads, String lead, UserId owner, SearchWords words, int limit) {
        return reads.query(lead + """
                SELECT s.session_key, m.content, m.sent_at
                FROM (SELECT id, session_key, message_count, last_active_at
                      FROM knowledge.sessions
                      WHERE owned_by = :owner
                      ORDER BY last_active_at DESC, id DESC
                      LIMIT :sessions) AS s
                CROSS JOIN LATERAL (
                      SELECT l.content, l.sent_at
                      FROM knowledge.session_messages l
                      WHERE l.session_id = s.id AND l.message_index >= s.message_count - :messages
                        AND normalize(l.content, NFKC) ILIKE ALL (:patterns)
                      ORDER BY l.message_index DESC
                      LIMIT 1) AS m
                ORDER BY s.last_active_at DESC, s.id DESC
                LIMIT :limit
                """)
                .bind("owner", owner.value())
                .bindArray("patterns", String.class, words.patterns())
                .bind("sessions", MAX_SESSIONS)
                .bind("messages", MAX_MESSAGES_EACH)
                .bind("limit", limit);
    }
}
