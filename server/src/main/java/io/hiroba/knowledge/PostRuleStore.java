package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes post rules. */
final class PostRuleStore {

    private static final String RULE = """
            SELECT id, owned_by, tag, todo_below IS NOT NULL AS filling, created_at
            FROM knowledge.post_rules
            """;

    /** Serializes creations: two concurrent ones could exceed the limit. */
    void lock(Tx tx, UserId caller) {
        tx.lock("knowledge.post-rules", caller.hex());
    }

    List<PostRule> list(Reads reads, UserId caller) {
        return reads.query(RULE + "WHERE NOT ended AND (owned_by = :caller OR owned_by IS NULL) ORDER BY id")
                .bind("caller", caller.value())
                .map(row -> rule(row))
                .list();
    }

    Optional<PostRule> find(Tx tx, @Nullable UserId owner, @Nullable String tag) {
        return tx.query(RULE + """
                WHERE NOT ended AND owned_by IS NOT DISTINCT FROM :owner AND tag IS NOT DISTINCT FROM :tag
                """)
                .bind("owner", owner == null ? null : owner.value())
                .bind("tag", tag)
                .map(row -> rule(row))
                .findOne();
    }

    Optional<PostRule> find(Tx tx, PostRuleId id) {
        return tx.query(RULE + "WHERE id = :id AND NOT ended FOR UPDATE")
                .bind("id", id.value())
                .map(row -> rule(row))
                .findOne();
    }

    int count(Tx tx, @Nullable UserId owner) {
        return tx.query("""
                SELECT count(*) FROM knowledge.post_rules WHERE NOT ended AND owned_by IS NOT DISTINCT FROM :owner
                """)
                .bind("owner", owner == null ? null : owner.value())
                .mapTo(Integer.class)
                .one();
    }

    /** Turns a rule on again, also one that is still being cleared. */
    void insert(Tx tx, PostRuleId id, @Nullable UserId owner, @Nullable String tag, Instant now) {
        tx.update("""
                INSERT INTO knowledge.post_rules (id, owned_by, tag, created_at)
                VALUES (:id, :owner, :tag, :now)
                ON CONFLICT (owned_by, tag) DO UPDATE
                SET id = EXCLUDED.id, created_at = EXCLUDED.created_at, ended = false, todo_below = DEFAULT,
                    taken = DEFAULT
                WHERE post_rules.ended
                """)
                .bind("id", id.value())
                .bind("owner", owner == null ? null : owner.value())
                .bind("tag", tag)
                .bind("now", now)
                .execute();
    }

    void end(Tx tx, PostRuleId id) {
        tx.update("UPDATE knowledge.post_rules SET ended = true, todo_below = DEFAULT WHERE id = :id")
                .bind("id", id.value())
                .execute();
    }

    private static PostRule rule(ResultSet row) throws SQLException {
        var owner = row.getObject("owned_by", Long.class);
        return new PostRule(
                new PostRuleId(row.getLong("id")),
                owner == null ? null : new UserId(owner),
                row.getString("tag"),
                row.getBoolean("filling"),
                Columns.instant(row, "created_at"));
    }
}
