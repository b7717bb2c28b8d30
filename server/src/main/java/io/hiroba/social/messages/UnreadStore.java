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
                            unread = least(o.unread, greatest(0, t.last_number - greatest(:until, o.read_number)))
                        FROM social.message_threads t
                        WHERE o.thread_id = :thread AND o.user_id = :member AND t.id = o.thread_id
                        RETURNING o.unread
                        """)
                        .bind("thread", thread.value())
                        .bind("member", member.value())
                        .bind("until", until)
                        .mapTo(Integer.class)
                        .one()
                < before);
    }

    /** The unread messages of a member. */
    record Left(UserId member, int unread) {}

    /** Counts a message that its sender has deleted no longer for those who had not read it; returns what they have left. */
    List<Left> uncount(Tx tx, ThreadId thread, int number, UserId sender) {
        return tx.query("""
                        UPDATE social.message_members o
                        SET unread = o.unread - 1
                        WHERE o.thread_id = :thread AND o.user_id <> :viewer AND o.unread > 0 AND o.read_number < :number AND %s
                        RETURNING o.user_id, o.unread
                        """.formatted(PostCardStore.visible("o.user_id")))
                .bind("thread", thread.value())
                .bind("number", number)
                .bind("viewer", sender.value())
                .map(row -> new Left(new UserId(row.getLong("user_id")), row.getInt("unread")))
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
