package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.PostFilter.Order;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store of lists of posts. A list scans one index in order: that of the replies to a post, of a tag, of an owner or of
 * all posts, in this order of preference. Other conditions are looked up for each scanned entry. The statements are public
 * for the benchmarks, which run them in pgbench.
 */
public final class PostListStore {

    /** The post of a hit, if it is a root. */
    private static final String ROOT =
            "CROSS JOIN LATERAL (SELECT %s FROM social.posts p WHERE p.id = hit.id AND p.reply_to IS NULL OFFSET 0) root"
                    .formatted(PostCardStore.POST);

    /** The newest roots of {@code author}, at most a page. */
    private static String newestOf(String author, String condition, int limit) {
        return """
                (SELECT newest.id, newest.owned_by
                 FROM (SELECT p.id, p.owned_by FROM social.posts p
                       WHERE p.owned_by = %s AND p.reply_to IS NULL AND p.id < :after%s
                       ORDER BY p.id DESC LIMIT %d) AS newest LIMIT :limit)""".formatted(author, condition, limit);
    }

    /**
     * The home feed within the reader's window: a scan of their timeline, merged with the roots of those who are pulled. Each
     * row has the window's floor. What is not above the floor is left to {@link #FEED_FROM_POSTS}.
     */
    public static final String FEED = PostCardStore.newestRoots(
            PostCardStore.page("""
            SELECT page.*, w.floor, w.read_at
            FROM social.timeline_windows w
            CROSS JOIN LATERAL (%s) page
            WHERE w.user_id = :viewer
            """.formatted(PostCardStore.page("""
            SELECT root.*, hit.id AS sort_key
            FROM (
                (SELECT t.post_id AS id, t.owned_by
                 FROM social.timelines t
                 WHERE t.user_id = :viewer AND t.post_id < :after AND t.post_id >= w.floor AND t.owned_by <> ALL (w.pulled)
                 ORDER BY t.post_id DESC)
                UNION ALL
                (SELECT own.id, own.owned_by
                 FROM unnest(w.pulled) AS author (id)
                 CROSS JOIN LATERAL %s own
                 ORDER BY own.id DESC)) hit
            %s
            WHERE %s
            ORDER BY hit.id DESC
            """.formatted(
                            newestOf("author.id", " AND p.id >= w.floor", PostCardStore.MAX_ROWS),
                            ROOT,
                            PostCardStore.visible("hit.owned_by"))))),
            "h.floor, h.read_at, card.*");

    /**
     * The home feed from the posts themselves: the newest post of each followee first, then the posts of those whose newest are
     * on top. Its cost grows with the followees.
     */
    public static final String FEED_FROM_POSTS = PostCardStore.newestRoots(PostCardStore.page("""
            SELECT root.*, hit.id AS sort_key
            FROM (SELECT newest.id
                  FROM (%s) AS author
                  CROSS JOIN LATERAL %s newest
                  ORDER BY newest.id DESC LIMIT %d) hit
            %s
            ORDER BY hit.id DESC
            """.formatted(
                    PostCardStore.page("""
            SELECT author.id
            FROM (SELECT :viewer AS id
                  UNION ALL
                  SELECT f.followee_id FROM social.user_follows f WHERE f.follower_id = :viewer) AS author
            CROSS JOIN LATERAL %s top
            WHERE %s
            ORDER BY top.id DESC
            """.formatted(newestOf("author.id", "", 1), PostCardStore.visible("author.id"))),
                    newestOf("author.id", "", PostCardStore.MAX_ROWS),
                    PostCardStore.MAX_ROWS,
                    ROOT)));

    public static final String LIKED = PostCardStore.newestFirst(PostCardStore.page(
            """
            SELECT l.post_id AS id, (extract(epoch FROM l.created_at) * 1000000)::bigint AS sort_key
            FROM social.post_likes l
            CROSS JOIN LATERAL (SELECT p.owned_by FROM social.posts p WHERE p.id = l.post_id OFFSET 0) liked
            WHERE l.liked_by = :liker AND (l.created_at, l.post_id) < (:time, :after)
              AND %s AND %s
            ORDER BY l.created_at DESC, l.post_id DESC
            """.formatted(PostCardStore.visible(":liker"), PostCardStore.visible("liked.owned_by"))));

    List<Listed<PostCard>> list(Reads reads, UserId viewer, PostFilter filter, Position after, int limit) {
        return PostCardStore.list(query(reads, "", viewer, filter, after, limit));
    }

    /**
     * A page of a reader's window.
     *
     * @param reachesEnd whether nothing of the feed is older than the window
     * @param readAt when the reader last came; null if the window has nothing for this page
     */
    record WindowPage(
            List<Listed<PostCard>> cards,
            boolean reachesEnd,
            @Nullable Instant readAt) {}

    WindowPage feed(Reads reads, UserId viewer, Position after, int limit) {
        var pages = feed(reads, FEED, viewer, after, limit)
                .map(row -> new WindowPage(
                        List.of(PostCardStore.listed(row)), row.getLong("floor") == 0, Columns.instant(row, "read_at")))
                .list();
        return pages.isEmpty()
                ? new WindowPage(List.of(), false, null)
                : new WindowPage(
                        pages.stream().flatMap(page -> page.cards().stream()).toList(),
                        pages.getFirst().reachesEnd(),
                        pages.getFirst().readAt());
    }

    List<Listed<PostCard>> feedFromPosts(Reads reads, UserId viewer, Position after, int limit) {
        return PostCardStore.list(feed(reads, FEED_FROM_POSTS, viewer, after, limit));
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

    static Query feed(Reads reads, String sql, UserId viewer, Position after, int limit) {
        return PostCardStore.query(reads, sql, viewer)
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
        var hits = PostCardStore.page("""
                SELECT %1$s AS id, %1$s AS sort_key
                FROM %2$s
                WHERE %3$s
                ORDER BY %1$s%4$s
                """.formatted(
                        id,
                        byTag ? tagged(filter) : "social.posts p",
                        String.join("\n  AND ", conditions),
                        newestFirst ? " DESC" : ""));
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
