package io.hiroba.social.live;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.util.Collection;
import java.util.List;

/** Reads which posts are new, for all who are listening in one statement. */
final class LiveStore {

    /** A root post and who wrote it. */
    record Fresh(long id, long author) {}

    /** A root post that came into the home feed of {@code reader}. */
    record Delivered(long reader, Fresh post) {}

    /** Two people of whom one has blocked the other. */
    record Separated(long one, long other) {}

    /** The newest roots after {@code since}, the oldest of them first. */
    List<Fresh> roots(Reads reads, long since, int most) {
        return roots(reads, "", since, most)
                .map(row -> new Fresh(row.getLong("id"), row.getLong("owned_by")))
                .list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query roots(Reads reads, String lead, long since, int most) {
        return reads.query(lead + """
                        SELECT newest.id, newest.owned_by
                        FROM (SELECT p.id, p.owned_by FROM social.posts p
                              WHERE p.reply_to IS NULL AND p.id > :since
                              ORDER BY p.id DESC LIMIT :most) AS newest
                        ORDER BY newest.id
                        """).bind("since", since).bind("most", most);
    }

    List<Delivered> delivered(Reads reads, Collection<Long> readers, long since, int most) {
        return delivered(reads, "", readers, since, most)
                .map(row -> new Delivered(
                        row.getLong("reader"), new Fresh(row.getLong("post_id"), row.getLong("owned_by"))))
                .list();
    }

    static Query delivered(Reads reads, String lead, Collection<Long> readers, long since, int most) {
        return reads.query(lead + """
                        SELECT reader.id AS reader, t.post_id, t.owned_by
                        FROM unnest(:readers) AS reader (id)
                        CROSS JOIN LATERAL (
                            SELECT post_id, owned_by FROM social.timelines
                            WHERE user_id = reader.id AND post_id > :since
                            ORDER BY post_id DESC LIMIT :most) t
                        ORDER BY t.post_id
                        """)
                .bindArray("readers", Long.class, readers.toArray())
                .bind("since", since)
                .bind("most", most);
    }

    /** Which of the authors and readers a block separates, each as (reader, author). */
    List<Separated> separated(Reads reads, Collection<Long> readers, Collection<Long> authors) {
        return reads.query("""
                        SELECT b.blocker_id AS reader, b.blocked_id AS author FROM social.user_blocks b
                        WHERE b.blocker_id = ANY (:readers) AND b.blocked_id = ANY (:authors)
                        UNION ALL
                        SELECT b.blocked_id, b.blocker_id FROM social.user_blocks b
                        WHERE b.blocker_id = ANY (:authors) AND b.blocked_id = ANY (:readers)
                        """)
                .bindArray("readers", Long.class, readers.toArray())
                .bindArray("authors", Long.class, authors.toArray())
                .map(row -> new Separated(row.getLong("reader"), row.getLong("author")))
                .list();
    }
}
