package io.hiroba.testkit;

import io.hiroba.platform.db.Db;
import java.util.List;

/**
 * A square large enough for plans to matter: 5,001 users, 50,000 posts of which every fourth is a reply, one user who
 * follows all others, one post with 5,000 likes and 5,000 replies, a tag on every third post, and four users whom 2,000
 * others block.
 */
public final class LargeSquare {

    /** Follows everybody else. */
    public static final long FOLLOWER = id(1);

    /** Follows ten people who posted once, long ago. */
    public static final long QUIET = id(2);

    /** Liked by everybody, and answered 5,000 times. */
    public static final long VIRAL = id(10_000_001);

    private LargeSquare() {}

    /** A database with the square in it: a copy, which is far less work than filling one. */
    public static TestDatabase create() {
        return TestDatabase.copyOf(Filled.TEMPLATE);
    }

    /** The square that the others are copies of. */
    private static final class Filled {

        private static final String TEMPLATE = fill();

        private static String fill() {
            var database = TestDatabase.create();
            LargeSquare.fill(database.db());
            return database.toTemplate();
        }
    }

    /** The n-th id, in the order of time. */
    public static long id(long n) {
        return (1_700_000_000_000L + n * 1000) << 20;
    }

    private static void fill(Db db) {
        db.useTransaction(tx -> {
            for (var sql : List.of(
                    // The rows are consistent by themselves: neither triggers nor keys have to look at each.
                    "SET LOCAL session_replication_role = replica",
                    "SET LOCAL statement_timeout = 0",
                    """
                    INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                    SELECT (1700000000000 + n * 1000) << 20, 'large' || n || '@example.org',
                           CASE n %% 3 WHEN 0 THEN 'Taro ' ELSE 'user ' END || md5(n::text), 'x', false, '[]'
                    FROM generate_series(1::bigint, 5001) AS n
                    """,
                    """
                    INSERT INTO social.user_follows (follower_id, followee_id, created_at)
                    SELECT %1$d, id, created_at + interval '1 day' FROM accounts.users WHERE id <> %1$d
                    UNION ALL
                    SELECT id, %1$d, created_at + interval '2 days' FROM accounts.users WHERE id <> %1$d
                    UNION ALL
                    SELECT %2$d, ((1700000000000 + n * 1000) << 20), now()
                    FROM generate_series(4992::bigint, 5001) AS n
                    """.formatted(FOLLOWER, QUIET),
                    """
                    INSERT INTO social.user_blocks (blocker_id, blocked_id, created_at)
                    SELECT (1700000000000 + n * 1000) << 20, (1700000000000 + m * 1000) << 20, now()
                    FROM generate_series(200::bigint, 2199) AS n, generate_series(3000::bigint, 3003) AS m
                    """,
                    """
                    INSERT INTO social.posts (id, snippet, owned_by, reply_to, allow_likes, allow_replies)
                    SELECT (1700000000000 + (10000000 + n) * 1000) << 20, '[{"T":"p","X":"post ' || n || '"}]',
                           (1700000000000 + (1 + n * 7919 %% 4990) * 1000) << 20,
                           CASE WHEN n > 40000 AND n %% 2 = 0 OR n > 1 AND n %% 10 = 5
                                THEN (1700000000000 + (10000000 + CASE WHEN n > 40000 THEN 1 ELSE n / 2 END) * 1000) << 20
                           END, true, true
                    FROM generate_series(1::bigint, 50000) AS n
                    """,
                    "INSERT INTO social.post_details (post_id, content) SELECT id, 'post' FROM social.posts",
                    "INSERT INTO social.post_tags (post_id, name, owned_by) SELECT id, 'third', owned_by FROM social.posts WHERE (id >> 20) / 1000 %% 3 = 0",
                    """
                    INSERT INTO social.post_likes (post_id, liked_by, created_at)
                    SELECT %1$d, id, created_at + interval '200 days' FROM accounts.users
                    UNION ALL
                    SELECT id, %2$d, created_at FROM social.posts WHERE id <> %1$d
                    """.formatted(VIRAL, FOLLOWER),
                    """
                    INSERT INTO social.timeline_windows (user_id, floor, pulled, read_at)
                    SELECT id, 0, CASE WHEN id = %1$d THEN ARRAY[id] ELSE ARRAY[id, %1$d] END, now() FROM accounts.users
                    """.formatted(FOLLOWER),
                    """
                    INSERT INTO social.timelines (user_id, post_id, owned_by)
                    SELECT f.follower_id, p.id, p.owned_by FROM social.user_follows f
                    JOIN social.posts p ON p.owned_by = f.followee_id AND p.reply_to IS NULL
                    WHERE p.owned_by <> %d
                    """.formatted(FOLLOWER),
                    """
                    INSERT INTO social.post_counts (post_id, count_likes, count_replies)
                    SELECT p.id, (SELECT count(*) FROM social.post_likes l WHERE l.post_id = p.id),
                           (SELECT count(*) FROM social.posts r WHERE r.reply_to = p.id)
                    FROM social.posts p
                    """,
                    """
                    INSERT INTO social.user_counts (user_id, count_followers, count_followees, count_posts)
                    SELECT u.id, (SELECT count(*) FROM social.user_follows f WHERE f.followee_id = u.id),
                           (SELECT count(*) FROM social.user_follows f WHERE f.follower_id = u.id),
                           (SELECT count(*) FROM social.posts p WHERE p.owned_by = u.id)
                    FROM accounts.users u
                    """)) {
                tx.update(sql.replace("%%", "%")).execute();
            }
        });
        vacuum(db);
    }

    /** Lets the planner know what is there, and index-only scans be index-only. */
    public static void vacuum(Db db) {
        try (var connection = db.dataSource().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute("VACUUM ANALYZE");
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
