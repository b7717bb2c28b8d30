package io.hiroba.bench.saga;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.UuidV7;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.UUID;

/** The baseline: a saga of three steps hand-written for one workflow in plain JDBC, one statement a step. */
final class HandWrittenSagas {

    private static final String BEGIN = """
            WITH made AS (
                INSERT INTO saga.saga_states (
                    id, workflow_name, workflow_version, payload, correlation_id, initiated_by, deadline, owner, fence)
                VALUES (?, 'order', 1, CAST(? AS jsonb), ?, 'bench', now() + interval '300 s', 1, 1)
                RETURNING id, workflow_name, status, correlation_id)
            SELECT saga.append_events(ARRAY['saga-changed'], ARRAY[id], ARRAY[workflow_name::text], ARRAY[status::text],
                             ARRAY[correlation_id::text]) FROM made
            """;

    private static final String STEP = """
            WITH moved AS (
                UPDATE saga.saga_states
                SET status = ?, current_step = ?, owner = CASE WHEN ? THEN NULL ELSE owner END,
                    updated_at = clock_timestamp()
                WHERE id = ? AND fence = 1
                RETURNING id, workflow_name, status, correlation_id),
            logged AS (
                INSERT INTO saga.saga_step_logs (
                    saga_id, step_index, action, attempt, step_name, status, response_payload, started_at, completed_at)
                SELECT id, ?, 'EXECUTE', 1, ?, 'SUCCESS', CAST(? AS jsonb), now(), now() FROM moved)
            """;

    private static final String TELLING = STEP + """
            SELECT saga.append_events(ARRAY['saga-changed'], ARRAY[id], ARRAY[workflow_name::text], ARRAY[status::text],
                             ARRAY[correlation_id::text]) FROM moved
            """;

    private static final String SILENT = STEP + "SELECT 1 FROM moved";

    private final Db db;
    private final UuidV7 ids = new UuidV7(Clock.systemUTC());
    private final Work work;

    /** Executes a step. */
    interface Work {
        String run(UUID saga, int step);
    }

    HandWrittenSagas(Db db, Work work) {
        this.db = db;
        this.work = work;
    }

    void saga(int n) {
        var id = ids.next();
        try {
            begin(id, n);
            for (int step = 0; step < 3; step++) {
                step(id, step, work.run(id, step));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void begin(UUID id, int n) throws SQLException {
        try (var connection = db.dataSource().getConnection();
                var statement = connection.prepareStatement(BEGIN)) {
            statement.setObject(1, id);
            statement.setString(2, "{\"order\": 7}");
            statement.setString(3, "order-" + n);
            statement.execute();
        }
    }

    private void step(UUID id, int step, String answer) throws SQLException {
        try (Connection connection = db.dataSource().getConnection();
                var statement = connection.prepareStatement(step == 1 ? SILENT : TELLING)) {
            statement.setString(1, step == 2 ? "COMPLETED" : "RUNNING");
            statement.setInt(2, Math.min(step + 1, 2));
            statement.setBoolean(3, step == 2);
            statement.setObject(4, id);
            statement.setInt(5, step);
            statement.setString(6, "step " + step);
            statement.setString(7, answer);
            statement.execute();
        }
    }
}
