package io.hiroba.saga;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.search.SearchWords;
import java.util.List;

/** Finds sagas by words, among the newest, in any part of what they hold. */
final class SagaSearchStore {

    /** The sagas whose payloads are looked at. */
    static final int MAX_READ = 2_000;

    List<Saga> search(Reads reads, SearchWords words, int limit) {
        return query(reads, "", words, limit).map(row -> SagaRows.saga(row)).list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query query(Reads reads, String lead, SearchWords words, int limit) {
        return reads.query(lead + """
                SELECT s.id, s.workflow_name, s.workflow_version, s.current_step, s.status, s.correlation_id, s.initiated_by,
                       s.error_message, s.stuck, s.owner IS NOT NULL AS running, s.wake_at, s.created_at, s.updated_at,
                       s.waiting_for, s.priority, s.payload::text AS payload
                FROM (SELECT newest.id
                      FROM (SELECT id, workflow_name, correlation_id, payload
                            FROM saga.saga_states
                            ORDER BY id DESC
                            LIMIT :read) AS newest
                      WHERE concat_ws(' ', newest.id, newest.workflow_name, newest.correlation_id, newest.payload)
                            ILIKE ALL (:patterns)
                      ORDER BY newest.id DESC
                      LIMIT :limit) AS found
                JOIN saga.saga_states AS s ON s.id = found.id
                ORDER BY s.id DESC
                """)
                .bindArray("patterns", String.class, words.patterns())
                .bind("read", MAX_READ)
                .bind("limit", limit);
    }
}
