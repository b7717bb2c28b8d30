package io.hiroba.social.feed;

import io.hiroba.social.PostCards;
import io.hiroba.social.feed.PostFilter.Order;
import java.util.ArrayList;
import java.util.List;

/**
 * The statements of the lists of posts. A list walks along one index in its order: that of the replies to a post, of a
 * tag, of an owner or of all posts, whichever is asked for first in this row. What else is asked for is looked up in
 * another index for each entry passed.
 */
final class PostListSql {

    static final String FEED = PostCards.newestFirst("""
            SELECT t.post_id AS id, t.post_id AS sort_key
            FROM social.timelines t
            WHERE t.user_id = :viewer AND t.post_id < :after
              AND EXISTS (SELECT FROM social.posts root WHERE root.id = t.post_id AND root.reply_to IS NULL)
              AND\s""" + PostCards.visible("t.owned_by") + """

            ORDER BY t.post_id DESC
            LIMIT :limit
            """);

    static final String LIKED = PostCards.newestFirst("""
            SELECT l.post_id AS id, (extract(epoch FROM l.created_at) * 1000000)::bigint AS sort_key
            FROM social.post_likes l
            JOIN social.posts liked ON liked.id = l.post_id
            WHERE l.liked_by = :liker AND (l.created_at, l.post_id) < (:time, :after)
              AND\s""" + PostCards.visible("liked.owned_by") + """

            ORDER BY l.created_at DESC, l.post_id DESC
            LIMIT :limit
            """);

    private PostListSql() {}

    static String of(PostFilter filter) {
        var conditions = new ArrayList<String>();
        var from = source(filter, conditions);
        var id = filter.tag() != null && filter.replyTo() == null ? "t.post_id" : "p.id";
        boolean newestFirst = filter.order() == Order.NEWEST_FIRST;
        conditions.add(id + (newestFirst ? " < :after" : " > :after"));
        conditions.add(PostCards.visible("p.owned_by"));
        var hits = "SELECT p.id, p.id AS sort_key\nFROM " + from + "\nWHERE " + String.join("\n  AND ", conditions)
                + "\nORDER BY " + id + (newestFirst ? " DESC" : "") + "\nLIMIT :limit\n";
        return newestFirst ? PostCards.newestFirst(hits) : PostCards.oldestFirst(hits);
    }

    private static String source(PostFilter filter, List<String> conditions) {
        if (filter.replyTo() != null) {
            conditions.add("p.reply_to = :replyTo");
            if (filter.tag() != null) {
                conditions.add("EXISTS (SELECT FROM social.post_tags t WHERE t.post_id = p.id AND t.name = :tag)");
            }
            if (filter.ownedBy() != null) {
                conditions.add("p.owned_by = :ownedBy");
            }
            return "social.posts p";
        }
        if (filter.ownedBy() != null) {
            conditions.add("p.owned_by = :ownedBy");
        }
        if (!filter.replies()) {
            conditions.add("p.reply_to IS NULL");
        }
        if (filter.tag() != null) {
            conditions.add("t.name = :tag");
            return "social.post_tags t JOIN social.posts p ON p.id = t.post_id";
        }
        return "social.posts p";
    }
}
