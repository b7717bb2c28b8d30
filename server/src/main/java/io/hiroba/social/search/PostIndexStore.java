package io.hiroba.social.search;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.text.Analysis;
import io.hiroba.social.PostId;
import java.util.List;
import java.util.Optional;

/** The store of the search index. */
final class PostIndexStore {

    /**
     * Locks {@code posts} against deletion and their entries against other indexers, so that later reads see their writes.
     * Posts are locked first, in the order of a deletion that cascades to the entry.
     */
    void lock(Tx tx, List<PostId> posts) {
        tx.query("SELECT id FROM social.posts WHERE id = ANY (:posts) ORDER BY id FOR KEY SHARE")
                .bindArray("posts", Long.class, posts, PostId::value)
                .mapTo(Long.class)
                .list();
        tx.query("""
                SELECT post_id FROM social.post_search WHERE post_id = ANY (:posts) ORDER BY post_id FOR UPDATE
                """)
                .bindArray("posts", Long.class, posts, PostId::value)
                .mapTo(Long.class)
                .list();
    }

    /** As {@link #lock}, for a batch of outdated posts, the newest first; skips locked ones. */
    List<PostId> lockStale(Tx tx, int limit) {
        return tx.query("""
                SELECT s.post_id
                FROM social.post_search s
                JOIN social.posts p ON p.id = s.post_id
                WHERE s.analysis < :analysis
                ORDER BY s.analysis, s.post_id DESC
                LIMIT :limit
                FOR KEY SHARE OF p SKIP LOCKED
                FOR UPDATE OF s SKIP LOCKED
                """)
                .bind("analysis", Analysis.VERSION)
                .bind("limit", limit)
                .map(row -> new PostId(row.getLong("post_id")))
                .list();
    }

    /** The texts of those of {@code posts} that exist. */
    List<PostText> read(Tx tx, List<PostId> posts) {
        return tx.query("""
                SELECT p.id, p.owned_by, d.content,
                       ARRAY(SELECT t.name FROM social.post_tags t WHERE t.post_id = p.id ORDER BY t.name) AS tags
                FROM social.posts p
                JOIN social.post_details d ON d.post_id = p.id
                WHERE p.id = ANY (:posts)
                """)
                .bindArray("posts", Long.class, posts, PostId::value)
                .map(row -> new PostText(
                        new PostId(row.getLong("id")),
                        new UserId(row.getLong("owned_by")),
                        row.getString("content"),
                        List.of((String[]) row.getArray("tags").getArray())))
                .list();
    }

    /** Upserts the entries that have changed, except those of deleted posts. */
    void save(Tx tx, List<IndexEntry> entries) {
        tx.update("""
                INSERT INTO social.post_search AS s (post_id, owned_by, tokens, analysis)
                SELECT p.id, p.owned_by, CAST(e.tokens AS tsvector), :analysis
                FROM unnest(:posts, :tokens) AS e (post_id, tokens)
                JOIN social.posts p ON p.id = e.post_id
                ORDER BY p.id
                FOR KEY SHARE OF p
                ON CONFLICT (post_id) DO UPDATE SET tokens = EXCLUDED.tokens, analysis = EXCLUDED.analysis
                WHERE (s.tokens, s.analysis) IS DISTINCT FROM (EXCLUDED.tokens, EXCLUDED.analysis)
                """)
                .bindArray("posts", Long.class, entries, entry -> entry.post().value())
                .bindArray("tokens", String.class, entries, IndexEntry::tokens)
                .bind("analysis", Analysis.VERSION)
                .execute();
    }

    /** Whether the backfill has run for this version of the analysis. */
    boolean isBackfilled(Reads reads) {
        return reads.query("SELECT EXISTS (SELECT FROM social.search_backfills WHERE analysis = :analysis)")
                .bind("analysis", Analysis.VERSION)
                .mapTo(Boolean.class)
                .one();
    }

    void finishBackfill(Tx tx) {
        tx.update("""
                INSERT INTO social.search_backfills (analysis) VALUES (:analysis) ON CONFLICT (analysis) DO NOTHING
                """).bind("analysis", Analysis.VERSION).execute();
    }

    /** The lowest id of the {@code limit} posts right below {@code below}. */
    Optional<PostId> lowestOfRange(Reads reads, long below, int limit) {
        return reads.query("""
                SELECT min(id) AS lowest
                FROM (SELECT id FROM social.posts WHERE id < :below ORDER BY id DESC LIMIT :limit) AS page
                HAVING count(*) > 0
                """)
                .bind("below", below)
                .bind("limit", limit)
                .map(row -> new PostId(row.getLong("lowest")))
                .findOne();
    }

    /** Inserts an empty, outdated entry for every post of the range that has none. */
    void insertMissing(Tx tx, long lowest, long below) {
        tx.update("""
                INSERT INTO social.post_search (post_id, owned_by, tokens, analysis)
                SELECT p.id, p.owned_by, '', 0
                FROM social.posts p
                WHERE p.id >= :lowest AND p.id < :below
                  AND NOT EXISTS (SELECT FROM social.post_search s WHERE s.post_id = p.id)
                ORDER BY p.id
                FOR KEY SHARE OF p
                ON CONFLICT (post_id) DO NOTHING
                """).bind("lowest", lowest).bind("below", below).execute();
    }

    /** The parts of a post that are indexed. */
    record PostText(PostId post, UserId owner, String content, List<String> tags) {

        PostText {
            tags = List.copyOf(tags);
        }
    }
}
