package io.hiroba.social;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.TimelineWindows.TimelineLimits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The store of timelines. Every statement reads the current state, whatever the event said, and may be repeated. It is about
 * at most a batch of rows for each post or pair and returns where to continue, so that a million followers take many short
 * statements.
 */
final class TimelineStore {

    private final TimelineLimits limits;
    private final int batchSize;

    TimelineStore(TimelineLimits limits, int batchSize) {
        this.limits = limits;
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

    /** A follower and a followee, present or former. */
    record FollowPair(long follower, long followee) {}

    /**
     * Inserts root posts into the timelines of a batch of followers each: of those who have one, open or not, and in which the
     * author's posts are written.
     */
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
                    SELECT r.follower_id, r.id, r.author FROM readers r
                    WHERE (SELECT r.author <> ALL (w.pulled) FROM social.timeline_windows w
                           WHERE w.user_id = r.follower_id)
                    ON CONFLICT (user_id, post_id) DO NOTHING)
                """ + REACHED), steps);
    }

    /** Deletes posts that no longer exist from the timelines of a batch of followers each. */
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
                    DELETE FROM social.timelines t USING readers r
                    WHERE t.user_id = r.follower_id AND t.post_id = r.id)
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

    /**
     * Locks the windows of {@code readers}, in one order, until {@code tx} ends; returns those that are built. An open one is
     * left to its build, which comes after this transaction and sees what this one sees.
     */
    Set<Long> lockBuilt(Tx tx, Collection<Long> readers) {
        return tx
                .query("""
                        SELECT user_id, floor FROM social.timeline_windows
                        WHERE user_id = ANY (:readers) ORDER BY user_id FOR UPDATE
                        """)
                .bindArray("readers", Long.class, readers)
                .map(row -> new Locked(row.getLong("user_id"), row.getLong("floor")))
                .list()
                .stream()
                .filter(window -> window.floor() != TimelineWindowStore.OPEN)
                .map(Locked::reader)
                .collect(Collectors.toSet());
    }

    private record Locked(long reader, long floor) {}

    /**
     * Inserts the followees' root posts into the locked windows of their followers. Where there are more than a timeline
     * keeps, the window's floor is raised to the last of them.
     */
    void backfill(Tx tx, List<FollowPair> pairs) {
        pairs(tx.query("""
                        WITH roots AS MATERIALIZED (
                            SELECT n.follower, n.followee, p.id
                            FROM unnest(:followers, :followees) AS n (follower, followee)
                            JOIN social.timeline_windows w ON w.user_id = n.follower AND n.followee <> ALL (w.pulled)
                            JOIN social.user_follows f
                              ON f.follower_id = n.follower AND f.followee_id = n.followee
                            CROSS JOIN LATERAL (
                                SELECT id FROM social.posts
                                WHERE owned_by = n.followee AND reply_to IS NULL AND id >= w.floor
                                ORDER BY id DESC LIMIT :size + 1) p),
                        write AS (
                            INSERT INTO social.timelines (user_id, post_id, owned_by)
                            SELECT follower, id, followee FROM roots
                            ON CONFLICT (user_id, post_id) DO NOTHING),
                        many AS (
                            SELECT follower, max(lowest) AS floor
                            FROM (SELECT follower, min(id) AS lowest FROM roots
                                  GROUP BY follower, followee HAVING count(*) > :size) AS pair
                            GROUP BY follower)
                        UPDATE social.timeline_windows w SET floor = m.floor FROM many m WHERE w.user_id = m.follower
                        RETURNING w.user_id
                        """).bind("size", limits.size()), pairs)
                .mapTo(Long.class)
                .list();
    }

    /** Takes followees who are not followed any more out of those who are pulled by their followers, whose windows are locked. */
    void unpull(Tx tx, List<FollowPair> pairs) {
        pairs(tx.query("""
                        UPDATE social.timeline_windows w
                        SET pulled = ARRAY(SELECT p.id FROM unnest(w.pulled) AS p (id) WHERE p.id <> ALL (n.followees))
                        FROM (SELECT n.follower, array_agg(n.followee) AS followees
                              FROM unnest(:followers, :followees) AS n (follower, followee)
                              WHERE NOT EXISTS (SELECT FROM social.user_follows f
                                                WHERE f.follower_id = n.follower AND f.followee_id = n.followee)
                              GROUP BY n.follower) n
                        WHERE w.user_id = n.follower AND w.pulled && n.followees
                        RETURNING w.user_id
                        """), pairs).mapTo(Long.class).list();
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
                .map(row -> new FollowPair(row.getLong("follower"), row.getLong("followee")))
                .list();
    }

    /**
     * Deletes a batch of a deleted user's timeline; false at the end. Their posts in other timelines are passed over by
     * readers, until these are built anew.
     */
    boolean deleteUser(Tx tx, long user) {
        return tx.update("""
                        DELETE FROM social.timelines
                        WHERE user_id = :user AND post_id IN (
                            SELECT post_id FROM social.timelines WHERE user_id = :user LIMIT :batchSize)
                        """).bind("user", user).bind("batchSize", batchSize).execute() >= batchSize;
    }

    private static Query pairs(Query query, List<FollowPair> pairs) {
        return query.bindArray("followers", Long.class, pairs, FollowPair::follower)
                .bindArray("followees", Long.class, pairs, FollowPair::followee);
    }
}
