package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Optional;

/** The store of likes. */
final class LikeStore {

    /** The result of an attempt to like a post. */
    record LikeResult(UserId owner, boolean allowed, boolean blocked, boolean inserted) {}

    /** Likes the post if that is allowed; empty if there is none. */
    Optional<LikeResult> insert(Tx tx, PostId post, UserId by, Instant now) {
        return tx.query("""
                        WITH target AS (
                            SELECT p.owned_by, p.allow_likes, NOT (%s) AS blocked
                            FROM social.posts p
                            WHERE p.id = :post),
                        inserted AS (
                            INSERT INTO social.post_likes (post_id, liked_by, created_at)
                            SELECT :post, :by, :now FROM target WHERE allow_likes AND NOT blocked
                            ON CONFLICT (post_id, liked_by) DO NOTHING
                            RETURNING post_id)
                        SELECT owned_by, allow_likes, blocked, EXISTS (SELECT FROM inserted) AS inserted FROM target
                        """.formatted(BlockSql.none(":by", "p.owned_by")))
                .bind("post", post.value())
                .bind("by", by.value())
                .bind("now", now)
                .map(row -> new LikeResult(
                        new UserId(row.getLong("owned_by")),
                        row.getBoolean("allow_likes"),
                        row.getBoolean("blocked"),
                        row.getBoolean("inserted")))
                .findOne();
    }

    boolean delete(Tx tx, PostId post, UserId by) {
        return tx.update("DELETE FROM social.post_likes WHERE post_id = :post AND liked_by = :by")
                        .bind("post", post.value())
                        .bind("by", by.value())
                        .execute()
                == 1;
    }
}
