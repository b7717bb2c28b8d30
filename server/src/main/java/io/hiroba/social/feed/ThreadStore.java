package io.hiroba.social.feed;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.Listed;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostCards;
import io.hiroba.social.PostId;
import java.util.Collection;
import java.util.List;

/** Reads conversations. */
final class ThreadStore {

    private static final String ANCESTORS = PostCards.oldestFirst("""
            WITH RECURSIVE up AS (
                SELECT p.reply_to AS id, 1 AS steps FROM social.posts p WHERE p.id = :post AND p.reply_to IS NOT NULL
                UNION ALL
                SELECT p.reply_to, up.steps + 1 FROM up JOIN social.posts p ON p.id = up.id
                WHERE p.reply_to IS NOT NULL AND up.steps < :most)
            SELECT a.id, -up.steps AS sort_key FROM up JOIN social.posts a ON a.id = up.id
            WHERE\s""" + PostCards.visible("a.owned_by"));

    private static final String REPLIES = PostCards.oldestFirst("""
            SELECT reply.id, reply.id AS sort_key
            FROM unnest(:posts) AS answered (id)
            CROSS JOIN LATERAL (
                SELECT r.id FROM social.posts r
                WHERE r.reply_to = answered.id AND\s""" + PostCards.visible("r.owned_by") + """

                ORDER BY r.id LIMIT :each) reply
            """);

    List<PostCard> ancestors(Reads reads, UserId viewer, PostId post, int most) {
        return cards(PostCards.list(PostCards.query(reads, ANCESTORS, viewer)
                .bind("post", post.value())
                .bind("most", most)));
    }

    List<PostCard> replies(Reads reads, UserId viewer, Collection<PostId> posts, int each) {
        return cards(PostCards.list(PostCards.query(reads, REPLIES, viewer)
                .bindArray(
                        "posts", Long.class, posts.stream().map(PostId::value).toArray())
                .bind("each", each)));
    }

    private static List<PostCard> cards(List<Listed<PostCard>> listed) {
        return listed.stream().map(Listed::item).toList();
    }
}
