package io.hiroba.social.feed;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The table timelines. Every statement goes by what is so at its time, whatever the event said, and may be repeated. It
 * writes at most a chunk of rows for each post or pair and answers where to go on, so that an author with a million
 * followers is a matter of many short statements.
 */
final class TimelineStore {

    private final int chunk;

    TimelineStore(int chunk) {
        this.chunk = chunk;
    }

    /**
     * A post on its way to its author's followers, and how far among them it has come.
     *
     * @param time when {@code follower} began to follow, as the database writes it
     */
    record Delivery(long post, long author, String time, long follower) {

        static Delivery of(long post, long author) {
            return new Delivery(post, author, "-infinity", 0);
        }
    }

    /** Somebody who follows, or followed, somebody; {@code below} is the post that comes next. */
    record Pair(long follower, long followee, long below) {

        static Pair of(long follower, long followee) {
            return new Pair(follower, followee, Long.MAX_VALUE);
        }
    }

    /** Puts those that are roots into the timelines of their authors and of a chunk of the followers each. */
    List<Delivery> deliver(Tx tx, List<Delivery> deliveries) {
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
                        ORDER BY created_at, follower_id LIMIT :chunk) f),
                written AS (
                    INSERT INTO social.timelines (user_id, post_id, owned_by)
                    SELECT follower_id, id, author FROM readers
                    UNION ALL
                    SELECT owned_by, id, owned_by FROM roots
                    ON CONFLICT (user_id, post_id) DO NOTHING)
                """ + REACHED), deliveries);
    }

    /** Takes those that are gone out of the timelines of their authors and of a chunk of the followers each. */
    List<Delivery> withdraw(Tx tx, List<Delivery> deliveries) {
        return readers(tx.query("""
                WITH gone AS (
                    SELECT d.id, d.author, d.time, d.follower
                    FROM unnest(:posts, :authors, CAST(:times AS timestamptz[]), :followers) AS d (id, author, time, follower)
                    WHERE NOT EXISTS (SELECT FROM social.posts p WHERE p.id = d.id)),
                readers AS MATERIALIZED (
                    SELECT g.id, g.author, f.follower_id, f.created_at
                    FROM gone g
                    CROSS JOIN LATERAL (
                        SELECT follower_id, created_at FROM social.user_follows
                        WHERE followee_id = g.author AND (created_at, follower_id) > (g.time, g.follower)
                        ORDER BY created_at, follower_id LIMIT :chunk) f),
                written AS (
                    DELETE FROM social.timelines t
                    USING (SELECT follower_id AS user_id, id FROM readers
                           UNION ALL
                           SELECT author, id FROM gone) r
                    WHERE t.user_id = r.user_id AND t.post_id = r.id)
                """ + REACHED), deliveries);
    }

    private static final String REACHED = """
            SELECT id, author, max(created_at)::text AS time,
                   (array_agg(follower_id ORDER BY created_at DESC, follower_id DESC))[1] AS follower
            FROM readers GROUP BY id, author HAVING count(*) = :chunk
            """;

    private List<Delivery> readers(Query query, List<Delivery> deliveries) {
        return query.bindArray(
                        "posts",
                        Long.class,
                        deliveries.stream().map(Delivery::post).toArray())
                .bindArray(
                        "authors",
                        Long.class,
                        deliveries.stream().map(Delivery::author).toArray())
                .bindArray(
                        "times",
                        String.class,
                        deliveries.stream().map(Delivery::time).toArray())
                .bindArray(
                        "followers",
                        Long.class,
                        deliveries.stream().map(Delivery::follower).toArray())
                .bind("chunk", chunk)
                .map(TimelineStore::delivery)
                .list();
    }

    private static Delivery delivery(ResultSet row) throws SQLException {
        return new Delivery(row.getLong("id"), row.getLong("author"), row.getString("time"), row.getLong("follower"));
    }

    /** Puts a chunk of the followees' roots into the timelines of those who do follow them. */
    List<Pair> fill(Tx tx, List<Pair> pairs) {
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
                                ORDER BY id DESC LIMIT :chunk) p),
                        written AS (
                            INSERT INTO social.timelines (user_id, post_id, owned_by)
                            SELECT follower, id, followee FROM roots
                            ON CONFLICT (user_id, post_id) DO NOTHING)
                        SELECT follower, followee, min(id) AS below
                        FROM roots GROUP BY follower, followee HAVING count(*) = :chunk
                        """)
                                .bindArray(
                                        "below",
                                        Long.class,
                                        pairs.stream().map(Pair::below).toArray())
                                .bind("chunk", chunk),
                        pairs)
                .map(row -> new Pair(row.getLong("follower"), row.getLong("followee"), row.getLong("below")))
                .list();
    }

    /** Takes a chunk of what is not followed any more, or is gone, out of the timelines of each pair. */
    List<Pair> clear(Tx tx, List<Pair> pairs) {
        return pairs(tx.query("""
                        WITH wrong AS MATERIALIZED (
                            SELECT n.follower, n.followee, w.post_id
                            FROM unnest(:followers, :followees) AS n (follower, followee)
                            CROSS JOIN LATERAL (
                                SELECT t.post_id FROM social.timelines t
                                WHERE t.owned_by = n.followee AND t.user_id = n.follower
                                  AND NOT (EXISTS (SELECT FROM social.user_follows f
                                                   WHERE f.follower_id = n.follower AND f.followee_id = n.followee)
                                           AND EXISTS (SELECT FROM social.posts p
                                                       WHERE p.id = t.post_id AND p.reply_to IS NULL))
                                LIMIT :chunk) w),
                        written AS (
                            DELETE FROM social.timelines t USING wrong w
                            WHERE t.user_id = w.follower AND t.post_id = w.post_id)
                        SELECT follower, followee FROM wrong GROUP BY follower, followee HAVING count(*) = :chunk
                        """).bind("chunk", chunk), pairs)
                .map(row -> Pair.of(row.getLong("follower"), row.getLong("followee")))
                .list();
    }

    /** Takes a chunk of the timeline of somebody who is gone, and of their posts in others' timelines; false at the end. */
    boolean forget(Tx tx, long user) {
        return tx.query("""
                        WITH own AS (
                            SELECT user_id, post_id FROM social.timelines WHERE user_id = :user LIMIT :chunk),
                        theirs AS (
                            SELECT user_id, post_id FROM social.timelines WHERE owned_by = :user LIMIT :chunk),
                        written AS (
                            DELETE FROM social.timelines t
                            USING (SELECT user_id, post_id FROM own UNION SELECT user_id, post_id FROM theirs) g
                            WHERE t.user_id = g.user_id AND t.post_id = g.post_id
                            RETURNING t.post_id)
                        SELECT count(*) FROM written
                        """)
                        .bind("user", user)
                        .bind("chunk", chunk)
                        .mapTo(Long.class)
                        .one()
                >= chunk;
    }

    private static Query pairs(Query query, List<Pair> pairs) {
        return query.bindArray(
                        "followers",
                        Long.class,
                        pairs.stream().map(Pair::follower).toArray())
                .bindArray(
                        "followees",
                        Long.class,
                        pairs.stream().map(Pair::followee).toArray());
    }
}
