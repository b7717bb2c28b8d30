package io.hiroba.social.feed;

import io.hiroba.social.PostCards;
import io.hiroba.social.feed.PostFilter.Order;
import java.util.ArrayList;
import java.util.List;

/**
 * The statements of the lists of posts. A list walks along one index in its order: that of the replies to a post, of a
 * tag, of an owner or of all posts, whichever is asked for first in this row. What else is asked for is looked up in
 * another index for each entry passed. They are public for the benchmarks, which have pgbench run the same ones.
 */
public final class PostListSql {

    public static final String FEED =
            PostCards.newestRoots("""
            SELECT root.*, t.post_id AS sort_key
            FROM social.timelines t
            CROSS JOIN LATERAL (SELECT\s""" + PostCards.POST + """
                                FROM social.posts p WHERE p.id = t.post_id AND p.reply_to IS NULL OFFSET 0) root
            WHERE t.user_id = :viewer AND t.post_id < :after
              AND\s""" + PostCards.visible("t.owned_by") + """

            ORDER BY t.post_id DESC
            """ + PostCards.LIMIT);

    public static final String LIKED = PostCards.newestFirst(
            """
            SELECT l.post_id AS id, (extract(epoch FROM l.created_at) * 1000000)::bigint AS sort_key
            FROM social.post_likes l
            CROSS JOIN LATERAL (SELECT p.owned_by FROM social.posts p WHERE p.id = l.post_id OFFSET 0) liked
            WHERE l.liked_by = :liker AND (l.created_at, l.post_id) < (:time, :after)
              AND\s""" + PostCards.visible(":liker") + " AND " + PostCards.visible("liked.owned_by") + """

            ORDER BY l.created_at DESC, l.post_id DESC
            """ + PostCards.LIMIT);

    private PostListSql() {}

    public static String of(PostFilter filter) {
        boolean byTag = filter.tag() != null && filter.replyTo() == null;
        var conditions = new ArrayList<String>();
        if (byTag) {
            conditions.add(filter.ownedBy() == null ? "t.name = :tag" : "t.name = :tag AND t.owned_by = :ownedBy");
        } else {
            conditions.addAll(ofPost(filter));
            if (filter.tag() != null) {
                conditions.add("(SELECT true FROM social.post_tags t WHERE t.post_id = p.id AND t.name = :tag)");
            }
        }
        boolean newestFirst = filter.order() == Order.NEWEST_FIRST;
        var id = byTag ? "t.post_id" : "p.id";
        conditions.add(id + (newestFirst ? " < :after" : " > :after"));
        // Once for a list of one person's, not for each of their posts.
        conditions.add(PostCards.visible(filter.ownedBy() == null ? "p.owned_by" : ":ownedBy"));
        var hits = "SELECT %1$s AS id, %1$s AS sort_key\nFROM %2$s\nWHERE %3$s\nORDER BY %1$s%4$s\n"
                        .formatted(
                                id,
                                byTag ? tagged(filter) : "social.posts p",
                                String.join("\n  AND ", conditions),
                                newestFirst ? " DESC" : "")
                + PostCards.LIMIT;
        return newestFirst ? PostCards.newestFirst(hits) : PostCards.oldestFirst(hits);
    }

    private static String tagged(PostFilter filter) {
        var conditions = new ArrayList<>(List.of("p.id = t.post_id"));
        conditions.addAll(ofPost(filter));
        return "social.post_tags t\nCROSS JOIN LATERAL (SELECT p.owned_by FROM social.posts p WHERE "
                + String.join(" AND ", conditions) + " OFFSET 0) p";
    }

    private static List<String> ofPost(PostFilter filter) {
        var conditions = new ArrayList<String>();
        if (filter.replyTo() != null) {
            conditions.add("p.reply_to = :replyTo");
        } else if (!filter.replies()) {
            conditions.add("p.reply_to IS NULL");
        }
        if (filter.ownedBy() != null) {
            conditions.add("p.owned_by = :ownedBy");
        }
        return conditions;
    }
}
