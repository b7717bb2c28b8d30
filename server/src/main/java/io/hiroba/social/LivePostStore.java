package io.hiroba.social;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.util.Collection;
import java.util.List;

/** The store of new posts: one statement for all listeners. */
final class LivePostStore {

    /** A new root post and its author. */
    record NewPost(long id, long author) {}

    /** A new root post in the home feed of {@code reader}. */
    record Delivered(long reader, NewPost post) {}

    /** A reader and an author of whom one has blocked the other. */
    record BlockedPair(long one, long other) {}

    /** The newest roots after {@code since}, the oldest of them first. */
    List<NewPost> roots(Reads reads, long since, int limit) {
        return roots(reads, "", since, limit)
                .map(row -> new NewPost(row.getLong("id"), row.getLong("owned_by")))
                .list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query roots(Reads reads, String lead, long since, int limit) {
        return reads.query(lead + """
                        SELECT newest.id, newest.owned_by
                        FROM (SELECT p.id, p.owned_by FROM social.posts p
                              WHERE p.reply_to IS NULL AND p.id > :since
                              ORDER BY p.id DESC LIMIT :limit) AS newest
                        ORDER BY newest.id
                        """).bind("since", since).bind("limit", limit);
    }

    /**
     * The newest posts after {@code since} in the readers' home feeds, the oldest of them first. For those without a timeline
     * they are pulled from all followees.
     */
    List<Delivered> delivered(Reads reads, Collection<Long> readers, long since, int limit) {
        return delivered(reads, "", readers, since, limit)
                .map(row -> new Delivered(
                        row.getLong("reader"), new NewPost(row.getLong("post_id"), row.getLong("owned_by"))))
                .list();
    }

    static Query delivered(Reads reads, String lead, Collection<Long> readers, long since, int limit) {
        return reads.query(lead + """
                        SELECT reader.id AS reader, t.post_id, t.owned_by
                        FROM unnest(:readers) AS reader (id)
                        CROSS JOIN LATERAL (
                            SELECT coalesce(
                                (SELECT w.pulled FROM social.timeline_windows w
                                 WHERE w.user_id = reader.id AND w.floor < :open),
                                ARRAY(SELECT f.followee_id FROM social.user_follows f
                                      WHERE f.follower_id = reader.id)) AS pulled
                            OFFSET 0) w
                        CROSS JOIN LATERAL (
                            SELECT entry.post_id, entry.owned_by
                            FROM ((SELECT post_id, owned_by FROM social.timelines
                                   WHERE user_id = reader.id AND post_id > :since AND owned_by <> ALL (w.pulled)
                                   ORDER BY post_id DESC LIMIT :limit)
                                  UNION ALL
                                  SELECT p.id, p.owned_by FROM unnest(w.pulled) AS author (id)
                                  CROSS JOIN LATERAL (
                                      SELECT id, owned_by FROM social.posts
                                      WHERE owned_by = author.id AND reply_to IS NULL AND id > :since
                                      ORDER BY id DESC LIMIT :limit) p) AS entry
                            ORDER BY entry.post_id DESC LIMIT :limit) t
                        ORDER BY t.post_id
                        """)
                .bindArray("readers", Long.class, readers)
                .bind("since", since)
                .bind("open", TimelineWindowStore.OPEN)
                .bind("limit", limit);
    }

    /** The pairs of a reader and an author of whom one has blocked the other. */
    List<BlockedPair> blocked(Reads reads, Collection<Long> readers, Collection<Long> authors) {
        return reads.query("""
                        SELECT b.blocker_id AS reader, b.blocked_id AS author FROM social.user_blocks b
                        WHERE b.blocker_id = ANY (:readers) AND b.blocked_id = ANY (:authors)
                        UNION ALL
                        SELECT b.blocked_id, b.blocker_id FROM social.user_blocks b
                        WHERE b.blocker_id = ANY (:authors) AND b.blocked_id = ANY (:readers)
                        """)
                .bindArray("readers", Long.class, readers)
                .bindArray("authors", Long.class, authors)
                .map(row -> new BlockedPair(row.getLong("reader"), row.getLong("author")))
                .list();
    }
}
