package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.PostFilter.Order;
import java.util.ArrayList;
import java.util.List;

/**
 * The store of lists of posts. A list scans one index in order: that of the replies to a post, of a tag, of an owner or of
 * all posts, in this order of preference. Other conditions are looked up for each scanned entry. The statements are public
 * for the benchmarks, which run them in pgbench.
 */
public final class PostListStore {

    public static final String FEED = PostCardStore.newestRoots(
            """
            SELECT root.*, t.post_id AS sort_key
            FROM social.timelines t
            CROSS JOIN LATERAL (SELECT\s""" + PostCardStore.POST + """
                                FROM social.posts p WHERE p.id = t.post_id AND p.reply_to IS NULL OFFSET 0) root
            WHERE t.user_id = :viewer AND t.post_id < :after
              AND\s""" + PostCardStore.visible("t.owned_by") + """

            ORDER BY t.post_id DESC
            """ + PostCardStore.LIMIT);

    public static final String LIKED = PostCardStore.newestFirst("""
            SELECT l.post_id AS id, (extract(epoch FROM l.created_at) * 1000000)::bigint AS sort_key
            FROM social.post_likes l
            CROSS JOIN LATERAL (SELECT p.owned_by FROM social.posts p WHERE p.id = l.post_id OFFSET 0) liked
            WHERE l.liked_by = :liker AND (l.created_at, l.post_id) < (:time, :after)
              AND\s""" + PostCardStore.visible(":liker") + " AND "
            + PostCardStore.visible("liked.owned_by") + """

            ORDER BY l.created_at DESC, l.post_id DESC
            """ + PostCardStore.LIMIT);

    List<Listed<PostCard>> list(Reads reads, UserId viewer, PostFilter filter, Position after, int limit) {
        return PostCardStore.list(query(reads, "", viewer, filter, after, limit));
    }

    List<Listed<PostCard>> feed(Reads reads, UserId viewer, Position after, int limit) {
        return PostCardStore.list(feed(reads, "", viewer, after, limit));
    }

    List<Listed<PostCard>> liked(Reads reads, UserId viewer, UserId liker, Position after, int limit) {
        return PostCardStore.list(liked(reads, "", viewer, liker, after, limit));
    }

    /** {@code lead} may be EXPLAIN. */
    static Query query(Reads reads, String lead, UserId viewer, PostFilter filter, Position after, int limit) {
        var query = PostCardStore.query(reads, lead + sql(filter), viewer)
                .bind("after", after.key())
                .bind("limit", limit);
        var owner = filter.ownedBy();
        if (owner != null) {
            query.bind("ownedBy", owner.value());
        }
        if (filter.tag() != null) {
            query.bind("tag", filter.tag());
        }
        var replyTo = filter.replyTo();
        if (replyTo != null) {
            query.bind("replyTo", replyTo.value());
        }
        return query;
    }

    static Query feed(Reads reads, String lead, UserId viewer, Position after, int limit) {
        return PostCardStore.query(reads, lead + FEED, viewer)
                .bind("after", after.key())
                .bind("limit", limit);
    }

    static Query liked(Reads reads, String lead, UserId viewer, UserId liker, Position after, int limit) {
        return PostCardStore.query(reads, lead + LIKED, viewer)
                .bind("liker", liker.value())
                .bind("time", after.time())
                .bind("after", after.id())
                .bind("limit", limit);
    }

    /** The statement of the list that {@code filter} describes. */
    public static String sql(PostFilter filter) {
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
        // Evaluated once for the list of one owner, not for each post.
        conditions.add(PostCardStore.visible(filter.ownedBy() == null ? "p.owned_by" : ":ownedBy"));
        var hits = "SELECT %1$s AS id, %1$s AS sort_key\nFROM %2$s\nWHERE %3$s\nORDER BY %1$s%4$s\n"
                        .formatted(
                                id,
                                byTag ? tagged(filter) : "social.posts p",
                                String.join("\n  AND ", conditions),
                                newestFirst ? " DESC" : "")
                + PostCardStore.LIMIT;
        return newestFirst ? PostCardStore.newestFirst(hits) : PostCardStore.oldestFirst(hits);
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
