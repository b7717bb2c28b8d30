package io.hiroba.inbox.keys;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.resources.ResourceId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keys in the database. */
final class KeyStore {

    private static final String SELECT = """
            SELECT k.id, k.user_id, r.title, k.public_key, k.fingerprint, k.expires_at, k.created_at
            FROM inbox.ssh_keys k
            JOIN inbox.resources r ON r.id = k.id
            """;

    /** Holds all keys of a user, so that nobody adds more of them than they may. */
    void lockAll(Tx tx, UserId owner) {
        tx.query("SELECT pg_advisory_xact_lock(hashtextextended('inbox.keys ' || :owner, 0)) IS NULL")
                .bind("owner", owner.hex())
                .mapTo(Boolean.class)
                .one();
    }

    List<SshKey> of(Reads reads, UserId owner) {
        return reads.query(SELECT + "WHERE k.user_id = :owner ORDER BY k.id")
                .bind("owner", owner.value())
                .map(row -> key(row))
                .list();
    }

    Optional<SshKey> lock(Tx tx, UserId owner, ResourceId id) {
        return tx.query(SELECT + "WHERE k.id = :id AND k.user_id = :owner FOR UPDATE OF k")
                .bind("id", id.value())
                .bind("owner", owner.value())
                .map(row -> key(row))
                .findOne();
    }

    /** As of now nobody was told of its end. */
    void renew(Tx tx, ResourceId id, @Nullable Instant expiresAt) {
        tx.update("""
                        UPDATE inbox.ssh_keys SET expires_at = :expires, warned_at = NULL, expired_told = NULL
                        WHERE id = :id
                        """)
                .bind("expires", expiresAt == null ? null : expiresAt.atOffset(ZoneOffset.UTC))
                .bind("id", id.value())
                .execute();
    }

    /** Those that end until then and whose owners were not warned; from now on they were. */
    List<SshKey> takeToWarn(Tx tx, Instant until, Instant now, int most) {
        return taken(tx, "warned_at", until, now, most);
    }

    /** Those that have ended by now and whose owners were not told; from now on they were. */
    List<SshKey> takeExpired(Tx tx, Instant now, int most) {
        return taken(tx, "expired_told", now, now, most);
    }

    private static List<SshKey> taken(Tx tx, String told, Instant until, Instant now, int most) {
        return tx.query("""
                        WITH due AS (
                            SELECT id FROM inbox.ssh_keys
                            WHERE %1$s IS NULL AND expires_at <= :until AND user_id IS NOT NULL
                            ORDER BY expires_at
                            LIMIT :most
                            FOR UPDATE SKIP LOCKED
                        )
                        UPDATE inbox.ssh_keys k SET %1$s = :now
                        FROM due
                        JOIN inbox.resources r ON r.id = due.id
                        WHERE k.id = due.id
                        RETURNING k.id, k.user_id, r.title, k.public_key, k.fingerprint, k.expires_at, k.created_at
                        """.formatted(told))
                .bind("until", until.atOffset(ZoneOffset.UTC))
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .map(row -> key(row))
                .list();
    }

    private static SshKey key(ResultSet row) throws SQLException {
        var expires = row.getObject("expires_at", OffsetDateTime.class);
        return new SshKey(
                new ResourceId(row.getLong("id")),
                new UserId(row.getLong("user_id")),
                row.getString("title"),
                row.getString("public_key"),
                row.getString("fingerprint"),
                expires == null ? null : expires.toInstant(),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }
}
