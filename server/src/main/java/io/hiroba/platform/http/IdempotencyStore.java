package io.hiroba.platform.http;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Rows of idempotency_keys. */
final class IdempotencyStore {

    /** A claim of a key by a request of a node that is under way outside a transaction. */
    record Lease(long id, Instant until, @Nullable UUID node) {}

    /** Limits the wait for a concurrent holder of the same key, for the rest of the transaction. */
    void limitLockWait(Tx tx, String duration) {
        tx.query("SELECT set_config('lock_timeout', :duration, true)")
                .bind("duration", duration)
                .mapTo(String.class)
                .one();
    }

    /** Inserts the key; false if it exists. Waits for another transaction that has inserted it and not ended. */
    boolean insert(Tx tx, IdempotencyKey key, Instant now) {
        return tx.update("""
                        INSERT INTO platform.idempotency_keys (caller, key, request_hash, created_at)
                        VALUES (:caller, :key, :hash, :now)
                        ON CONFLICT (caller, key) DO NOTHING
                        """)
                        .bind("caller", key.caller())
                        .bind("key", key.key())
                        .bind("hash", key.requestHash())
                        .bind("now", now.atOffset(ZoneOffset.UTC))
                        .execute()
                == 1;
    }

    boolean isAnswered(Reads reads, IdempotencyKey key) {
        return reads.query("""
                        SELECT EXISTS (SELECT FROM platform.idempotency_keys
                                       WHERE caller = :caller AND key = :key AND status IS NOT NULL)
                        """)
                .bind("caller", key.caller())
                .bind("key", key.key())
                .mapTo(Boolean.class)
                .one();
    }

    Optional<Row> lock(Tx tx, IdempotencyKey key) {
        return tx.query("""
                        SELECT request_hash, status, response_headers, response_body, leased_until,
                               node IS NOT NULL AND NOT EXISTS (
                                   SELECT FROM platform.id_workers WHERE holder = node AND expires_at > now()) AS orphaned
                        FROM platform.idempotency_keys
                        WHERE caller = :caller AND key = :key
                        FOR UPDATE
                        """)
                .bind("caller", key.caller())
                .bind("key", key.key())
                .map(row -> row(row))
                .findOne();
    }

    /** Gives the key to a request. A node that holds no worker number is not kept: nothing tells whether it lives. */
    void take(Tx tx, IdempotencyKey key, Lease lease) {
        tx.update("""
                        UPDATE platform.idempotency_keys
                        SET lease = :lease, leased_until = :until,
                            node = (SELECT holder FROM platform.id_workers
                                    WHERE holder = CAST(:node AS uuid) AND expires_at > now() LIMIT 1)
                        WHERE caller = :caller AND key = :key
                        """)
                .bind("caller", key.caller())
                .bind("key", key.key())
                .bind("lease", lease.id())
                .bind("until", lease.until().atOffset(ZoneOffset.UTC))
                .bind("node", lease.node())
                .execute();
    }

    void complete(Tx tx, IdempotencyKey key, long lease, Answer answer) {
        tx.update("""
                        UPDATE platform.idempotency_keys
                        SET status = :status, response_headers = :headers, response_body = :body, leased_until = NULL
                        WHERE caller = :caller AND key = :key AND lease = :lease
                        """)
                .bind("caller", key.caller())
                .bind("key", key.key())
                .bind("lease", lease)
                .bind("status", answer.status())
                .bind("headers", Json.text(answer.headers()))
                .bind("body", answer.body())
                .execute();
    }

    void release(Tx tx, IdempotencyKey key, long lease) {
        tx.update("""
                        DELETE FROM platform.idempotency_keys
                        WHERE caller = :caller AND key = :key AND lease = :lease AND status IS NULL
                        """)
                .bind("caller", key.caller())
                .bind("key", key.key())
                .bind("lease", lease)
                .execute();
    }

    int deleteOlderThan(Tx tx, Instant moment, int max) {
        return tx.update("""
                        DELETE FROM platform.idempotency_keys
                        WHERE (caller, key) IN (
                            SELECT caller, key
                            FROM platform.idempotency_keys
                            WHERE created_at < :moment
                            ORDER BY created_at
                            LIMIT :max
                            FOR UPDATE SKIP LOCKED)
                        """)
                .bind("moment", moment.atOffset(ZoneOffset.UTC))
                .bind("max", max)
                .execute();
    }

    private static Row row(ResultSet row) throws SQLException {
        int status = row.getInt("status");
        var answer = row.wasNull()
                ? null
                : new Answer(
                        status,
                        Json.mapper()
                                .readValue(
                                        row.getString("response_headers"), new TypeReference<Map<String, String>>() {}),
                        row.getString("response_body"));
        return new Row(
                row.getString("request_hash"),
                answer,
                Columns.instantOrNull(row, "leased_until"),
                row.getBoolean("orphaned"));
    }

    /** @param isOrphaned whether the node that took the key is gone */
    record Row(
            String requestHash,
            @Nullable Answer answer,
            @Nullable Instant leasedUntil,
            boolean isOrphaned) {}
}
