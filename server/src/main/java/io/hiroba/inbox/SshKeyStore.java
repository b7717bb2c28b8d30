package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of SSH keys. */
final class SshKeyStore {

    private static final String SELECT = """
            SELECT k.id, k.user_id, r.title, k.public_key, k.fingerprint, k.expires_at, k.created_at
            FROM inbox.ssh_keys k
            JOIN inbox.resources r ON r.id = k.id
            """;

    /** Locks the keys of a user, so that concurrent additions cannot exceed the limit. */
    void lockAll(Tx tx, UserId owner) {
        tx.lock("inbox.keys", owner.hex());
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

    /** Changes the expiry and clears the record of notifications. */
    void setExpiry(Tx tx, ResourceId id, @Nullable Instant expiresAt) {
        tx.update("""
                        UPDATE inbox.ssh_keys SET expires_at = :expires, expiring_notified_at = NULL, expired_notified_at = NULL
                        WHERE id = :id
                        """).bind("expires", expiresAt).bind("id", id.value()).execute();
    }

    /** Claims keys that expire until then and whose owners were not notified of it. */
    List<SshKey> claimExpiring(Tx tx, Instant until, Instant now, int limit) {
        return claim(tx, "expiring_notified_at", until, now, limit);
    }

    /** The time of the next notification of a key, which may be past. */
    Optional<Instant> nextReminder(Reads reads, Duration notice) {
        return reads.query("""
                        SELECT least(
                            (SELECT min(expires_at) - :notice * interval '1 ms' FROM inbox.ssh_keys
                             WHERE expiring_notified_at IS NULL AND user_id IS NOT NULL),
                            (SELECT min(expires_at) FROM inbox.ssh_keys
                             WHERE expired_notified_at IS NULL AND user_id IS NOT NULL))
                        """)
                .bind("notice", notice.toMillis())
                .mapTo(Instant.class)
                .findOne();
    }

    /** Claims keys that have expired and whose owners were not notified of it. */
    List<SshKey> claimExpired(Tx tx, Instant now, int limit) {
        return claim(tx, "expired_notified_at", now, now, limit);
    }

    private static List<SshKey> claim(Tx tx, String notifiedAt, Instant until, Instant now, int limit) {
        return tx.query("""
                        WITH due AS (
                            SELECT id FROM inbox.ssh_keys
                            WHERE %1$s IS NULL AND expires_at <= :until AND user_id IS NOT NULL
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED
                        )
                        UPDATE inbox.ssh_keys k SET %1$s = :now
                        FROM due
                        JOIN inbox.resources r ON r.id = due.id
                        WHERE k.id = due.id
                        RETURNING k.id, k.user_id, r.title, k.public_key, k.fingerprint, k.expires_at, k.created_at
                        """.formatted(notifiedAt))
                .bind("until", until)
                .bind("now", now)
                .bind("limit", limit)
                .map(row -> key(row))
                .list();
    }

    private static SshKey key(ResultSet row) throws SQLException {
        return new SshKey(
                new ResourceId(row.getLong("id")),
                new UserId(row.getLong("user_id")),
                row.getString("title"),
                row.getString("public_key"),
                row.getString("fingerprint"),
                Columns.instantOrNull(row, "expires_at"),
                Columns.instant(row, "created_at"));
    }
}
