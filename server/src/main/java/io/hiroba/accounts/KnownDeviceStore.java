package io.hiroba.accounts;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Rows of known devices. */
final class KnownDeviceStore {

    boolean isKnown(Reads reads, BearerSecret device, Email account, Instant since) {
        return reads.query("""
                        SELECT EXISTS (SELECT 1
                                       FROM accounts.known_devices d
                                       JOIN accounts.users u ON u.id = d.user_id
                                       WHERE d.secret_hash = :hash AND u.email = :email AND d.last_used_at > :since)
                        """)
                .bind("hash", device.hash())
                .bind("email", account.value())
                .bind("since", since)
                .mapTo(Boolean.class)
                .one();
    }

    /** Whether the account knows other devices and not this one. */
    boolean isNew(Reads reads, @Nullable BearerSecret device, UserId user) {
        return reads.query(
                        "SELECT coalesce(bool_and(secret_hash <> :hash), false) FROM accounts.known_devices WHERE user_id = :user")
                .bind("hash", device == null ? new byte[0] : device.hash())
                .bind("user", user.value())
                .mapTo(Boolean.class)
                .one();
    }

    void replace(Tx tx, BearerSecret former, BearerSecret next) {
        tx.update("UPDATE accounts.known_devices SET secret_hash = :next WHERE secret_hash = :former")
                .bind("next", next.hash())
                .bind("former", former.hash())
                .execute();
    }

    void upsert(Tx tx, BearerSecret device, UserId user, Instant now) {
        tx.update("""
                        INSERT INTO accounts.known_devices (secret_hash, user_id, last_used_at)
                        VALUES (:hash, :user, :now)
                        ON CONFLICT (secret_hash, user_id) DO UPDATE SET last_used_at = excluded.last_used_at
                        """)
                .bind("hash", device.hash())
                .bind("user", user.value())
                .bind("now", now)
                .execute();
    }

    void deleteAllBut(Tx tx, UserId user, int newest) {
        tx.update("""
                        DELETE FROM accounts.known_devices
                        WHERE user_id = :user
                          AND secret_hash IN (SELECT secret_hash
                                              FROM accounts.known_devices
                                              WHERE user_id = :user
                                              ORDER BY last_used_at DESC
                                              OFFSET :newest)
                        """).bind("user", user.value()).bind("newest", newest).execute();
    }

    int deleteExpired(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM accounts.known_devices
                        WHERE (secret_hash, user_id) IN (
                            SELECT secret_hash, user_id FROM accounts.known_devices
                            WHERE last_used_at <= :before
                            ORDER BY last_used_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("before", before).bind("limit", limit).execute();
    }
}
