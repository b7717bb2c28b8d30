package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.PostId;
import java.util.List;
import java.util.Optional;

/**
 * Rows of muted_posts, muted_people and followed_posts. The post's row is locked while one is inserted: its deletion then comes
 * later, and the handler of that event finds the row and deletes it.
 */
final class MutesAndFollowsStore {

    /** The post with the id {@code :post}, if no block hides it from {@code :user}. */
    private static final String LOCKED_POST = """
            FROM social.post_card p
            WHERE p.id = :post
              AND (SELECT true FROM social.separated s WHERE s.one = :user AND s.other = p.owned_by LIMIT 1) IS NULL
            FOR KEY SHARE OF p
            """;

    private static final String MUTE_POST = """
            INSERT INTO activity.muted_posts (user_id, post_id, owner_id, likes, replies)
            SELECT :user, p.id, p.owned_by, :likes, :replies
            """ + LOCKED_POST + """
            ON CONFLICT (user_id, post_id) DO UPDATE SET likes = excluded.likes, replies = excluded.replies
            """;

    private static final String MUTE_MORE = """
            INSERT INTO activity.muted_posts AS m (user_id, post_id, owner_id, likes, replies)
            SELECT :user, p.id, p.owned_by, :likes, :replies
            """ + LOCKED_POST + """
            ON CONFLICT (user_id, post_id) DO UPDATE
            SET likes = m.likes OR excluded.likes, replies = m.replies OR excluded.replies
            """;

    private static final String FOLLOW_POST = """
            WITH target AS MATERIALIZED (SELECT p.id, p.owned_by
            """ + LOCKED_POST + """
            ), inserted AS (
                INSERT INTO activity.followed_posts AS f (user_id, post_id, owner_id)
                SELECT :user, t.id, t.owned_by FROM target t WHERE t.owned_by <> :user
                ON CONFLICT (user_id, post_id) DO UPDATE SET active = true, changed_at = now() WHERE NOT f.active)
            SELECT owned_by FROM target
            """;

    /** False if there is no such post for the user. */
    boolean mutePost(Tx tx, UserId user, PostId post, boolean likes, boolean replies) {
        return mute(tx, MUTE_POST, user, post, likes, replies);
    }

    /** As {@link #mutePost}, in addition to what is muted already. */
    boolean muteMore(Tx tx, UserId user, PostId post, boolean likes, boolean replies) {
        return mute(tx, MUTE_MORE, user, post, likes, replies);
    }

    private static boolean mute(Tx tx, String sql, UserId user, PostId post, boolean likes, boolean replies) {
        return tx.update(sql)
                        .bind("user", user.value())
                        .bind("post", post.value())
                        .bind("likes", likes)
                        .bind("replies", replies)
                        .execute()
                == 1;
    }

    /** Unmutes likes, replies or both. */
    void muteLess(Tx tx, UserId user, PostId post, boolean likes, boolean replies) {
        tx.query("SELECT 1 FROM activity.muted_posts WHERE user_id = :user AND post_id = :post FOR UPDATE")
                .bind("user", user.value())
                .bind("post", post.value())
                .mapTo(Integer.class)
                .findOne();
        for (var sql : List.of("""
                DELETE FROM activity.muted_posts
                WHERE user_id = :user AND post_id = :post AND (:likes OR NOT likes) AND (:replies OR NOT replies)
                """, """
                UPDATE activity.muted_posts SET likes = likes AND NOT :likes, replies = replies AND NOT :replies
                WHERE user_id = :user AND post_id = :post
                """)) {
            tx.update(sql)
                    .bind("user", user.value())
                    .bind("post", post.value())
                    .bind("likes", likes)
                    .bind("replies", replies)
                    .execute();
        }
    }

    void unmutePost(Tx tx, UserId user, PostId post) {
        tx.update("DELETE FROM activity.muted_posts WHERE user_id = :user AND post_id = :post")
                .bind("user", user.value())
                .bind("post", post.value())
                .execute();
    }

    void mutePerson(Tx tx, UserId user, UserId person) {
        tx.update("""
                        INSERT INTO activity.muted_people (user_id, person_id) VALUES (:user, :person)
                        ON CONFLICT (user_id, person_id) DO NOTHING
                        """).bind("user", user.value()).bind("person", person.value()).execute();
    }

    void unmutePerson(Tx tx, UserId user, UserId person) {
        tx.update("DELETE FROM activity.muted_people WHERE user_id = :user AND person_id = :person")
                .bind("user", user.value())
                .bind("person", person.value())
                .execute();
    }

    /** Follows a post of somebody else; returns its owner, or nothing if there is no such post for the user. */
    Optional<UserId> followPost(Tx tx, UserId user, PostId post) {
        return tx.query(FOLLOW_POST)
                .bind("user", user.value())
                .bind("post", post.value())
                .map(row -> new UserId(row.getLong("owned_by")))
                .findOne();
    }

    void unfollowPost(Tx tx, UserId user, PostId post) {
        tx.update("""
                        UPDATE activity.followed_posts SET active = false, changed_at = now()
                        WHERE user_id = :user AND post_id = :post AND active
                        """).bind("user", user.value()).bind("post", post.value()).execute();
    }

    PostPreferences ofPost(Reads reads, UserId user, PostId post) {
        return reads.query("""
                        SELECT coalesce(m.likes, false) AS likes, coalesce(m.replies, false) AS replies,
                               coalesce(f.active, false) AS followed
                        FROM (VALUES (1)) AS one
                        LEFT JOIN activity.muted_posts m ON m.user_id = :user AND m.post_id = :post
                        LEFT JOIN activity.followed_posts f ON f.user_id = :user AND f.post_id = :post
                        """)
                .bind("user", user.value())
                .bind("post", post.value())
                .map(row -> new PostPreferences(
                        row.getBoolean("likes"), row.getBoolean("replies"), row.getBoolean("followed")))
                .one();
    }

    boolean mutesPerson(Reads reads, UserId user, UserId person) {
        return reads.query("""
                        SELECT EXISTS (SELECT FROM activity.muted_people WHERE user_id = :user AND person_id = :person)
                        """)
                .bind("user", user.value())
                .bind("person", person.value())
                .mapTo(Boolean.class)
                .one();
    }
}
