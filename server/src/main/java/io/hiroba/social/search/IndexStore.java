package io.hiroba.social.search;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.text.Analysis;
import io.hiroba.social.PostId;
import java.util.List;
import java.util.Optional;

/** The SQL of indexing: the table post_search, and what of a post goes into it. */
final class IndexStore {

    /**
     * Keeps others from indexing {@code posts}, and from deleting them; what is read afterwards is not older than what
     * they wrote. The posts come first: whoever deletes one locks it before the entry that goes with it.
     */
    void lock(Tx tx, List<PostId> posts) {
        tx.query("SELECT id FROM social.posts WHERE id = ANY (:posts) ORDER BY id FOR KEY SHARE")
                .bindArray("posts", Long.class, ids(posts))
                .mapTo(Long.class)
                .list();
        tx.query("""
                SELECT post_id FROM social.post_search WHERE post_id = ANY (:posts) ORDER BY post_id FOR UPDATE
                """)
                .bindArray("posts", Long.class, ids(posts))
                .mapTo(Long.class)
                .list();
    }

    /** As {@link #lock}, of some posts that an older analysis has left, the newest first; waits for nobody. */
    List<PostId> lockStale(Tx tx, int most) {
        return tx.query("""
                SELECT s.post_id
                FROM social.post_search s
                JOIN social.posts p ON p.id = s.post_id
                WHERE s.analysis < :analysis
                ORDER BY s.analysis, s.post_id DESC
                LIMIT :most
                FOR KEY SHARE OF p SKIP LOCKED
                FOR UPDATE OF s SKIP LOCKED
                """)
                .bind("analysis", Analysis.VERSION)
                .bind("most", most)
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
                .bindArray("posts", Long.class, ids(posts))
                .map(row -> new PostText(
                        new PostId(row.getLong("id")),
                        new UserId(row.getLong("owned_by")),
                        row.getString("content"),
                        List.of((String[]) row.getArray("tags").getArray())))
                .list();
    }

    /** Writes those of {@code entries} that say something new, but for posts that have been deleted in the meantime. */
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
                .bindArray(
                        "posts",
                        Long.class,
                        entries.stream().map(entry -> entry.post().value()).toArray())
                .bindArray(
                        "tokens",
                        String.class,
                        entries.stream().map(IndexEntry::tokens).toArray())
                .bind("analysis", Analysis.VERSION)
                .execute();
    }

    /** Whether all posts have been looked through for such without an entry, since this analysis came. */
    boolean surveyed(Reads reads) {
        return reads.query("SELECT EXISTS (SELECT FROM social.search_surveys WHERE analysis = :analysis)")
                .bind("analysis", Analysis.VERSION)
                .mapTo(Boolean.class)
                .one();
    }

    void noteSurvey(Tx tx) {
        tx.update("""
                INSERT INTO social.search_surveys (analysis) VALUES (:analysis) ON CONFLICT (analysis) DO NOTHING
                """).bind("analysis", Analysis.VERSION).execute();
    }

    /** The lowest id of the {@code most} posts right below {@code below}. */
    Optional<PostId> stretch(Reads reads, long below, int most) {
        return reads.query("""
                SELECT min(id) AS lowest
                FROM (SELECT id FROM social.posts WHERE id < :below ORDER BY id DESC LIMIT :most) AS stretch
                HAVING count(*) > 0
                """)
                .bind("below", below)
                .bind("most", most)
                .map(row -> new PostId(row.getLong("lowest")))
                .findOne();
    }

    /** Gives every post of the stretch that has no entry an empty one, to be made anew. */
    void noteMissing(Tx tx, long lowest, long below) {
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

    private static Object[] ids(List<PostId> posts) {
        return posts.stream().map(PostId::value).toArray();
    }
}
