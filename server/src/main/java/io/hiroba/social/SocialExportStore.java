package io.hiroba.social;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportLineStore.Lines;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** The statements of posts and people in an export: what the person wrote, and of others their ids only. */
final class SocialExportStore {

    private static final Lines POSTS = new Lines("posts.jsonl", "0", """
            SELECT p.id::text AS key, p.id, p.reply_to, d.content,
                   to_jsonb(ARRAY(SELECT t.name FROM social.post_tags t WHERE t.post_id = p.id ORDER BY t.name)) AS tags,
                   p.allow_likes, p.allow_replies, p.lang, c.count_likes, c.count_replies, p.created_at, p.updated_at
            FROM social.posts p
            JOIN social.post_details d ON d.post_id = p.id
            JOIN social.post_totals c ON c.post_id = p.id
            WHERE p.owned_by = :user AND p.id > CAST(:after AS bigint)
            ORDER BY p.id
            LIMIT :limit
            """);

    private static final Lines MESSAGES = new Lines("messages.jsonl", "0", """
            SELECT m.id::text AS key, m.id, m.thread_id, m.number, m.content, m.about,
                   to_timestamp((m.id >> 20) / 1000.0) AS created_at
            FROM social.messages m
            WHERE m.sender_id = :user AND m.id > CAST(:after AS bigint)
            ORDER BY m.id
            LIMIT :limit
            """);

    private static final Lines THREADS = new Lines("message-threads.jsonl", "0", """
            SELECT o.thread_id::text AS key, o.thread_id,
                   to_jsonb(ARRAY(SELECT social.hex(a.user_id) FROM social.message_members a
                                  WHERE a.thread_id = o.thread_id ORDER BY a.user_id)) AS member_ids, o.read_number
            FROM social.message_members o
            WHERE o.user_id = :user AND o.thread_id > CAST(:after AS bigint)
            ORDER BY o.thread_id
            LIMIT :limit
            """);

    private static final Lines LIKES = byTime("likes.jsonl", "social.post_likes", "liked_by", "post_id");
    private static final Lines FOLLOWS = byTime("follows.jsonl", "social.user_follows", "follower_id", "followee_id");
    private static final Lines FOLLOWERS =
            byTime("followers.jsonl", "social.user_follows", "followee_id", "follower_id");
    private static final Lines BLOCKS = byTime("blocks.jsonl", "social.user_blocks", "blocker_id", "blocked_id");

    /** The pairs of a table, by time as their indexes are. */
    private static Lines byTime(String file, String table, String person, String other) {
        return new Lines(file, "-infinity|0", """
                SELECT created_at || '|' || %3$s AS key, %3$s, created_at
                FROM %1$s
                WHERE %2$s = :user
                  AND (created_at, %3$s)
                      > (CAST(split_part(:after, '|', 1) AS timestamptz), CAST(split_part(:after, '|', 2) AS bigint))
                ORDER BY created_at, %3$s
                LIMIT :limit
                """.formatted(table, person, other));
    }

    private SocialExportStore() {}

    static ExportPart part(Db db) {
        var files = List.of(POSTS, MESSAGES, THREADS, LIKES, FOLLOWS, FOLLOWERS, BLOCKS);
        return new ExportPart("posts", Text.of("social.export-part"), ExportLineStore.content(db, files));
    }
}
