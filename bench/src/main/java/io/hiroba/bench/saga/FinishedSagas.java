package io.hiroba.bench.saga;

import io.hiroba.bench.records.RecordsBench;
import io.hiroba.platform.db.Db;

/** Fills the tables before the measurement with finished sagas and sagas that wait for a signal. */
final class FinishedSagas {

    static final int ENDED = Integer.getInteger(RecordsBench.ROWS, 1_000_000);
    static final int WAITING = ENDED / 10;
    private static final int BATCH = 100_000;

    private FinishedSagas() {}

    static void fill(Db db) {
        System.err.printf("· filling %,d ended and %,d waiting sagas%n", ENDED, WAITING);
        for (int from = 0; from < ENDED; from += BATCH) {
            int first = from;
            db.useTransaction(tx -> tx.update("""
                    INSERT INTO saga.saga_states (
                        id, workflow_name, workflow_version, current_step, status, payload, correlation_id, initiated_by,
                        created_at, updated_at, fence)
                    SELECT CAST(lpad(to_hex(1700000000000 + n * 1000), 12, '0') || '7000' || '8000'
                                || lpad(to_hex(n), 12, '0') AS uuid),
                           'order', 1, 2, CASE WHEN n % 50 = 0 THEN 'FAILED' ELSE 'COMPLETED' END,
                           '{"order": 7}', 'order-' || n, 'bench',
                           to_timestamp(1700000000 + n), to_timestamp(1700000000 + n), 1
                    FROM generate_series(CAST(:first AS bigint), :first + :count - 1) AS n
                    """)
                    .bind("first", first)
                    .bind("count", Math.min(BATCH, ENDED - first))
                    .execute());
        }
        // The foreign key check keeps its plan from when the table was empty, a sequential scan, until ANALYZE
        // invalidates it.
        analyse(db);
        db.useTransaction(tx -> tx.update("""
                INSERT INTO saga.saga_step_logs (
                    saga_id, step_index, action, attempt, step_name, status, response_payload, started_at, completed_at)
                SELECT id, step, 'EXECUTE', 1, 'step ' || step, 'SUCCESS', '{"done": true}', created_at, created_at
                FROM saga.saga_states, generate_series(0, 2) AS step
                """).execute());
        db.useTransaction(tx -> tx.update("""
                INSERT INTO saga.saga_states (
                    id, workflow_name, workflow_version, status, payload, initiated_by, created_at, wake_at, fence)
                SELECT CAST(lpad(to_hex(1710000000000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0') AS uuid),
                       'approval', 1, 'STARTED', '{"order": 7}', 'bench', to_timestamp(1710000000),
                       now() + interval '1 day', 1
                FROM generate_series(1, :count) AS n
                """).bind("count", WAITING).execute());
        analyse(db);
    }

    private static void analyse(Db db) {
        db.useTransaction(
                tx -> tx.update("ANALYZE saga.saga_states, saga.saga_step_logs").execute());
    }
}
