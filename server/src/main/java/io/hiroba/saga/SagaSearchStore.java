package io.hiroba.saga;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.search.SearchWords;
import java.util.List;

/** Finds sagas by words: among all by a whole id or correlation id, and among the newest by any part of what they hold. */
final class SagaSearchStore {

    /** The sagas whose payloads are looked at. */
    static final int MAX_READ = 2_000;

    List<Saga> search(Reads reads, String typed, SearchWords words, int limit) {
        return query(reads, "", typed, words, limit)
                .map(row -> SagaRows.saga(row))
                .list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query query(Reads reads, String lead, String typed, SearchWords words, int limit) {
        return reads.query(lead + """
                SELECT s.id, s.workflow_name, s.workflow_version, s.current_step, s.status, s.correlation_id, s.initiated_by,
                       s.error_message, s.stuck, s.owner IS NOT NULL AS running, s.wake_at, s.created_at, s.updated_at,
                       s.payload::text AS payload
                FROM (SELECT id, min(place) AS place
                      FROM ((SELECT id, 1 AS place FROM saga.saga_states
                             WHERE correlation_id = :typed AND correlation_id IS NOT NULL
                             LIMIT :limit)
                            UNION ALL
                            (SELECT newest.id, 2
                             FROM (SELECT id, workflow_name, correlation_id, payload
                                   FROM saga.saga_states
                                   ORDER BY id DESC
                                   LIMIT :read) AS newest
                             WHERE concat_ws(' ', newest.id, newest.workflow_name, newest.correlation_id, newest.payload)
                                   ILIKE ALL (:patterns)
                             LIMIT :limit)) AS places
                      GROUP BY id
                      ORDER BY min(place), id DESC
                      LIMIT :limit) AS found
                JOIN saga.saga_states AS s ON s.id = found.id
                ORDER BY found.place, found.id DESC
                """)
                .bind("typed", typed)
                .bindArray("patterns", String.class, words.patterns())
                .bind("read", MAX_READ)
                .bind("limit", limit);
    }
}
