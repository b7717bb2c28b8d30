package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The store of threads. */
final class ThreadStore {

    /**
     * The most replies of a level on a page: four to each of three to each of fifty. The planner takes it as an estimate.
     */
    private static final int MAX_REPLIES = 600;

    static final String ANCESTORS =
            PostCardStore.oldestFirst(PostCardStore.page("""
            WITH RECURSIVE up AS (
                SELECT p.reply_to AS id, 1 AS steps FROM social.posts p WHERE p.id = :post AND p.reply_to IS NOT NULL
                UNION ALL
                SELECT next.reply_to, up.steps + 1 FROM up
                CROSS JOIN LATERAL (SELECT p.reply_to FROM social.posts p WHERE p.id = up.id OFFSET 0) next
                WHERE next.reply_to IS NOT NULL AND up.steps < :limit)
            SELECT up.id, -up.steps AS sort_key FROM up
            CROSS JOIN LATERAL (SELECT p.owned_by FROM social.posts p WHERE p.id = up.id OFFSET 0) above
            WHERE\s""" + PostCardStore.visible("above.owned_by")));

    static final String REPLIES =
            PostCardStore.oldestFirst("""
            SELECT reply.id, reply.id AS sort_key
            FROM unnest(:posts) AS answered (id)
            CROSS JOIN LATERAL (
                SELECT p.id FROM social.posts p
                WHERE p.reply_to = answered.id AND %s
                ORDER BY p.id LIMIT :each) reply
            ORDER BY reply.id LIMIT %d""".formatted(PostCardStore.visible("p.owned_by"), MAX_REPLIES));

    static final String HAVE_REPLIES = """
            SELECT post.id FROM unnest(:posts) AS post (id)
            WHERE (SELECT true FROM social.posts p
                   WHERE p.reply_to = post.id AND\s""" + PostCardStore.visible("p.owned_by") + " ORDER BY p.id LIMIT 1)";

    List<PostCard> ancestors(Reads reads, UserId viewer, PostId post, int limit) {
        return cards(ancestors(reads, "", viewer, post, limit));
    }

    List<PostCard> replies(Reads reads, UserId viewer, Collection<PostId> posts, int each) {
        return cards(replies(reads, "", viewer, posts, each));
    }

    /** The posts that have replies which the viewer may see. */
    Set<PostId> haveReplies(Reads reads, UserId viewer, Collection<PostId> posts) {
        return Set.copyOf(haveReplies(reads, "", viewer, posts)
                .map(row -> new PostId(row.getLong("id")))
                .list());
    }

    /** {@code lead} may be EXPLAIN. */
    static Query ancestors(Reads reads, String lead, UserId viewer, PostId post, int limit) {
        return PostCardStore.query(reads, lead + ANCESTORS, viewer)
                .bind("post", post.value())
                .bind("limit", limit);
    }

    static Query replies(Reads reads, String lead, UserId viewer, Collection<PostId> posts, int each) {
        return PostCardStore.query(reads, lead + REPLIES, viewer)
                .bindArray("posts", Long.class, posts, PostId::value)
                .bind("each", each);
    }

    static Query haveReplies(Reads reads, String lead, UserId viewer, Collection<PostId> posts) {
        return PostCardStore.query(reads, lead + HAVE_REPLIES, viewer)
                .bindArray("posts", Long.class, posts, PostId::value);
    }

    private static List<PostCard> cards(Query query) {
        return PostCardStore.list(query).stream().map(Listed::item).toList();
    }
}
