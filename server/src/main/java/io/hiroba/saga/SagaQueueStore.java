package io.hiroba.saga;

import io.hiroba.platform.db.Reads;
import java.util.List;
import java.util.UUID;

/** Counts sagas under way along their indexes, up to a limit. */
final class SagaQueueStore {

    /**
     * The numbers of sagas.
     *
     * @param late those that should have been continued a minute ago
     */
    record Counts(int active, int late, int stuck, int running) {

        /** Those that no node works on and that need nobody; no less than none where the others were counted later. */
        int waiting() {
            return Math.max(0, active - running - stuck);
        }
    }

    Counts counts(Reads reads, int max) {
        return reads.query("""
                SELECT (SELECT count(*) FROM (SELECT FROM saga.saga_states
                                              WHERE status IN ('STARTED', 'RUNNING', 'COMPENSATING') LIMIT :max) a) AS active,
                       (SELECT count(*) FROM (SELECT FROM saga.saga_states
                                              WHERE priority IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
                                                AND wake_at < now() - interval '1 minute' LIMIT :max) l) AS late,
                       (SELECT count(*) FROM (SELECT FROM saga.saga_states WHERE stuck LIMIT :max) s) AS stuck,
                       (SELECT count(*) FROM (SELECT FROM saga.saga_states WHERE owner IS NOT NULL LIMIT :max) r) AS running
                """)
                .bind("max", max)
                .map(row -> new Counts(
                        row.getInt("active"), row.getInt("late"), row.getInt("stuck"), row.getInt("running")))
                .one();
    }

    /** A saga that is stuck, with the step whose attempts were given up last. */
    record StuckSaga(SagaId id, String workflowName, int workflowVersion, int step) {}

    static final String STUCK = """
            SELECT s.id, s.workflow_name, s.workflow_version, l.step_index
            FROM (
                SELECT id, workflow_name, workflow_version
                FROM saga.saga_states
                WHERE stuck
                ORDER BY id DESC
                LIMIT :max) AS s
            CROSS JOIN LATERAL (
                SELECT step_index
                FROM saga.saga_step_logs
                WHERE saga_id = s.id AND gave_up
                ORDER BY completed_at DESC
                LIMIT 1) AS l
            """;

    List<StuckSaga> stuck(Reads reads, int max) {
        return reads.query(STUCK)
                .bind("max", max)
                .map(row -> new StuckSaga(
                        new SagaId(row.getObject("id", UUID.class)),
                        row.getString("workflow_name"),
                        row.getInt("workflow_version"),
                        row.getInt("step_index")))
                .list();
    }
}
