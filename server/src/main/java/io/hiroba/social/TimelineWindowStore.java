package io.hiroba.social;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.TimelineWindows.TimelineLimits;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The store of timeline windows. A window is opened in one transaction and built in a later one: a post whose fan-out did
 * not see the open window was committed before the build looked for posts, and no other can be missing.
 */
final class TimelineWindowStore {

    /** The floor of an open window: nothing of it is complete. */
    static final long OPEN = Long.MAX_VALUE;

    private final TimelineLimits limits;

    TimelineWindowStore(TimelineLimits limits) {
        this.limits = limits;
    }

    /** The state of a window. */
    record TimelineWindow(long floor, Instant readAt) {

        boolean isOpen() {
            return floor == OPEN;
        }

        /** Whether it holds the whole feed. */
        boolean isWhole() {
            return floor == 0;
        }
    }

    Optional<TimelineWindow> find(Reads reads, long reader) {
        return window(
                reads.query("SELECT floor, read_at FROM social.timeline_windows WHERE user_id = :reader"), reader);
    }

    /** Locks the window until {@code tx} ends. */
    Optional<TimelineWindow> lock(Tx tx, long reader) {
        return window(
                tx.query("SELECT floor, read_at FROM social.timeline_windows WHERE user_id = :reader FOR UPDATE"),
                reader);
    }

    private static Optional<TimelineWindow> window(Query query, long reader) {
        return query.bind("reader", reader)
                .map(row -> new TimelineWindow(row.getLong("floor"), Columns.instant(row, "read_at")))
                .findOne();
    }

    /** Opens the window of a reader who is here. */
    void open(Tx tx, long reader, Instant now) {
        tx.update("""
                        INSERT INTO social.timeline_windows (user_id, floor, pulled, read_at)
                        SELECT u.id, :open, ARRAY[u.id], :now FROM accounts.user_card u WHERE u.id = :reader
                        ON CONFLICT (user_id) DO UPDATE
                        SET floor = excluded.floor, pulled = excluded.pulled, read_at = excluded.read_at
                        """)
                .bind("reader", reader)
                .bind("open", OPEN)
                .bind("now", now)
                .execute();
    }

    /** Opens the window of a reader who may be away, if there is one. */
    void reopen(Tx tx, long reader) {
        tx.update("UPDATE social.timeline_windows SET floor = :open, pulled = ARRAY[user_id] WHERE user_id = :reader")
                .bind("reader", reader)
                .bind("open", OPEN)
                .execute();
    }

    /** Chooses the authors whose posts are not written into the timeline of a window that is open and locked. */
    void choosePulled(Tx tx, long reader) {
        tx.update("""
                        UPDATE social.timeline_windows w
                        SET pulled = ARRAY[w.user_id] || ARRAY(
                            SELECT c.user_id
                            FROM social.user_follows f
                            JOIN social.user_counts c ON c.user_id = f.followee_id
                            WHERE f.follower_id = w.user_id AND c.count_followers >= :manyFollowers
                            ORDER BY c.count_posts DESC, c.user_id
                            LIMIT :maxPulled)
                        WHERE w.user_id = :reader
                        """)
                .bind("reader", reader)
                .bind("manyFollowers", limits.manyFollowers())
                .bind("maxPulled", limits.maxPulled())
                .execute();
    }

    /**
     * Writes the newest posts into the timeline of a window that is open and locked, deletes all others, and closes it. A few
     * posts of each author give an id that the last of the newest is not below; only those above it are then read.
     */
    void build(Tx tx, long reader) {
        tx.update("""
                        WITH followees AS MATERIALIZED (
                            SELECT f.followee_id AS id
                            FROM social.user_follows f
                            JOIN social.timeline_windows w ON w.user_id = f.follower_id
                            WHERE f.follower_id = :reader AND f.followee_id <> ALL (w.pulled)),
                        few AS MATERIALIZED (SELECT 1 + 2 * :size / (count(*) + 1) AS of_each FROM followees),
                        sample AS MATERIALIZED (
                            SELECT f.id AS author, p.id
                            FROM followees f
                            CROSS JOIN LATERAL (
                                SELECT id FROM social.posts
                                WHERE owned_by = f.id AND reply_to IS NULL
                                ORDER BY id DESC LIMIT (SELECT of_each FROM few)) p),
                        bound AS MATERIALIZED (
                            SELECT coalesce((SELECT id FROM sample ORDER BY id DESC OFFSET :size LIMIT 1), 0) AS id),
                        newest AS MATERIALIZED (
                            SELECT p.id, a.author
                            FROM (SELECT DISTINCT s.author FROM sample s WHERE s.id >= (SELECT id FROM bound)) a
                            CROSS JOIN LATERAL (
                                SELECT id FROM social.posts
                                WHERE owned_by = a.author AND reply_to IS NULL AND id >= (SELECT id FROM bound)
                                ORDER BY id DESC LIMIT :size + 1) p
                            ORDER BY p.id DESC LIMIT :size + 1),
                        outdated AS (
                            DELETE FROM social.timelines t
                            WHERE t.user_id = :reader AND NOT EXISTS (SELECT FROM newest n WHERE n.id = t.post_id)),
                        written AS (
                            INSERT INTO social.timelines (user_id, post_id, owned_by)
                            SELECT :reader, id, author FROM newest
                            ON CONFLICT (user_id, post_id) DO NOTHING)
                        UPDATE social.timeline_windows
                        SET floor = (SELECT CASE WHEN count(*) > :size THEN min(id) ELSE 0 END FROM newest)
                        WHERE user_id = :reader
                        """).bind("reader", reader).bind("size", limits.size()).execute();
    }

    /** The readers after {@code after} whose timelines have outgrown their size, or who were away since {@code awaySince}. */
    List<Long> overdue(Reads reads, long after, Instant awaySince, int limit) {
        return reads.query("""
                        SELECT w.user_id
                        FROM social.timeline_windows w
                        WHERE w.user_id > :after
                          AND (w.read_at < :awaySince
                               OR (SELECT true FROM social.timelines t WHERE t.user_id = w.user_id
                                   ORDER BY t.post_id DESC OFFSET :maxRows LIMIT 1))
                        ORDER BY w.user_id LIMIT :limit
                        """)
                .bind("after", after)
                .bind("awaySince", awaySince)
                .bind("maxRows", limits.maxRows())
                .bind("limit", limit)
                .mapTo(Long.class)
                .list();
    }

    /** Deletes the window of a reader who was away since {@code awaySince}, with the timeline; false if they were not. */
    boolean drop(Tx tx, long reader, Instant awaySince) {
        int dropped = tx.update("DELETE FROM social.timeline_windows WHERE user_id = :reader AND read_at < :awaySince")
                .bind("reader", reader)
                .bind("awaySince", awaySince)
                .execute();
        if (dropped == 1) {
            tx.update("DELETE FROM social.timelines WHERE user_id = :reader")
                    .bind("reader", reader)
                    .execute();
        }
        return dropped == 1;
    }
}
