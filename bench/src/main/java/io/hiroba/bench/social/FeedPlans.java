package io.hiroba.bench.social;

import io.hiroba.social.PostCardStore;

/** Other plans of the home feed, which the timelines are compared with. */
final class FeedPlans {

    private static final String FOLLOWEES =
            "(SELECT followee_id AS who FROM social.user_follows WHERE follower_id = :viewer UNION ALL SELECT :viewer) f";
    private static final String NEWEST_OF = """
            CROSS JOIN LATERAL (
                SELECT p.id, p.owned_by FROM social.posts p
                WHERE p.owned_by = %s AND p.reply_to IS NULL AND p.id < :after
                ORDER BY p.id DESC LIMIT %d) %s
            """;

    /** The newest page of each followee, merged: the textbook plan. */
    static final String LATERAL = feed("FROM " + FOLLOWEES + "\n" + NEWEST_OF.formatted("f.who", 21, "x"));

    /** The newest post of each followee first, then the posts of the 21 newest followees: the best published plan. */
    static final String TWO_LEVELS = feed("FROM (SELECT f.who FROM " + FOLLOWEES + "\n"
            + NEWEST_OF.formatted("f.who", 1, "top") + "ORDER BY top.id DESC LIMIT 21) g\n"
            + NEWEST_OF.formatted("g.who", 21, "x"));

    /** A scan of the newest root posts, filtered by followees. */
    static final String WALK = feed("""
            FROM social.posts x
            WHERE x.reply_to IS NULL AND x.id < :after
              AND (x.owned_by = :viewer
                   OR (SELECT true FROM social.user_follows f
                       WHERE f.follower_id = :viewer AND f.followee_id = x.owned_by))
            """);

    private FeedPlans() {}

    /** The part of a feed statement that finds the posts. */
    static String hits(String feed) {
        return feed.substring(0, feed.indexOf(")\nSELECT h.sort_key")) + ")\nSELECT id FROM hits";
    }

    private static String feed(String from) {
        return PostCardStore.newestRoots(PostCardStore.page("""
                SELECT root.*, x.id AS sort_key
                FROM (SELECT x.id
                      %s%s %s
                      ORDER BY x.id DESC LIMIT %d) x
                CROSS JOIN LATERAL (SELECT %s FROM social.posts p WHERE p.id = x.id OFFSET 0) root
                ORDER BY x.id DESC
                """.formatted(
                        from,
                        from.contains("\nWHERE x.") ? "  AND" : "WHERE",
                        PostCardStore.visible("x.owned_by"),
                        PostCardStore.MAX_ROWS,
                        PostCardStore.POST)));
    }
}
