package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.sessions.ChatSessions.Appended;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlStatement;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and writes sessions and their messages. */
final class ChatSessionStore {

    static final String COLUMNS = """
            id, owned_by, session_key, session_type, is_public, status, guild_id, channel_id, thread_id, user_id, version,
            message_count, last_archived_message_index, created_at, last_active_at""";

    /** Empty if the owner has a session with that key already. */
    Optional<ChatSession> insert(Tx tx, ChatSessionId id, SessionRef ref, ChatSessions.Draft draft, Instant now) {
        return bound(tx.query("""
                INSERT INTO knowledge.sessions (
                    id, owned_by, session_key, session_type, is_public, guild_id, channel_id, thread_id, user_id,
                    created_at, last_active_at)
                VALUES (:id, :owner, :key, :type, :public, :guild, :channel, :thread, :user, :now, :now)
                ON CONFLICT (owned_by, session_key) DO NOTHING
                RETURNING %s
                """.formatted(COLUMNS)), draft)
                .bind("id", id.value())
                .bind("owner", ref.owner().value())
                .bind("key", ref.key().text())
                .bind("now", now)
                .map(ChatSessionStore::session)
                .findOne();
    }

    ChatSession update(Tx tx, ChatSessionId id, ChatSessions.Draft draft) {
        return bound(tx.query("""
                UPDATE knowledge.sessions
                SET session_type = :type, is_public = :public, guild_id = :guild, channel_id = :channel,
                    thread_id = :thread, user_id = :user, version = version + 1
                WHERE id = :id
                RETURNING %s
                """.formatted(COLUMNS)), draft)
                .bind("id", id.value())
                .map(ChatSessionStore::session)
                .one();
    }

    private static <S extends SqlStatement<S>> S bound(S statement, ChatSessions.Draft draft) {
        return statement
                .bind("type", draft.type().text())
                .bind("public", draft.isPublic())
                .bind("guild", draft.context().guild())
                .bind("channel", draft.context().channel())
                .bind("thread", draft.context().thread())
                .bind("user", draft.context().user());
    }

    /** @param all whether private sessions are found too */
    Optional<ChatSession> find(Reads reads, SessionRef ref, boolean all) {
        return reads.query("""
                SELECT %s FROM knowledge.sessions
                WHERE owned_by = :owner AND session_key = :key AND (is_public OR :all)
                """.formatted(COLUMNS))
                .bind("owner", ref.owner().value())
                .bind("key", ref.key().text())
                .bind("all", all)
                .map(ChatSessionStore::session)
                .findOne();
    }

    Optional<ChatSession> lock(Tx tx, SessionRef ref) {
        return tx.query("""
                SELECT %s FROM knowledge.sessions
                WHERE owned_by = :owner AND session_key = :key
                FOR UPDATE
                """.formatted(COLUMNS))
                .bind("owner", ref.owner().value())
                .bind("key", ref.key().text())
                .map(ChatSessionStore::session)
                .findOne();
    }

    void delete(Tx tx, ChatSessionId id) {
        tx.update("DELETE FROM knowledge.sessions WHERE id = :id")
                .bind("id", id.value())
                .execute();
    }

    /**
     * Reserves the next indexes and inserts the messages. Concurrent appends wait for one another at the lock of the
     * session's row.
     */
    Optional<Appended> append(
            Tx tx, SessionRef ref, List<NewMessage> messages, @Nullable Integer expected, Instant now) {
        return tx.query("""
                WITH session AS (
                    UPDATE knowledge.sessions
                    SET version = version + 1, message_count = message_count + :count, status = 'active',
                        last_active_at = greatest(last_active_at, :now)
                    WHERE owned_by = :owner AND session_key = :key AND version = coalesce(nullif(:expected, :any), version)
                    RETURNING id, version, message_count - :count AS first
                ), added AS (
                    INSERT INTO knowledge.session_messages (
                        session_id, message_index, role, content, author, message_id, sent_at)
                    SELECT s.id, s.first + m.place - 1, m.role, m.content, m.author, m.message_id,
                           coalesce(CAST(m.sent_at AS timestamptz), :now)
                    FROM session s
                    CROSS JOIN unnest(:roles, :contents, :authors, :ids, :times) WITH ORDINALITY
                        AS m (role, content, author, message_id, sent_at, place)
                )
                SELECT version, first FROM session
                """)
                .bind("owner", ref.owner().value())
                .bind("key", ref.key().text())
                .bind("count", messages.size())
                .bind("expected", expected)
                .bind("any", ChatSessions.ANY_VERSION)
                .bind("now", now)
                .bindArray(
                        "roles",
                        String.class,
                        values(messages, message -> message.role().text()))
                .bindArray("contents", String.class, values(messages, NewMessage::content))
                .bindArray("authors", String.class, values(messages, NewMessage::author))
                .bindArray("ids", Long.class, values(messages, NewMessage::messageId))
                .bindArray("times", String.class, values(messages, ChatSessionStore::time))
                .map(row -> new Appended(row.getInt("version"), row.getInt("first")))
                .findOne();
    }

    private static @Nullable String time(NewMessage message) {
        return message.sentAt() == null ? null : message.sentAt().toString();
    }

    private static @Nullable Object[] values(List<NewMessage> messages, Function<NewMessage, @Nullable Object> value) {
        return messages.stream().map(value).toArray();
    }

    /** The messages from {@code from} (inclusive) to {@code end} (exclusive). */
    List<ChatMessage> messages(Reads reads, ChatSessionId session, int from, int end) {
        return messages(reads, "", session, from, end)
                .map(ChatSessionStore::message)
                .list();
    }

    static Query messages(Reads reads, String lead, ChatSessionId session, int from, int end) {
        return reads.query(lead + """
                SELECT message_index, role, content, author, message_id, sent_at
                FROM knowledge.session_messages
                WHERE session_id = :session AND message_index >= :from AND message_index < :end
                ORDER BY message_index
                """)
                .bind("session", session.value())
                .bind("from", from)
                .bind("end", end);
    }

    List<ChatSession> list(
            Reads reads, ChatSessions.Filter filter, boolean all, Optional<SessionPosition> after, int limit) {
        return list(reads, listSql(filter, all, after.isPresent()), filter, after, limit)
                .map(ChatSessionStore::session)
                .list();
    }

    /** An index scan that checks the filters in the index. */
    static String listSql(ChatSessions.Filter filter, boolean all, boolean isContinued) {
        return """
                SELECT %s FROM knowledge.sessions
                WHERE owned_by = :owner%s%s%s%s
                ORDER BY last_active_at DESC, id DESC
                LIMIT :limit
                """.formatted(
                        COLUMNS,
                        isContinued ? " AND (last_active_at, id) < (:at, :id)" : "",
                        filter.type() == null ? "" : " AND session_type = :type",
                        filter.status() == null ? "" : " AND status = CAST(:status AS knowledge.session_status_enum)",
                        all ? "" : " AND is_public");
    }

    static Query list(Reads reads, String sql, ChatSessions.Filter filter, Optional<SessionPosition> after, int limit) {
        var query = reads.query(sql).bind("owner", filter.owner().value()).bind("limit", limit);
        after.ifPresent(position -> query.bind("at", position.lastActiveAt())
                .bind("id", position.id().value()));
        if (filter.type() != null) {
            query.bind("type", filter.type().text());
        }
        if (filter.status() != null) {
            query.bind("status", filter.status().text());
        }
        return query;
    }

    /** The sources that the session was archived to. */
    List<SourceId> sources(Reads reads, UserId owner, ChatSessionId session) {
        return reads.query("""
                SELECT id FROM knowledge.knowledge_sources
                WHERE owned_by = :owner AND starts_with(origin, :origin)
                ORDER BY id
                """)
                .bind("owner", owner.value())
                .bind("origin", origin(session))
                .map(row -> new SourceId(row.getLong("id")))
                .list();
    }

    /** The prefix of the origins of a session's sources. */
    static String origin(ChatSessionId session) {
        return "session:" + session.hex() + ":";
    }

    static ChatSession session(ResultSet row) throws SQLException {
        return new ChatSession(
                new ChatSessionId(row.getLong("id")),
                new UserId(row.getLong("owned_by")),
                new SessionKey(row.getString("session_key")),
                SessionType.parse(row.getString("session_type")),
                row.getBoolean("is_public"),
                SessionStatus.parse(row.getString("status")),
                new DiscordContext(
                        number(row, "guild_id"),
                        number(row, "channel_id"),
                        number(row, "thread_id"),
                        number(row, "user_id")),
                row.getInt("version"),
                row.getInt("message_count"),
                row.getInt("last_archived_message_index"),
                Columns.instant(row, "created_at"),
                Columns.instant(row, "last_active_at"));
    }

    private static ChatMessage message(ResultSet row) throws SQLException {
        return new ChatMessage(
                row.getInt("message_index"),
                MessageRole.parse(row.getString("role")),
                row.getString("content"),
                row.getString("author"),
                number(row, "message_id"),
                Columns.instant(row, "sent_at"));
    }

    private static @Nullable Long number(ResultSet row, String column) throws SQLException {
        return row.getObject(column, Long.class);
    }
}
