package io.hiroba.social.messages;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.Author;
import io.hiroba.social.PostCardStore;
import io.hiroba.social.messages.MessageThread.ThreadMember;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of private threads and their messages. Every statement that reads for somebody asks for their membership. */
final class DirectMessageStore {

    private static final String THREAD = """
            SELECT o.thread_id, o.unread, o.last_message_id, t.pair_low IS NOT NULL AS pair
            FROM social.message_members o JOIN social.message_threads t ON t.id = o.thread_id\s""";

    private static final String MESSAGE = """
            m.id, m.thread_id, m.number, m.sender_id, m.content, m.about, u.nickname, u.avatar, u.kind""";

    private static final String DELETE = """
            WITH gone AS (
                SELECT m.id FROM social.messages m JOIN social.message_threads t ON t.id = m.thread_id
                WHERE %s ORDER BY m.id LIMIT :limit FOR UPDATE OF t %s)
            DELETE FROM social.messages m USING gone WHERE m.id = gone.id
            RETURNING m.thread_id
            """;

    /** Messages of people with a block between them and the viewer are not shown. */
    private static final String VISIBLE = PostCardStore.visible("m.sender_id");

    /** Those of {@code people} who exist, as threads show them. */
    List<Author> people(Reads reads, Collection<UserId> people) {
        return reads.query("""
                        SELECT id, nickname, avatar, kind FROM accounts.user_card WHERE id = ANY (:people) ORDER BY id
                        """)
                .bindArray("people", Long.class, people, UserId::value)
                .map(row -> Author.of(row, "id"))
                .list();
    }

    /** Those with these nicknames, of each name at most two, whom no block separates from {@code viewer}. */
    List<Author> named(Reads reads, UserId viewer, Collection<String> names) {
        return reads.query("""
                        SELECT u.id, u.nickname, u.avatar, u.kind FROM unnest(:names) AS n (name)
                        CROSS JOIN LATERAL (
                            SELECT c.id, c.nickname, c.avatar, c.kind FROM accounts.user_card c
                            WHERE LOWER(c.nickname) = LOWER(n.name) AND %s
                            LIMIT 2) u
                        """.formatted(PostCardStore.visible("c.id")))
                .bind("viewer", viewer.value())
                .bindArray("names", String.class, names)
                .map(row -> Author.of(row, "id"))
                .list();
    }

    /** Whether a block is between {@code viewer} and any of {@code others}. */
    boolean isBlocked(Reads reads, UserId viewer, Collection<UserId> others) {
        return reads.query("SELECT EXISTS (SELECT FROM unnest(:others) AS o (id) WHERE NOT (%s))"
                        .formatted(PostCardStore.visible("o.id")))
                .bind("viewer", viewer.value())
                .bindArray("others", Long.class, others, UserId::value)
                .mapTo(Boolean.class)
                .one();
    }

    /** The thread of two people; one that two open at once is one. */
    Optional<ThreadId> pair(Reads reads, UserId one, UserId other) {
        return reads.query("SELECT id FROM social.message_threads WHERE pair_low = :low AND pair_high = :high")
                .bind("low", Math.min(one.value(), other.value()))
                .bind("high", Math.max(one.value(), other.value()))
                .map(row -> new ThreadId(row.getLong("id")))
                .findOne();
    }

    /** False if the thread of this pair is there already. */
    boolean insertPair(Tx tx, ThreadId id, UserId one, UserId other) {
        return tx.update("""
                                INSERT INTO social.message_threads (id, pair_low, pair_high) VALUES (:id, :low, :high)
                                ON CONFLICT (pair_low, pair_high) WHERE pair_low IS NOT NULL DO NOTHING
                                """)
                        .bind("id", id.value())
                        .bind("low", Math.min(one.value(), other.value()))
                        .bind("high", Math.max(one.value(), other.value()))
                        .execute()
                == 1;
    }

    void insertGroup(Tx tx, ThreadId id) {
        tx.update("INSERT INTO social.message_threads (id) VALUES (:id)")
                .bind("id", id.value())
                .execute();
    }

    void addMembers(Tx tx, ThreadId thread, Collection<UserId> members) {
        tx.update("""
                        INSERT INTO social.message_members (thread_id, user_id, last_message_id)
                        SELECT :thread, u.id, :thread FROM unnest(:members) AS u (id) ORDER BY u.id
                        """)
                .bind("thread", thread.value())
                .bindArray("members", Long.class, members, UserId::value)
                .execute();
    }

    /** A thread that is locked. */
    record Locked(int lastNumber, boolean pair) {}

    /** The message with this number, if it was not deleted. */
    Optional<MessageId> at(Reads reads, ThreadId thread, int number) {
        return reads.query("SELECT id FROM social.messages WHERE thread_id = :thread AND number = :number")
                .bind("thread", thread.value())
                .bind("number", number)
                .map(row -> new MessageId(row.getLong("id")))
                .findOne();
    }

    /** Locks a thread of {@code member}: until {@code tx} ends nobody else writes in it. */
    Optional<Locked> lock(Tx tx, ThreadId thread, UserId member) {
        return tx.query("""
                        SELECT t.last_number, t.pair_low IS NOT NULL AS pair FROM social.message_threads t
                        WHERE t.id = :thread AND EXISTS (SELECT FROM social.message_members m WHERE m.thread_id = t.id AND m.user_id = :member)
                        FOR UPDATE OF t
                        """)
                .bind("thread", thread.value())
                .bind("member", member.value())
                .map(row -> new Locked(row.getInt("last_number"), row.getBoolean("pair")))
                .findOne();
    }

    /**
     * Adds a message to a locked thread.
     *
     * @param tokens the text form of a tsvector
     */
    void insert(Tx tx, DirectMessage message, String tokens) {
        tx.update("""
                        INSERT INTO social.messages (id, thread_id, number, sender_id, content, about, tokens)
                        VALUES (:id, :thread, :number, :sender, :content, :about, CAST(:tokens AS tsvector))
                        """)
                .bind("id", message.id().value())
                .bind("thread", message.thread().value())
                .bind("number", message.number())
                .bind("sender", message.sender().id().value())
                .bind("content", message.content())
                .bind("about", message.about())
                .bind("tokens", tokens)
                .execute();
        tx.update("UPDATE social.message_threads SET last_number = :number WHERE id = :thread")
                .bind("number", message.number())
                .bind("thread", message.thread().value())
                .execute();
    }

    /** Whether there was such a member of a group. */
    boolean leave(Tx tx, ThreadId thread, UserId member) {
        return tx.update("""
                                DELETE FROM social.message_members o USING social.message_threads t
                                WHERE o.thread_id = :thread AND o.user_id = :member AND t.id = o.thread_id AND t.pair_low IS NULL
                                """)
                        .bind("thread", thread.value())
                        .bind("member", member.value())
                        .execute()
                == 1;
    }

    /** False if the sender has no such message in the thread. */
    boolean delete(Tx tx, ThreadId thread, MessageId message, UserId sender) {
        return tx.update("""
                                DELETE FROM social.messages WHERE id = :id AND thread_id = :thread AND sender_id = :sender
                                """)
                        .bind("id", message.value())
                        .bind("thread", thread.value())
                        .bind("sender", sender.value())
                        .execute()
                == 1;
    }

    /** The threads of {@code viewer}, with the newest message first; without members and newest messages. */
    List<MessageThread> list(Reads reads, UserId viewer, long before, int limit) {
        return reads.query(THREAD + """
                        WHERE o.user_id = :viewer AND o.last_message_id < :before
                        ORDER BY o.last_message_id DESC, o.thread_id DESC LIMIT :limit
                        """)
                .bind("viewer", viewer.value())
                .bind("before", before)
                .bind("limit", limit)
                .map(DirectMessageStore::thread)
                .list();
    }

    Optional<MessageThread> find(Reads reads, UserId viewer, ThreadId thread) {
        return reads.query(THREAD + """
                        WHERE o.user_id = :viewer AND o.thread_id = :thread
                        """)
                .bind("viewer", viewer.value())
                .bind("thread", thread.value())
                .map(DirectMessageStore::thread)
                .findOne();
    }

    private static MessageThread thread(ResultSet row) throws SQLException {
        return new MessageThread(
                new ThreadId(row.getLong("thread_id")),
                List.of(),
                row.getBoolean("pair"),
                row.getInt("unread"),
                null,
                row.getLong("last_message_id"));
    }

    Map<ThreadId, List<ThreadMember>> members(Reads reads, Collection<ThreadId> threads) {
        var found = new HashMap<ThreadId, List<ThreadMember>>();
        reads.query("""
                        SELECT o.thread_id, o.user_id, o.read_number, u.nickname, u.avatar, u.kind
                        FROM social.message_members o
                        JOIN accounts.user_card u ON u.id = o.user_id
                        WHERE o.thread_id = ANY (:threads)
                        ORDER BY o.user_id
                        """)
                .bindArray("threads", Long.class, threads, ThreadId::value)
                .map(row -> Map.entry(
                        new ThreadId(row.getLong("thread_id")),
                        new ThreadMember(Author.of(row, "user_id"), row.getInt("read_number"))))
                .forEach(entry -> found.computeIfAbsent(entry.getKey(), thread -> new ArrayList<>())
                        .add(entry.getValue()));
        return found;
    }

    /** The newest message of each thread that {@code viewer} sees. */
    Map<ThreadId, DirectMessage> newest(Reads reads, UserId viewer, Collection<ThreadId> threads) {
        var found = new HashMap<ThreadId, DirectMessage>();
        reads.query("""
                        SELECT %s FROM unnest(:threads) AS t (id)
                        CROSS JOIN LATERAL (
                            SELECT * FROM social.messages m WHERE m.thread_id = t.id AND %s ORDER BY m.number DESC LIMIT 1) m
                        JOIN accounts.user_card u ON u.id = m.sender_id
                        """.formatted(MESSAGE, VISIBLE))
                .bind("viewer", viewer.value())
                .bindArray("threads", Long.class, threads, ThreadId::value)
                .map(DirectMessageStore::message)
                .forEach(message -> found.put(message.thread(), message));
        return found;
    }

    /** Messages of a thread of {@code viewer} between two numbers, both left out, the newest first. */
    List<DirectMessage> messages(Reads reads, UserId viewer, ThreadId thread, int after, int before, int limit) {
        return reads.query("""
                        SELECT %s FROM social.messages m
                        JOIN accounts.user_card u ON u.id = m.sender_id
                        WHERE m.thread_id = :thread AND m.number > :after AND m.number < :before AND %s
                          AND EXISTS (SELECT FROM social.message_members o WHERE o.thread_id = :thread AND o.user_id = :viewer)
                        ORDER BY m.number DESC
                        LIMIT :limit
                        """.formatted(MESSAGE, VISIBLE))
                .bind("viewer", viewer.value())
                .bind("thread", thread.value())
                .bind("after", after)
                .bind("before", before)
                .bind("limit", limit)
                .map(DirectMessageStore::message)
                .list();
    }

    List<DirectMessage> messages(Reads reads, UserId viewer, Collection<MessageId> ids) {
        return reads.query("""
                        SELECT %s FROM social.messages m
                        JOIN accounts.user_card u ON u.id = m.sender_id
                        JOIN social.message_members o ON o.thread_id = m.thread_id AND o.user_id = :viewer
                        WHERE m.id = ANY (:ids) AND %s
                        """.formatted(MESSAGE, VISIBLE))
                .bind("viewer", viewer.value())
                .bindArray("ids", Long.class, ids, MessageId::value)
                .map(DirectMessageStore::message)
                .list();
    }

    /** The newest messages first that match {@code query}, a tsquery in text form that holds the mark of {@code viewer}. */
    List<DirectMessage> search(Reads reads, UserId viewer, String query, long before, int limit) {
        return reads.query("""
                        SELECT %s FROM social.messages m
                        JOIN accounts.user_card u ON u.id = m.sender_id
                        JOIN social.message_members o ON o.thread_id = m.thread_id AND o.user_id = :viewer
                        WHERE m.tokens @@ CAST(:query AS tsquery) AND m.id < :before AND %s
                        ORDER BY m.id DESC
                        LIMIT :limit
                        """.formatted(MESSAGE, VISIBLE))
                .bind("viewer", viewer.value())
                .bind("query", query)
                .bind("before", before)
                .bind("limit", limit)
                .map(DirectMessageStore::message)
                .list();
    }

    private static DirectMessage message(ResultSet row) throws SQLException {
        @Nullable String about = row.getString("about");
        return new DirectMessage(
                new MessageId(row.getLong("id")),
                new ThreadId(row.getLong("thread_id")),
                row.getInt("number"),
                Author.of(row, "sender_id"),
                row.getString("content"),
                about != null && DirectMessage.isAbout(about) ? about : null);
    }

    /** Deletes up to {@code limit} messages of {@code sender}, and locks their threads; returns the thread of each. */
    List<ThreadId> deleteSome(Tx tx, UserId sender, int limit) {
        return deleted(tx.query(DELETE.formatted("m.sender_id = :sender", ""))
                .bind("sender", sender.value())
                .bind("limit", limit));
    }

    /** As {@link #deleteSome}, messages that are older than {@code before}; threads that are locked are left for later. */
    List<ThreadId> deleteOlder(Tx tx, long before, int limit) {
        return deleted(tx.query(DELETE.formatted("m.id < :before", "SKIP LOCKED"))
                .bind("before", before)
                .bind("limit", limit));
    }

    private static List<ThreadId> deleted(Query query) {
        return query.map(row -> new ThreadId(row.getLong("thread_id"))).list();
    }

    /** Deletes up to {@code limit} threads without members; returns how many. */
    int deleteEmpty(Tx tx, int limit) {
        return tx.update("""
                        DELETE FROM social.message_threads
                        WHERE id IN (SELECT t.id FROM social.message_threads t
                                     WHERE NOT EXISTS (SELECT FROM social.message_members o WHERE o.thread_id = t.id)
                                     LIMIT :limit FOR UPDATE SKIP LOCKED)
                        """).bind("limit", limit).execute();
    }
}
