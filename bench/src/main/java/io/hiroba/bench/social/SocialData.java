package io.hiroba.bench.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.text.Analysis;
import io.hiroba.social.TimelineWindows;
import java.sql.SQLException;
import java.time.Clock;

/**
 * The users and posts of the benchmark: 25,000 active users and 5,000 who posted in the beginning only. One user follows
 * 5,000 of all kinds, one 500, one 10 inactive ones, one all 5,000 inactive ones; everybody else follows five. Another 10,000
 * are new and follow and like nothing yet.
 */
final class SocialData {

    static final int PEOPLE = 30_000;
    static final int NEWCOMERS = 10_000;

    private final Db db;

    SocialData(Db db) {
        this.db = db;
        run("""
                INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                SELECT (1700000000000 + n * 1000) << 20, 'u' || n || '@example.org', 'user ' || md5(n::text), 'x', false, '[]'
                FROM generate_series(1::bigint, 40000) n
                """);
        run("INSERT INTO accounts.user_details (user_id, introduction) SELECT id, '' FROM accounts.users");
        run("""
                INSERT INTO social.user_follows (follower_id, followee_id, created_at)
                SELECT DISTINCT ON (follower, followee)
                       (1700000000000 + follower * 1000) << 20, (1700000000000 + followee * 1000) << 20,
                       now() - n * interval '1 minute'
                FROM (SELECT 1::bigint AS follower, 5 + n * 3 AS followee, n FROM generate_series(1::bigint, 5000) n
                      UNION ALL SELECT 2, 5 + n * 31, n FROM generate_series(1::bigint, 500) n
                      UNION ALL SELECT 3, 25000 + n * 31, n FROM generate_series(1::bigint, 10) n
                      UNION ALL SELECT 4, 25000 + n, n FROM generate_series(1::bigint, 5000) n
                      UNION ALL SELECT p, 1 + (p * 31 + n * 977) % 30000, n
                                FROM generate_series(5::bigint, 30000) p, generate_series(1::bigint, 5) n) f
                WHERE follower <> followee
                ORDER BY follower, followee
                """);
        run("""
                INSERT INTO social.user_counts (user_id, count_followers, count_followees, count_posts)
                SELECT u.id, (SELECT count(*) FROM social.user_follows f WHERE f.followee_id = u.id),
                       (SELECT count(*) FROM social.user_follows f WHERE f.follower_id = u.id), 0
                FROM accounts.users u
                """);
        sayIndexed();
    }

    /** Marks all posts as indexed; otherwise a server would index them during the measurement. */
    private void sayIndexed() {
        run("INSERT INTO social.search_backfills (analysis) VALUES (%d)".formatted(Analysis.VERSION));
    }

    static long person(long n) {
        return (1_700_000_000_000L + n * 1000) << 20;
    }

    static long post(long n) {
        return (1_710_000_000_000L + n * 1000) << 20;
    }

    /** Inserts posts with a tag and two likes each; every fourth is a reply. */
    void fill(long total) {
        System.err.printf("· %,d posts%n", total);
        var numbers = "generate_series(1::bigint, %d) n".formatted(total);
        var ids = "BETWEEN %d AND %d".formatted(post(1), post(total));
        run("""
                INSERT INTO social.posts (id, snippet, owned_by, reply_to, allow_likes, allow_replies)
                SELECT (1710000000000 + n * 1000) << 20,
                       '[{"T":"p","X":"' || repeat('post ' || n || ' ', 12) || '"}]',
                       (1700000000000 + (CASE WHEN n <= 25000 THEN 25001 + n % 5000 ELSE 1 + n * 7919 % 25000 END) * 1000) << 20,
                       CASE WHEN n > 100 AND n % 4 = 0 THEN (1710000000000 + (n - 1 - n % 50) * 1000) << 20 END, true, true
                FROM $numbers
                """.replace("$numbers", numbers));
        run("INSERT INTO social.post_details (post_id, content) SELECT id, 'x' FROM social.posts WHERE id " + ids);
        run("INSERT INTO social.post_tags (post_id, name, owned_by)"
                + " SELECT id, 't' || (id >> 20) / 1000 % 7, owned_by FROM social.posts WHERE id "
                + ids);
        run("""
                INSERT INTO social.post_likes (post_id, liked_by, created_at)
                SELECT p.id, (1700000000000 + (1 + ((p.id >> 20) / 1000 + k * 101) % 30000) * 1000) << 20,
                       p.created_at + k * interval '1 minute'
                FROM social.posts p, generate_series(1, 2) k WHERE p.id $ids
                """.replace("$ids", ids));
        run("""
                INSERT INTO social.post_counts (post_id, count_likes, count_replies)
                SELECT p.id, 2, (SELECT count(*) FROM social.posts r WHERE r.reply_to = p.id)
                FROM social.posts p WHERE p.id $ids
                """.replace("$ids", ids));
        fillTimelines(ids);
        vacuum();
    }

    /** Everybody has been here lately. Who follows five has a timeline that holds their whole feed. */
    private void fillTimelines(String ids) {
        run("""
                INSERT INTO social.timeline_windows (user_id, floor, pulled, read_at)
                SELECT id, 0, ARRAY[id], now() FROM accounts.users WHERE id > %d
                ON CONFLICT DO NOTHING
                """.formatted(person(4)));
        run("""
                INSERT INTO social.timelines (user_id, post_id, owned_by)
                SELECT f.follower_id, p.id, p.owned_by FROM social.user_follows f
                JOIN social.posts p ON p.owned_by = f.followee_id AND p.reply_to IS NULL AND p.id %s
                WHERE f.follower_id > %d
                """.formatted(ids, person(4)));
        var windows = new TimelineWindows(db, Clock.systemUTC());
        for (int reader = 1; reader <= 4; reader++) {
            windows.build(new UserId(person(reader)));
        }
    }

    private void vacuum() {
        try (var connection = db.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("SET statement_timeout = 0");
            statement.execute("VACUUM ANALYZE");
            statement.execute("CHECKPOINT");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Inserts consistent rows without triggers and foreign key checks. */
    private void run(String sql) {
        db.useTransaction(tx -> {
            tx.update("SET LOCAL session_replication_role = replica").execute();
            tx.update("SET LOCAL statement_timeout = 0").execute();
            tx.update(sql).execute();
        });
    }
}
