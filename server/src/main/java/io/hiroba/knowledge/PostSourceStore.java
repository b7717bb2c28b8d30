package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads posts through the social feature's views, and the progress of post rules. */
final class PostSourceStore {

    /** The number of advisory locks: enough for concurrent writers, and few enough to hold all of them. */
    private static final int LOCKS = 64;

    /**
     * Locks the sources of {@code posts} until the transaction ends. Posts are read afterwards, so that the last writer
     * has the newest content.
     */
    void lock(Tx tx, Collection<PostRef> posts) {
        tx.query("""
                SELECT pg_advisory_xact_lock(hashtextextended('knowledge.posts', s.slot))
                FROM (SELECT DISTINCT (p.id >> 20) % :locks AS slot FROM unnest(:posts) AS p (id) ORDER BY 1) AS s
                """)
                .bind("locks", LOCKS)
                .bindArray(
                        "posts", Long.class, posts.stream().map(PostRef::post).toArray())
                .map(row -> true)
                .list();
    }

    /**
     * The {@code authors} whose posts a rule may cover, including ended rules that are not cleared yet. The rules are locked
     * until the transaction ends: a later clearing finds everything written here.
     */
    Set<UserId> affected(Tx tx, Set<UserId> authors) {
        var owners = new HashSet<UserId>();
        var everybodys = new HashSet<Long>();
        tx.query("""
                SELECT r.id, r.owned_by
                FROM knowledge.post_rules r
                WHERE r.owned_by = ANY (:authors) OR r.owned_by IS NULL
                ORDER BY r.id
                FOR SHARE
                """)
                .bindArray(
                        "authors",
                        Long.class,
                        authors.stream().map(UserId::value).toArray())
                .map(row -> {
                    var owner = row.getObject("owned_by", Long.class);
                    return owner == null ? everybodys.add(row.getLong("id")) : owners.add(new UserId(owner));
                })
                .list();
        return everybodys.isEmpty() ? owners : authors;
    }

    /** Those of {@code posts} that exist and that a rule covers. */
    List<PostContent> covered(Tx tx, Collection<PostRef> posts) {
        return tx.query("""
                SELECT p.id, p.owned_by, p.content, p.tags
                FROM social.post_text p
                WHERE p.id = ANY (:posts)
                  AND EXISTS (SELECT FROM knowledge.post_rules r
                              WHERE NOT r.ended
                                AND (r.owned_by IS NULL OR r.owned_by = p.owned_by)
                                AND (r.tag IS NULL OR r.tag = ANY (p.tags)))
                """)
                .bindArray(
                        "posts", Long.class, posts.stream().map(PostRef::post).toArray())
                .map(row -> new PostContent(
                        row.getLong("id"),
                        new UserId(row.getLong("owned_by")),
                        row.getString("content"),
                        List.of((String[]) row.getArray("tags").getArray())))
                .list();
    }

    /** A rule with pending work and its progress. */
    record PendingRule(
            PostRuleId rule,
            @Nullable UserId owner,
            @Nullable String tag,
            boolean ended,
            long below,
            int backfilled) {}

    boolean hasPending(Reads reads) {
        return reads.query("SELECT EXISTS (SELECT FROM knowledge.post_rules WHERE todo_below IS NOT NULL)")
                .mapTo(Boolean.class)
                .one();
    }

    /** Locks a rule with pending work that no other node works on. */
    Optional<PendingRule> claim(Tx tx) {
        return tx.query("""
                SELECT id, owned_by, tag, ended, todo_below, taken
                FROM knowledge.post_rules
                WHERE todo_below IS NOT NULL
                ORDER BY id
                LIMIT 1
                FOR UPDATE SKIP LOCKED
                """)
                .map(row -> {
                    var owner = row.getObject("owned_by", Long.class);
                    return new PendingRule(
                            new PostRuleId(row.getLong("id")),
                            owner == null ? null : new UserId(owner),
                            row.getString("tag"),
                            row.getBoolean("ended"),
                            row.getLong("todo_below"),
                            row.getInt("taken"));
                })
                .findOne();
    }

    /** Posts below the rule's position, the newest first. */
    List<PostRef> posts(Tx tx, PendingRule rule, int limit) {
        var from = rule.tag() == null
                ? "SELECT p.id, p.owned_by FROM social.post_text p WHERE p.id < :below AND p.owned_by = :owner"
                : "SELECT p.post_id AS id, p.owned_by FROM social.post_tag p WHERE p.post_id < :below AND p.name = :tag"
                        + (rule.owner() == null ? "" : " AND p.owned_by = :owner");
        var query = tx.query(from + " ORDER BY 1 DESC LIMIT :limit")
                .bind("below", rule.below())
                .bind("limit", limit);
        if (rule.owner() != null) {
            query.bind("owner", rule.owner().value());
        }
        if (rule.tag() != null) {
            query.bind("tag", rule.tag());
        }
        return query.map(row -> new PostRef(row.getLong("id"), new UserId(row.getLong("owned_by"))))
                .list();
    }

    /** A source of a post. */
    record PostSource(long source, PostRef post) {}

    /** Sources of posts below the position of an ended rule, the newest first. */
    List<PostSource> sources(Tx tx, PendingRule rule, int limit) {
        var query = tx.query("""
                SELECT id, owned_by, substr(origin, 6) AS post
                FROM knowledge.knowledge_sources
                WHERE type = 'post' AND id < :below %s
                ORDER BY id DESC
                LIMIT :limit
                """.formatted(rule.owner() == null ? "" : "AND owned_by = :owner"))
                .bind("below", rule.below())
                .bind("limit", limit);
        if (rule.owner() != null) {
            query.bind("owner", rule.owner().value());
        }
        return query.map(row -> new PostSource(
                        row.getLong("id"),
                        new PostRef(Ids.parse(row.getString("post")), new UserId(row.getLong("owned_by")))))
                .list();
    }

    /** Stores the progress of a rule; null means done. */
    void advance(Tx tx, PendingRule rule, @Nullable Long below, int backfilled) {
        tx.update("UPDATE knowledge.post_rules SET todo_below = :below, taken = :taken WHERE id = :id")
                .bind("id", rule.rule().value())
                .bind("below", below)
                .bind("taken", backfilled)
                .execute();
    }

    void deleteEnded(Tx tx, PendingRule rule) {
        tx.update("DELETE FROM knowledge.post_rules WHERE id = :id AND ended")
                .bind("id", rule.rule().value())
                .execute();
    }

    /** Locks a source; false if it was deleted. */
    boolean lockSource(Tx tx, long source) {
        return tx.query("SELECT id FROM knowledge.knowledge_sources WHERE id = :id FOR UPDATE")
                .bind("id", source)
                .mapTo(Long.class)
                .findOne()
                .isPresent();
    }

    /** A post, which may be deleted, and its owner. */
    record PostRef(long post, UserId owner) {

        String origin() {
            return "post:" + hex();
        }

        String hex() {
            return Ids.hex(post);
        }
    }

    /** The content of a post that a rule covers. */
    record PostContent(long post, UserId owner, String content, List<String> tags) {

        PostContent {
            tags = List.copyOf(tags);
        }
    }
}
