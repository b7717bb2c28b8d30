package io.hiroba.activity;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportLineStore.Lines;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** The statements of notifications in an export: cards as they are stored, which name people and posts by id, and what is muted. */
final class ActivityExportStore {

    private static final Lines CARDS = new Lines("notifications.jsonl", "|", """
            SELECT slot || '|' || term AS key, slot, term, is_read, payload, created_at, updated_at
            FROM activity.notifications
            WHERE user_id = :user AND (slot, term) > (split_part(:after, '|', 1), split_part(:after, '|', 2))
            ORDER BY slot, term
            LIMIT :limit
            """);

    private static final Lines PREFERENCES = new Lines("preferences.jsonl", "", """
            SELECT 'x' AS key, to_jsonb(muted_kinds) AS muted_kinds, digest, next_digest_at
            FROM activity.preferences
            WHERE user_id = :user AND :after = ''
            LIMIT :limit
            """);

    private static final Lines MUTED_PEOPLE = new Lines("muted-people.jsonl", "0", """
            SELECT person_id::text AS key, person_id, created_at
            FROM activity.muted_people
            WHERE user_id = :user AND person_id > CAST(:after AS bigint)
            ORDER BY person_id
            LIMIT :limit
            """);

    private static final Lines MUTED_POSTS = new Lines("muted-posts.jsonl", "0", """
            SELECT post_id::text AS key, post_id, likes, replies, created_at
            FROM activity.muted_posts
            WHERE user_id = :user AND post_id > CAST(:after AS bigint)
            ORDER BY post_id
            LIMIT :limit
            """);

    private static final Lines FOLLOWED_POSTS = new Lines("followed-posts.jsonl", "0", """
            SELECT post_id::text AS key, post_id, changed_at
            FROM activity.followed_posts
            WHERE user_id = :user AND active AND post_id > CAST(:after AS bigint)
            ORDER BY post_id
            LIMIT :limit
            """);

    private ActivityExportStore() {}

    static ExportPart part(Db db) {
        var files = List.of(CARDS, PREFERENCES, MUTED_PEOPLE, MUTED_POSTS, FOLLOWED_POSTS);
        return new ExportPart("notifications", Text.of("activity.export-part"), ExportLineStore.content(db, files));
    }
}
