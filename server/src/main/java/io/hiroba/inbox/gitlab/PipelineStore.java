package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.PersonId;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rows of pipelines and their results. */
final class PipelineStore {

    private static final String SELECT =
            "SELECT number, resource_id, lane, person_id, succeeded, ended_at, runs_again FROM inbox.pipelines ";

    /** A pipeline as it is stored. */
    record Known(
            long number,
            ResourceId resource,
            String lane,
            Optional<PersonId> person,
            Optional<Boolean> succeeded,
            Optional<Instant> endedAt,
            boolean runsAgain) {

        static Known of(Pipelines.Run run) {
            return new Known(
                    run.number(),
                    run.resource().id(),
                    run.lane(),
                    run.user().map(ExternalPerson::id),
                    run.succeeded(),
                    Optional.of(run.endedAt()),
                    false);
        }

        boolean isFailed() {
            return succeeded.filter(green -> !green).isPresent();
        }

        /** Who is asked about what if it fails. */
        Asked asked() {
            return new Asked(resource, person);
        }
    }

    /** The resource and the person of the item that a failed pipeline leads to. */
    record Asked(ResourceId resource, Optional<PersonId> person) {}

    void lock(Tx tx, ConnectionId connection, String project) {
        tx.lock("inbox.pipelines", connection.hex() + " " + project);
    }

    Optional<Known> find(Reads reads, ConnectionId connection, long number) {
        return reads.query(SELECT + "WHERE connection_id = :connection AND number = :number")
                .bind("connection", connection.value())
                .bind("number", number)
                .map(row -> known(row))
                .findOne();
    }

    void save(Tx tx, ConnectionId connection, Pipelines.Run run, boolean runsAgain) {
        tx.update("""
                        INSERT INTO inbox.pipelines
                            (connection_id, number, resource_id, lane, person_id, succeeded, ended_at, runs_again)
                        VALUES (:connection, :number, :resource, :lane, :person, :succeeded, :ended, :again)
                        ON CONFLICT (connection_id, number) DO UPDATE
                            SET resource_id = excluded.resource_id, lane = excluded.lane, person_id = excluded.person_id,
                                succeeded = excluded.succeeded, ended_at = excluded.ended_at,
                                runs_again = excluded.runs_again
                        """)
                .bind("connection", connection.value())
                .bind("number", run.number())
                .bind("resource", run.resource().id().value())
                .bind("lane", run.lane())
                .bind("person", run.user().map(person -> person.id().value()).orElse(null))
                .bind("succeeded", run.succeeded().orElse(null))
                .bind("ended", run.succeeded().isEmpty() ? null : run.endedAt())
                .bind("again", runsAgain)
                .execute();
    }

    /** The newest that have succeeded or failed. */
    List<Known> ended(Reads reads, ConnectionId connection, String lane) {
        return reads.query(SELECT + """
                        WHERE connection_id = :connection AND lane = :lane AND succeeded IS NOT NULL
                        ORDER BY number DESC
                        LIMIT 200
                        """)
                .bind("connection", connection.value())
                .bind("lane", lane)
                .map(row -> known(row))
                .list();
    }

    private static Known known(ResultSet row) throws SQLException {
        long person = row.getLong("person_id");
        var by = row.wasNull() ? Optional.<PersonId>empty() : Optional.of(new PersonId(person));
        boolean succeeded = row.getBoolean("succeeded");
        var verdict = row.wasNull() ? Optional.<Boolean>empty() : Optional.of(succeeded);
        return new Known(
                row.getLong("number"),
                new ResourceId(row.getLong("resource_id")),
                row.getString("lane"),
                by,
                verdict,
                Optional.ofNullable(Columns.instantOrNull(row, "ended_at")),
                row.getBoolean("runs_again"));
    }
}
