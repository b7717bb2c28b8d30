package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.resources.ResourceId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** When merge requests could be merged and when not, in the database. */
final class MergeCheckStore {

    record Check(Instant at, boolean conflicting) {}

    Optional<Check> before(Reads reads, ResourceId request, Instant at) {
        return reads.query("""
                        SELECT checked_at, conflicting
                        FROM inbox.merge_checks
                        WHERE resource_id = :request AND checked_at < :at
                        ORDER BY checked_at DESC
                        LIMIT 1
                        """)
                .bind("request", request.value())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .map((row, ctx) -> check(row))
                .findOne();
    }

    Optional<Check> after(Reads reads, ResourceId request, Instant at) {
        return reads.query("""
                        SELECT checked_at, conflicting
                        FROM inbox.merge_checks
                        WHERE resource_id = :request AND checked_at > :at
                        ORDER BY checked_at
                        LIMIT 1
                        """)
                .bind("request", request.value())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .map((row, ctx) -> check(row))
                .findOne();
    }

    void save(Tx tx, ResourceId request, Instant at, boolean conflicting) {
        tx.update("""
                        INSERT INTO inbox.merge_checks (resource_id, checked_at, conflicting)
                        VALUES (:request, :at, :conflicting)
                        ON CONFLICT (resource_id, checked_at) DO UPDATE SET conflicting = excluded.conflicting
                        """)
                .bind("request", request.value())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .bind("conflicting", conflicting)
                .execute();
    }

    private static Check check(ResultSet row) throws SQLException {
        return new Check(row.getObject("checked_at", OffsetDateTime.class).toInstant(), row.getBoolean("conflicting"));
    }
}
