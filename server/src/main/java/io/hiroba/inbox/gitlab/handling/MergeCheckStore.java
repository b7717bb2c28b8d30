package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.PersonId;
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
import java.util.stream.Stream;

/** When merge requests could be merged and when not, in the database. */
final class MergeCheckStore {

    record Check(Instant at, boolean conflicting, List<PersonId> concerned) {}

    Optional<Check> before(Reads reads, ResourceId request, Instant at) {
        return reads.query("""
                        SELECT checked_at, conflicting, concerned
                        FROM inbox.merge_checks
                        WHERE resource_id = :request AND checked_at < :at
                        ORDER BY checked_at DESC
                        LIMIT 1
                        """)
                .bind("request", request.value())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .map(row -> check(row))
                .findOne();
    }

    Optional<Check> after(Reads reads, ResourceId request, Instant at) {
        return reads.query("""
                        SELECT checked_at, conflicting, concerned
                        FROM inbox.merge_checks
                        WHERE resource_id = :request AND checked_at > :at
                        ORDER BY checked_at
                        LIMIT 1
                        """)
                .bind("request", request.value())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .map(row -> check(row))
                .findOne();
    }

    void save(Tx tx, ResourceId request, Instant at, boolean conflicting, List<Person> concerned) {
        tx.update("""
                        INSERT INTO inbox.merge_checks (resource_id, checked_at, conflicting, concerned)
                        VALUES (:request, :at, :conflicting, :concerned)
                        ON CONFLICT (resource_id, checked_at) DO UPDATE
                            SET conflicting = excluded.conflicting, concerned = excluded.concerned
                        """)
                .bind("request", request.value())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .bind("conflicting", conflicting)
                .bindArray("concerned", Long.class, (Object[])
                        concerned.stream().map(person -> person.id().value()).toArray(Long[]::new))
                .execute();
    }

    private static Check check(ResultSet row) throws SQLException {
        var concerned = (Long[]) row.getArray("concerned").getArray();
        return new Check(
                row.getObject("checked_at", OffsetDateTime.class).toInstant(),
                row.getBoolean("conflicting"),
                Stream.of(concerned).map(PersonId::new).toList());
    }
}
