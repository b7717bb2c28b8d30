package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.Follows.Relation;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The store of follows and blocks. */
final class FollowStore {

    /** Locks the pair, so that a follow and a block of the same two people are serialised. */
    void lockPair(Tx tx, UserId one, UserId other) {
        tx.lock("social.pair", Math.min(one.value(), other.value()) + " " + Math.max(one.value(), other.value()));
    }

    /** The result of an attempt to follow somebody. */
    record FollowResult(boolean blocked, boolean inserted) {}

    /** Follows unless one blocks the other. */
    FollowResult follow(Tx tx, UserId follower, UserId followee, Instant now) {
        return tx.query("""
                        WITH pair AS (SELECT NOT (%s) AS blocked),
                        inserted AS (
                            INSERT INTO social.user_follows (follower_id, followee_id, created_at)
                            SELECT :follower, :followee, :now FROM pair WHERE NOT blocked
                            ON CONFLICT (follower_id, followee_id) DO NOTHING
                            RETURNING follower_id)
                        SELECT blocked, EXISTS (SELECT FROM inserted) AS inserted FROM pair
                        """.formatted(BlockSql.none(":follower", ":followee")))
                .bind("follower", follower.value())
                .bind("followee", followee.value())
                .bind("now", now)
                .map(row -> new FollowResult(row.getBoolean("blocked"), row.getBoolean("inserted")))
                .one();
    }

    boolean unfollow(Tx tx, UserId follower, UserId followee) {
        return tx.update("DELETE FROM social.user_follows WHERE follower_id = :follower AND followee_id = :followee")
                        .bind("follower", follower.value())
                        .bind("followee", followee.value())
                        .execute()
                == 1;
    }

    boolean block(Tx tx, UserId blocker, UserId blocked, Instant now) {
        return tx.update("""
                                INSERT INTO social.user_blocks (blocker_id, blocked_id, created_at)
                                VALUES (:blocker, :blocked, :now)
                                ON CONFLICT (blocker_id, blocked_id) DO NOTHING
                                """)
                        .bind("blocker", blocker.value())
                        .bind("blocked", blocked.value())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    /** A thread of direct messages in which somebody has nothing left to read. */
    record ReadThread(String hex, UserId reader) {}

    /** Counts the direct messages between the two, which a block hides, as read; returns the threads without unread ones. */
    List<ReadThread> readMessages(Tx tx, UserId one, UserId other) {
        return tx
                .query("""
                        UPDATE social.message_members o
                        SET unread = CASE WHEN t.pair_low IS NOT NULL THEN 0
                                          ELSE greatest(0, o.unread - (SELECT count(*)::int FROM social.messages m
                                                                       WHERE m.thread_id = o.thread_id AND m.number > o.read_number
                                                                         AND m.sender_id = hidden.user_id)) END
                        FROM social.message_threads t, social.message_members hidden
                        WHERE (o.user_id = :one AND hidden.user_id = :other OR o.user_id = :other AND hidden.user_id = :one)
                          AND o.unread > 0 AND t.id = o.thread_id AND hidden.thread_id = o.thread_id
                        RETURNING o.thread_id, o.user_id, o.unread
                        """)
                .bind("one", one.value())
                .bind("other", other.value())
                .map(row -> Map.entry(
                        new ReadThread(Ids.hex(row.getLong("thread_id")), new UserId(row.getLong("user_id"))),
                        row.getInt("unread")))
                .stream()
                .filter(entry -> entry.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    boolean unblock(Tx tx, UserId blocker, UserId blocked) {
        return tx.update("DELETE FROM social.user_blocks WHERE blocker_id = :blocker AND blocked_id = :blocked")
                        .bind("blocker", blocker.value())
                        .bind("blocked", blocked.value())
                        .execute()
                == 1;
    }

    /** Those of {@code others} who block each of {@code users} or are blocked by them; who has none is left out. */
    Map<UserId, Set<UserId>> blocksBetween(Reads reads, Collection<UserId> users, Collection<UserId> others) {
        return reads
                .query("""
                        SELECT blocker_id AS one, blocked_id AS other FROM social.user_blocks
                        WHERE blocker_id = ANY (:users) AND blocked_id = ANY (:others)
                        UNION
                        SELECT blocked_id, blocker_id FROM social.user_blocks
                        WHERE blocked_id = ANY (:users) AND blocker_id = ANY (:others)
                        """)
                .bindArray("users", Long.class, users, UserId::value)
                .bindArray("others", Long.class, others, UserId::value)
                .map(row -> Map.entry(new UserId(row.getLong("one")), new UserId(row.getLong("other"))))
                .list()
                .stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));
    }

    Optional<Relation> relation(Reads reads, UserId viewer, UserId other) {
        return reads.query("""
                        SELECT t.count_posts, t.count_followers, t.count_followees,
                               EXISTS (SELECT FROM social.user_follows
                                       WHERE follower_id = :viewer AND followee_id = :other) AS followed_by_me,
                               EXISTS (SELECT FROM social.user_follows
                                       WHERE follower_id = :other AND followee_id = :viewer) AS follows_me,
                               EXISTS (SELECT FROM social.user_blocks
                                       WHERE blocker_id = :viewer AND blocked_id = :other) AS blocked_by_me,
                               EXISTS (SELECT FROM social.user_blocks
                                       WHERE blocker_id = :other AND blocked_id = :viewer) AS blocks_me
                        FROM social.user_totals t
                        WHERE t.user_id = :other
                        """)
                .bind("viewer", viewer.value())
                .bind("other", other.value())
                .map(row -> new Relation(
                        row.getInt("count_posts"),
                        row.getInt("count_followers"),
                        row.getInt("count_followees"),
                        row.getBoolean("followed_by_me"),
                        row.getBoolean("follows_me"),
                        row.getBoolean("blocked_by_me"),
                        row.getBoolean("blocks_me")))
                .findOne();
    }
}
