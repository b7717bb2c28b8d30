package io.hiroba.saga;

import io.hiroba.platform.db.Reads;

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
                                              WHERE wake_at < now() - interval '1 minute' LIMIT :max) l) AS late,
                       (SELECT count(*) FROM (SELECT FROM saga.saga_states WHERE stuck LIMIT :max) s) AS stuck,
                       (SELECT count(*) FROM (SELECT FROM saga.saga_states WHERE owner IS NOT NULL LIMIT :max) r) AS running
                """)
                .bind("max", max)
                .map(row -> new Counts(
                        row.getInt("active"), row.getInt("late"), row.getInt("stuck"), row.getInt("running")))
                .one();
    }
}
