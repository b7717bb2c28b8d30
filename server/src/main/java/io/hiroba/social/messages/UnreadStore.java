package io.hiroba.social.messages;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.PostCardStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts of the messages that the members of threads have not read. */
final class UnreadStore {

    /** Counts a message that was added, for its sender as read; returns those who see it. */
    List<UserId> deliver(Tx tx, DirectMessage message) {
        return tx.query("""
                        UPDATE social.message_members o
                        SET last_message_id = greatest(o.last_message_id, :id),
                            unread = CASE o.user_id WHEN :viewer THEN 0 ELSE o.unread + 1 END,
                            read_number = CASE o.user_id WHEN :viewer THEN :number ELSE o.read_number END
                        WHERE o.thread_id = :thread AND %s
                        RETURNING o.user_id
                        """.formatted(PostCardStore.visible("o.user_id")))
                .bind("id", message.id().value())
                .bind("number", message.number())
                .bind("thread", message.thread().value())
                .bind("viewer", message.sender().id().value())
                .map(row -> new UserId(row.getLong("user_id")))
                .list();
    }

    /**
     * The unread messages after a number, given as SQL: at most those that are there and that the member sees. Those that the
     * end of a block shows again were counted as read.
     */
    private static String left(String number) {
        return """
                CASE o.unread WHEN 0 THEN 0
                  ELSE least(o.unread, (SELECT count(*)::int FROM social.messages m
                                        WHERE m.thread_id = o.thread_id AND m.number > %s AND %s)) END
                """.formatted(number, PostCardStore.visible("o.user_id", "m.sender_id"))
                .strip();
    }

    /** Notes what a member has read; empty if they are none, false if they had read it already. */
    Optional<Boolean> read(Tx tx, ThreadId thread, UserId member, int until) {
        // Locked first: a message that comes meanwhile is counted afterwards.
        var unread = tx.query("""
                        SELECT unread FROM social.message_members WHERE thread_id = :thread AND user_id = :member FOR UPDATE
                        """)
                .bind("thread", thread.value())
                .bind("member", member.value())
                .mapTo(Integer.class)
                .findOne();
        return unread.map(before -> tx.query("""
                        UPDATE social.message_members o
                        SET read_number = greatest(o.read_number, least(:until, t.last_number)),
                            unread = %s
                        FROM social.message_threads t
                        WHERE o.thread_id = :thread AND o.user_id = :member AND t.id = o.thread_id
                        RETURNING o.unread
                        """.formatted(left("greatest(:until, o.read_number)")))
                        .bind("thread", thread.value())
                        .bind("member", member.value())
                        .bind("until", until)
                        .mapTo(Integer.class)
                        .one()
                < before);
    }

    /** The unread messages of a member of a thread. */
    record Left(ThreadId thread, UserId member, int unread) {}

    /** Counts deleted messages of locked threads no longer; returns what those have left who had unread ones. */
    List<Left> recount(Tx tx, Collection<ThreadId> threads) {
        return tx.query("""
                        UPDATE social.message_members o
                        SET unread = %s
                        WHERE o.thread_id = ANY (:threads) AND o.unread > 0
                        RETURNING o.thread_id, o.user_id, o.unread
                        """.formatted(left("o.read_number")))
                .bindArray("threads", Long.class, threads, ThreadId::value)
                .map(row -> new Left(
                        new ThreadId(row.getLong("thread_id")),
                        new UserId(row.getLong("user_id")),
                        row.getInt("unread")))
                .list();
    }

    /** The state of a reader's threads: how many have unread messages, and the newest message of all. */
    record Unread(int threads, long latest) {}

    /** Of each of {@code readers} who has threads; a count stops at {@code max}. */
    Map<UserId, Unread> unread(Reads reads, Collection<UserId> readers, int max) {
        var found = new HashMap<UserId, Unread>();
        reads.query("""
                        SELECT r.id,
                               (SELECT count(*) FROM (
                                    SELECT FROM social.message_members o WHERE o.user_id = r.id AND o.unread > 0 LIMIT :max) c) AS threads,
                               newest.last_message_id
                        FROM unnest(:readers) AS r (id)
                        CROSS JOIN LATERAL (
                            SELECT o.last_message_id FROM social.message_members o
                            WHERE o.user_id = r.id ORDER BY o.last_message_id DESC LIMIT 1) newest
                        """)
                .bindArray("readers", Long.class, readers, UserId::value)
                .bind("max", max)
                .map(row -> Map.entry(
                        new UserId(row.getLong("id")),
                        new Unread(row.getInt("threads"), row.getLong("last_message_id"))))
                .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        return found;
    }
}
