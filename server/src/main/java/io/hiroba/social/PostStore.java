package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The store of posts, their content, tags and counters. */
final class PostStore {

    static final String ONE = PostCardStore.withContent(
            PostCardStore.page("SELECT p.id, p.id AS sort_key FROM social.posts p WHERE p.id = :id AND "
                    + PostCardStore.visible("p.owned_by")));

    /** A post's card and its content. */
    record Stored(PostCard card, String content) {}

    /** The fields of a post that decide whether somebody may reply to it. */
    record Target(UserId owner, boolean allowReplies, boolean blocked) {}

    Optional<Stored> find(Reads reads, UserId viewer, PostId id) {
        return PostCardStore.query(reads, ONE, viewer)
                .bind("id", id.value())
                .bind("limit", 1)
                .map(row -> new Stored(PostCardStore.card(row), row.getString("content")))
                .findOne();
    }

    /** The contents of those posts that the viewer may read. */
    Map<PostId, String> contents(Reads reads, UserId viewer, Collection<PostId> ids) {
        return reads
                .query("""
                        SELECT p.id, d.content
                        FROM social.posts p
                        JOIN social.post_details d ON d.post_id = p.id
                        WHERE p.id = ANY (:ids) AND %s
                        """.formatted(PostCardStore.visible("p.owned_by")))
                .bind("viewer", viewer.value())
                .bindArray("ids", Long.class, ids, PostId::value)
                .map(row -> Map.entry(new PostId(row.getLong("id")), row.getString("content")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Locks the post that {@code actor} replies to, so that it is not deleted until {@code tx} ends. */
    Optional<Target> lockTarget(Tx tx, UserId actor, PostId id) {
        return tx.query("""
                        SELECT p.owned_by, p.allow_replies, NOT (%s) AS blocked
                        FROM social.posts p
                        WHERE p.id = :id
                        FOR KEY SHARE OF p
                        """.formatted(BlockSql.none(":actor", "p.owned_by")))
                .bind("actor", actor.value())
                .bind("id", id.value())
                .map(row -> new Target(
                        new UserId(row.getLong("owned_by")),
                        row.getBoolean("allow_replies"),
                        row.getBoolean("blocked")))
                .findOne();
    }

    /** A post that another one replies to. */
    record Parent(PostId id, UserId owner) {}

    Optional<Parent> parent(Reads reads, PostId reply) {
        return reads.query("""
                        SELECT p.id, p.owned_by FROM social.posts r JOIN social.posts p ON p.id = r.reply_to WHERE r.id = :reply
                        """)
                .bind("reply", reply.value())
                .map(row -> new Parent(new PostId(row.getLong("id")), new UserId(row.getLong("owned_by"))))
                .findOne();
    }

    boolean isBlocked(Reads reads, UserId one, UserId other) {
        return reads.query("SELECT NOT (%s)".formatted(BlockSql.none(":one", ":other")))
                .bind("one", one.value())
                .bind("other", other.value())
                .mapTo(Boolean.class)
                .one();
    }

    /** The first post of the thread that {@code id} belongs to, whoever may read it. */
    Optional<PostId> root(Reads reads, PostId id) {
        return reads.query("""
                        WITH RECURSIVE above AS (
                            SELECT p.id, p.reply_to FROM social.posts p WHERE p.id = :id
                            UNION ALL
                            SELECT p.id, p.reply_to FROM above a JOIN social.posts p ON p.id = a.reply_to)
                        SELECT id FROM above WHERE reply_to IS NULL
                        """)
                .bind("id", id.value())
                .map(row -> new PostId(row.getLong("id")))
                .findOne();
    }

    /** The owner of a post and which edit of it is there. */
    record Locked(UserId owner, long version) {}

    /** Locks a post until {@code tx} ends. */
    Optional<Locked> lock(Tx tx, PostId id) {
        return tx.query("SELECT owned_by, updated_at FROM social.posts WHERE id = :id FOR NO KEY UPDATE")
                .bind("id", id.value())
                .map(row -> new Locked(
                        new UserId(row.getLong("owned_by")),
                        PostCard.version(Columns.instantOrNull(row, "updated_at"))))
                .findOne();
    }

    /** Inserts the post with its content and tags. */
    void insert(Tx tx, PostId id, UserId owner, PostDraft draft, String snippet) {
        tx.update("""
                        WITH post AS (
                            INSERT INTO social.posts (id, snippet, owned_by, reply_to, allow_likes, allow_replies, lang)
                            VALUES (:id, :snippet, :owner, :replyTo, :allowLikes, :allowReplies, :lang)),
                        tag AS (
                            INSERT INTO social.post_tags (post_id, name, owned_by)
                            SELECT :id, name, :owner FROM unnest(:tags) AS t (name))
                        INSERT INTO social.post_details (post_id, content) VALUES (:id, :content)
                        """)
                .bind("id", id.value())
                .bind("owner", owner.value())
                .bind("replyTo", value(draft.replyTo()))
                .bind("snippet", snippet)
                .bind("allowLikes", draft.allowLikes())
                .bind("allowReplies", draft.allowReplies())
                .bind("lang", draft.langCode())
                .bind("content", draft.content())
                .bindArray("tags", String.class, draft.tags())
                .execute();
    }

    /** Replaces the content and settings. The time rises with each edit, whatever the clocks of nodes say: it is the version. */
    void update(Tx tx, PostId id, UserId owner, PostDraft draft, String snippet, Instant now) {
        tx.update("""
                        WITH post AS (
                            UPDATE social.posts
                            SET snippet = :snippet, allow_likes = :allowLikes, allow_replies = :allowReplies,
                                lang = :lang, updated_at = greatest(:now, updated_at + INTERVAL '1 microsecond')
                            WHERE id = :id),
                        untagged AS (
                            DELETE FROM social.post_tags WHERE post_id = :id AND NOT name = ANY (:tags)),
                        tagged AS (
                            INSERT INTO social.post_tags (post_id, name, owned_by)
                            SELECT :id, name, :owner FROM unnest(:tags) AS t (name)
                            ON CONFLICT (post_id, name) DO NOTHING)
                        UPDATE social.post_details SET content = :content WHERE post_id = :id
                        """)
                .bind("id", id.value())
                .bind("owner", owner.value())
                .bind("snippet", snippet)
                .bind("allowLikes", draft.allowLikes())
                .bind("allowReplies", draft.allowReplies())
                .bind("lang", draft.langCode())
                .bind("now", now)
                .bind("content", draft.content())
                .bindArray("tags", String.class, draft.tags())
                .execute();
    }

    /** Deletes the oldest first, so that two concurrent calls lock the rows in one order. */
    List<PostId> deleteSome(Tx tx, UserId owner, int limit) {
        return tx.query("""
                DELETE FROM social.posts
                WHERE id IN (
                    SELECT id FROM social.posts
                    WHERE owned_by = :owner
                    ORDER BY id
                    LIMIT :limit
                    FOR UPDATE)
                RETURNING id
                """)
                .bind("owner", owner.value())
                .bind("limit", limit)
                .map(row -> new PostId(row.getLong("id")))
                .list();
    }

    void delete(Tx tx, PostId id) {
        tx.update("DELETE FROM social.posts WHERE id = :id")
                .bind("id", id.value())
                .execute();
    }

    /** Adds the differences of at most {@code limit} posts and users to their counters; returns how many were added. */
    int rollUpCounts(Tx tx, int limit) {
        return tx.query("SELECT social.roll_up_counts(:limit)")
                .bind("limit", limit)
                .mapTo(Integer.class)
                .one();
    }

    private static @Nullable Long value(@Nullable PostId id) {
        return id == null ? null : id.value();
    }
}
