package io.hiroba.bench.saga;

import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.platform.db.Db;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The benchmark of the writes of one step on the design document's tables with all their indexes, and on ours. */
final class StepCostBench {

    private static final int CLIENTS = 8;
    private static final int STEPS = 8_000;
    private static final int SAGAS = 2_000;

    private static final String DOCUMENT = """
            CREATE SCHEMA seed;
            CREATE FUNCTION seed.update_updated_at() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN NEW.updated_at = now(); RETURN NEW; END $$;
            CREATE TABLE seed.saga_states (
                id UUID PRIMARY KEY DEFAULT gen_random_uuid(), workflow_name VARCHAR(255) NOT NULL,
                current_step INT NOT NULL DEFAULT 0, status VARCHAR(50) NOT NULL DEFAULT 'STARTED', payload JSONB,
                correlation_id VARCHAR(255), initiated_by VARCHAR(255), error_message TEXT,
                created_at TIMESTAMPTZ NOT NULL DEFAULT now(), updated_at TIMESTAMPTZ NOT NULL DEFAULT now());
            CREATE INDEX ON seed.saga_states (workflow_name);
            CREATE INDEX ON seed.saga_states (status);
            CREATE INDEX ON seed.saga_states (correlation_id) WHERE correlation_id IS NOT NULL;
            CREATE INDEX ON seed.saga_states (created_at);
            CREATE TRIGGER touched BEFORE UPDATE ON seed.saga_states
                FOR EACH ROW EXECUTE FUNCTION seed.update_updated_at();
            CREATE TABLE seed.saga_step_logs (
                id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
                saga_id UUID NOT NULL REFERENCES seed.saga_states (id) ON DELETE CASCADE, step_index INT NOT NULL,
                step_name VARCHAR(255) NOT NULL, action VARCHAR(50) NOT NULL, status VARCHAR(50) NOT NULL,
                request_payload JSONB, response_payload JSONB, error_message TEXT,
                started_at TIMESTAMPTZ NOT NULL DEFAULT now(), completed_at TIMESTAMPTZ,
                updated_at TIMESTAMPTZ NOT NULL DEFAULT now());
            CREATE INDEX ON seed.saga_step_logs (saga_id, step_index);
            CREATE INDEX ON seed.saga_step_logs (step_name);
            CREATE INDEX ON seed.saga_step_logs (status);
            CREATE INDEX ON seed.saga_step_logs (action);
            CREATE INDEX ON seed.saga_step_logs (started_at);
            INSERT INTO seed.saga_states (id, workflow_name, payload, correlation_id)
                SELECT CAST('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0') AS uuid), 'order', '{"order": 7}',
                       'order-' || n
                FROM generate_series(0, 1999) AS n;
            INSERT INTO saga.saga_states (id, workflow_name, workflow_version, payload, correlation_id, owner, fence)
                SELECT CAST('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0') AS uuid), 'order', 1,
                       '{"order": 7}', 'order-' || n, 1, 1
                FROM generate_series(0, 1999) AS n;
            """;

    private static final String UPDATE = """
            UPDATE seed.saga_states SET current_step = ?, status = 'RUNNING', error_message = NULL, updated_at = now()
            WHERE id = ?
            """;

    private static final String INSERT = """
            INSERT INTO seed.saga_step_logs (
                id, saga_id, step_index, step_name, action, status, request_payload, response_payload, started_at,
                completed_at)
            VALUES (gen_random_uuid(), ?, ?, 'step', 'EXECUTE', 'SUCCESS', '{"order": 7}', '{"done": true}', now(), now())
            """;

    private static final String BOTH = """
            WITH moved AS (
                UPDATE saga.saga_states SET current_step = ?, status = 'RUNNING', updated_at = clock_timestamp()
                WHERE id = ? AND fence = 1
                RETURNING id)
            INSERT INTO saga.saga_step_logs (
                saga_id, step_index, action, attempt, step_name, status, response_payload, started_at, completed_at)
            SELECT id, ?, 'EXECUTE', 1, 'step', 'SUCCESS', '{"done": true}', now(), now() FROM moved
            """;

    private final Db db;

    private StepCostBench(Db db) {
        this.db = db;
    }

    static void run(Db db) {
        db.useTransaction(tx -> tx.update(DOCUMENT).execute());
        var bench = new StepCostBench(db);
        new InterleavedBenchmark("one step, %d writers".formatted(CLIENTS), "steps/s")
                .with(
                        "design document: its tables, UPDATE and INSERT in a transaction",
                        () -> bench.rate(bench::document))
                .with("our tables, one statement", () -> bench.rate(bench::ours))
                .run();
        db.useTransaction(tx -> tx.update("""
                DROP SCHEMA seed CASCADE;
                TRUNCATE saga.saga_states CASCADE;
                """).execute());
    }

    private double rate(Step step) {
        return new SagaClients(CLIENTS, STEPS).rate(n -> {
            int number = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
            try (var connection = db.dataSource().getConnection()) {
                step.run(connection, new UUID(0x7000L, 0x8000000000000000L | (n % SAGAS)), number);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** One step of a saga. */
    private interface Step {
        void run(Connection connection, UUID saga, int number) throws SQLException;
    }

    private void document(Connection connection, UUID saga, int number) throws SQLException {
        connection.setAutoCommit(false);
        try (var update = connection.prepareStatement(UPDATE);
                var insert = connection.prepareStatement(INSERT)) {
            update.setInt(1, number);
            update.setObject(2, saga);
            update.executeUpdate();
            insert.setObject(1, saga);
            insert.setInt(2, number);
            insert.executeUpdate();
            connection.commit();
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private void ours(Connection connection, UUID saga, int number) throws SQLException {
        try (var both = connection.prepareStatement(BOTH)) {
            both.setInt(1, number);
            both.setObject(2, saga);
            both.setInt(3, number);
            both.executeUpdate();
        }
    }
}
