package io.hiroba.social.feed;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.Listed;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostCards;
import io.hiroba.social.PostId;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Reads conversations. */
final class ThreadStore {

    /**
     * As many replies as a page can need of a level: four to each of three to each of fifty. The number tells the planner
     * what to expect.
     */
    private static final int WIDEST = 600;

    private static final String ANCESTORS =
            PostCards.oldestFirst("""
            WITH RECURSIVE up AS (
                SELECT p.reply_to AS id, 1 AS steps FROM social.posts p WHERE p.id = :post AND p.reply_to IS NOT NULL
                UNION ALL
                SELECT next.reply_to, up.steps + 1 FROM up
                CROSS JOIN LATERAL (SELECT p.reply_to FROM social.posts p WHERE p.id = up.id OFFSET 0) next
                WHERE next.reply_to IS NOT NULL AND up.steps < :limit)
            SELECT up.id, -up.steps AS sort_key FROM up
            CROSS JOIN LATERAL (SELECT p.owned_by FROM social.posts p WHERE p.id = up.id OFFSET 0) above
            WHERE\s""" + PostCards.visible("above.owned_by") + "\n" + PostCards.LIMIT);

    private static final String REPLIES = PostCards.oldestFirst(
            """
            SELECT reply.id, reply.id AS sort_key
            FROM unnest(:posts) AS answered (id)
            CROSS JOIN LATERAL (
                SELECT p.id FROM social.posts p
                WHERE p.reply_to = answered.id AND\s""" + PostCards.visible("p.owned_by") + """

                ORDER BY p.id LIMIT :each) reply
            """ + "ORDER BY reply.id LIMIT " + WIDEST + ") AS walk");

    private static final String ANSWERED = """
            SELECT post.id FROM unnest(:posts) AS post (id)
            WHERE (SELECT true FROM social.posts p
                   WHERE p.reply_to = post.id AND\s""" + PostCards.visible("p.owned_by") + " ORDER BY p.id LIMIT 1)";

    List<PostCard> ancestors(Reads reads, UserId viewer, PostId post, int most) {
        return cards(ancestors(reads, "", viewer, post, most));
    }

    List<PostCard> replies(Reads reads, UserId viewer, Collection<PostId> posts, int each) {
        return cards(replies(reads, "", viewer, posts, each));
    }

    /** Those of the posts to which there are replies that the viewer may see. */
    Set<PostId> answered(Reads reads, UserId viewer, Collection<PostId> posts) {
        return Set.copyOf(answered(reads, "", viewer, posts)
                .map(row -> new PostId(row.getLong("id")))
                .list());
    }

    /** {@code lead} may be EXPLAIN. */
    static Query ancestors(Reads reads, String lead, UserId viewer, PostId post, int most) {
        return PostCards.query(reads, lead + ANCESTORS, viewer)
                .bind("post", post.value())
                .bind("limit", most);
    }

    static Query replies(Reads reads, String lead, UserId viewer, Collection<PostId> posts, int each) {
        return PostCards.query(reads, lead + REPLIES, viewer)
                .bindArray(
                        "posts", Long.class, posts.stream().map(PostId::value).toArray())
                .bind("each", each);
    }

    static Query answered(Reads reads, String lead, UserId viewer, Collection<PostId> posts) {
        return PostCards.query(reads, lead + ANSWERED, viewer)
                .bindArray(
                        "posts", Long.class, posts.stream().map(PostId::value).toArray());
    }

    private static List<PostCard> cards(Query query) {
        return PostCards.list(query).stream().map(Listed::item).toList();
    }
}
