package io.hiroba.social;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The store of timelines. Every statement reads the current state, whatever the event said, and may be repeated. It writes
 * at most a batch of rows for each post or pair and returns where to continue, so that a million followers take many short
 * statements.
 */
final class TimelineStore {

    private final int batchSize;

    TimelineStore(int batchSize) {
        this.batchSize = batchSize;
    }

    /**
     * A post that is fanned out to its author's followers, and the last follower that was reached.
     *
     * @param time when {@code follower} began to follow, as the database writes it
     */
    record FanoutStep(long post, long author, String time, long follower) {

        static FanoutStep of(long post, long author) {
            return new FanoutStep(post, author, "-infinity", 0);
        }
    }

    /** A follower and a followee, present or former; posts below {@code below} come next. */
    record FollowPair(long follower, long followee, long below) {

        static FollowPair of(long follower, long followee) {
            return new FollowPair(follower, followee, Long.MAX_VALUE);
        }
    }

    /** Inserts root posts into the timelines of their authors and of a batch of followers each. */
    List<FanoutStep> fanOut(Tx tx, List<FanoutStep> steps) {
        return readers(tx.query("""
                WITH roots AS (
                    SELECT p.id, p.owned_by, d.time, d.follower
                    FROM unnest(:posts, :authors, CAST(:times AS timestamptz[]), :followers) AS d (id, author, time, follower)
                    JOIN social.posts p ON p.id = d.id AND p.reply_to IS NULL),
                readers AS MATERIALIZED (
                    SELECT r.id, r.owned_by AS author, f.follower_id, f.created_at
                    FROM roots r
                    CROSS JOIN LATERAL (
                        SELECT follower_id, created_at FROM social.user_follows
                        WHERE followee_id = r.owned_by AND (created_at, follower_id) > (r.time, r.follower)
                        ORDER BY created_at, follower_id LIMIT :batchSize) f),
                write AS (
                    INSERT INTO social.timelines (user_id, post_id, owned_by)
                    SELECT follower_id, id, author FROM readers
                    UNION ALL
                    SELECT owned_by, id, owned_by FROM roots
                    ON CONFLICT (user_id, post_id) DO NOTHING)
                """ + REACHED), steps);
    }

    /** Deletes posts that no longer exist from the timelines of their authors and of a batch of followers each. */
    List<FanoutStep> removeDeleted(Tx tx, List<FanoutStep> steps) {
        return readers(tx.query("""
                WITH missing AS (
                    SELECT d.id, d.author, d.time, d.follower
                    FROM unnest(:posts, :authors, CAST(:times AS timestamptz[]), :followers) AS d (id, author, time, follower)
                    WHERE NOT EXISTS (SELECT FROM social.posts p WHERE p.id = d.id)),
                readers AS MATERIALIZED (
                    SELECT g.id, g.author, f.follower_id, f.created_at
                    FROM missing g
                    CROSS JOIN LATERAL (
                        SELECT follower_id, created_at FROM social.user_follows
                        WHERE followee_id = g.author AND (created_at, follower_id) > (g.time, g.follower)
                        ORDER BY created_at, follower_id LIMIT :batchSize) f),
                write AS (
                    DELETE FROM social.timelines t
                    USING (SELECT follower_id AS user_id, id FROM readers
                           UNION ALL
                           SELECT author, id FROM missing) r
                    WHERE t.user_id = r.user_id AND t.post_id = r.id)
                """ + REACHED), steps);
    }

    private static final String REACHED = """
            SELECT id, author, max(created_at)::text AS time,
                   (array_agg(follower_id ORDER BY created_at DESC, follower_id DESC))[1] AS follower
            FROM readers GROUP BY id, author HAVING count(*) = :batchSize
            """;

    private List<FanoutStep> readers(Query query, List<FanoutStep> steps) {
        return query.bindArray("posts", Long.class, steps, FanoutStep::post)
                .bindArray("authors", Long.class, steps, FanoutStep::author)
                .bindArray("times", String.class, steps, FanoutStep::time)
                .bindArray("followers", Long.class, steps, FanoutStep::follower)
                .bind("batchSize", batchSize)
                .map(TimelineStore::fanoutStep)
                .list();
    }

    private static FanoutStep fanoutStep(ResultSet row) throws SQLException {
        return new FanoutStep(row.getLong("id"), row.getLong("author"), row.getString("time"), row.getLong("follower"));
    }

    /** Inserts a batch of the followees' root posts into the timelines of their followers. */
    List<FollowPair> backfill(Tx tx, List<FollowPair> pairs) {
        return pairs(
                        tx.query("""
                        WITH roots AS MATERIALIZED (
                            SELECT n.follower, n.followee, p.id
                            FROM unnest(:followers, :followees, :below) AS n (follower, followee, below)
                            JOIN social.user_follows f
                              ON f.follower_id = n.follower AND f.followee_id = n.followee
                            CROSS JOIN LATERAL (
                                SELECT id FROM social.posts
                                WHERE owned_by = n.followee AND reply_to IS NULL AND id < n.below
                                ORDER BY id DESC LIMIT :batchSize) p),
                        write AS (
                            INSERT INTO social.timelines (user_id, post_id, owned_by)
                            SELECT follower, id, followee FROM roots
                            ON CONFLICT (user_id, post_id) DO NOTHING)
                        SELECT follower, followee, min(id) AS below
                        FROM roots GROUP BY follower, followee HAVING count(*) = :batchSize
                        """)
                                .bindArray("below", Long.class, pairs, FollowPair::below)
                                .bind("batchSize", batchSize),
                        pairs)
                .map(row -> new FollowPair(row.getLong("follower"), row.getLong("followee"), row.getLong("below")))
                .list();
    }

    /** Deletes a batch of entries from the timeline of each pair that are not followed any more or no longer exist. */
    List<FollowPair> prune(Tx tx, List<FollowPair> pairs) {
        return pairs(tx.query("""
                        WITH outdated AS MATERIALIZED (
                            SELECT n.follower, n.followee, w.post_id
                            FROM unnest(:followers, :followees) AS n (follower, followee)
                            CROSS JOIN LATERAL (
                                SELECT t.post_id FROM social.timelines t
                                WHERE t.owned_by = n.followee AND t.user_id = n.follower
                                  AND NOT (EXISTS (SELECT FROM social.user_follows f
                                                   WHERE f.follower_id = n.follower AND f.followee_id = n.followee)
                                           AND EXISTS (SELECT FROM social.posts p
                                                       WHERE p.id = t.post_id AND p.reply_to IS NULL))
                                LIMIT :batchSize) w),
                        write AS (
                            DELETE FROM social.timelines t USING outdated w
                            WHERE t.user_id = w.follower AND t.post_id = w.post_id)
                        SELECT follower, followee FROM outdated GROUP BY follower, followee HAVING count(*) = :batchSize
                        """).bind("batchSize", batchSize), pairs)
                .map(row -> FollowPair.of(row.getLong("follower"), row.getLong("followee")))
                .list();
    }

    /** Deletes a batch of a deleted user's timeline, and of their posts in other timelines; false at the end. */
    boolean deleteUser(Tx tx, long user) {
        return tx.query("""
                        WITH own AS (
                            SELECT user_id, post_id FROM social.timelines WHERE user_id = :user LIMIT :batchSize),
                        theirs AS (
                            SELECT user_id, post_id FROM social.timelines WHERE owned_by = :user LIMIT :batchSize),
                        write AS (
                            DELETE FROM social.timelines t
                            USING (SELECT user_id, post_id FROM own UNION SELECT user_id, post_id FROM theirs) g
                            WHERE t.user_id = g.user_id AND t.post_id = g.post_id
                            RETURNING t.post_id)
                        SELECT count(*) FROM write
                        """)
                        .bind("user", user)
                        .bind("batchSize", batchSize)
                        .mapTo(Long.class)
                        .one()
                >= batchSize;
    }

    private static Query pairs(Query query, List<FollowPair> pairs) {
        return query.bindArray("followers", Long.class, pairs, FollowPair::follower)
                .bindArray("followees", Long.class, pairs, FollowPair::followee);
    }
}
