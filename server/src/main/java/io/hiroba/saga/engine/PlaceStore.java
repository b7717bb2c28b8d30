package io.hiroba.saga.engine;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.SagaId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Keeps the places of workflows that limit how many of their sagas run. */
final class PlaceStore {

    /** A part of a WITH clause, after others: the sagas of {@code made} that have to wait for a place. */
    static final String INSERT = """
            ,
            placed AS (
                INSERT INTO saga.workflow_places (saga_id, workflow, priority)
                SELECT id, workflow_name, priority FROM made WHERE owner IS NULL AND wake_at IS NULL)""";

    /** The workflows that sagas wait for a place of, from one to the next along the index. */
    List<String> waiting(Reads reads) {
        return reads.query("""
                WITH RECURSIVE found AS (
                    (SELECT workflow FROM saga.workflow_places WHERE NOT held ORDER BY workflow LIMIT 1)
                    UNION ALL
                    SELECT (SELECT p.workflow FROM saga.workflow_places AS p
                            WHERE NOT p.held AND p.workflow > found.workflow
                            ORDER BY p.workflow LIMIT 1)
                    FROM found
                    WHERE found.workflow IS NOT NULL)
                SELECT workflow FROM found WHERE workflow IS NOT NULL
                """).mapTo(String.class).list();
    }

    /** Keeps others from letting sagas of the workflow in until {@code tx} ends. */
    void lock(Tx tx, String workflow) {
        tx.lock("saga.places", workflow);
    }

    /** A saga that waits for a place. */
    record Waiter(SagaId id, int version) {}

    /** The first in the line: a priority above another is worth half a minute of waiting, as for those that are due. */
    Optional<Waiter> first(Tx tx, String workflow) {
        return tx.query("""
                SELECT longest.saga_id, coalesce(s.workflow_version, 0) AS version
                FROM generate_series(0, 9) AS level (priority)
                CROSS JOIN LATERAL (
                    SELECT saga_id, since
                    FROM saga.workflow_places
                    WHERE workflow = :workflow AND NOT held AND priority = level.priority
                    ORDER BY since
                    LIMIT 1) AS longest
                LEFT JOIN saga.saga_states AS s ON s.id = longest.saga_id
                ORDER BY longest.since - level.priority * interval '30 seconds'
                LIMIT 1
                """)
                .bind("workflow", workflow)
                .map(row -> new Waiter(new SagaId(row.getObject("saga_id", UUID.class)), row.getInt("version")))
                .findOne();
    }

    /** How many places are held, after those of sagas that have ended are given back. */
    int held(Tx tx, String workflow) {
        tx.update("""
                DELETE FROM saga.workflow_places AS p
                WHERE p.workflow = :workflow AND p.held
                  AND NOT EXISTS (
                      SELECT FROM saga.saga_states AS s
                      WHERE s.id = p.saga_id AND s.status IN ('STARTED', 'RUNNING', 'COMPENSATING'))
                """).bind("workflow", workflow).execute();
        return tx.query("SELECT count(*) FROM saga.workflow_places WHERE workflow = :workflow AND held")
                .bind("workflow", workflow)
                .mapTo(Integer.class)
                .one();
    }

    /**
     * Gives a saga a place; it is due at once, a successor as long after its start as in any chain. One that was cancelled meanwhile,
     * or that an operator had go on, is left as it is.
     */
    void admit(Tx tx, SagaId id) {
        tx.update("""
                WITH held AS (
                    UPDATE saga.workflow_places SET held = true WHERE saga_id = :id)
                UPDATE saga.saga_states
                SET wake_at = CASE WHEN continued_from IS NULL THEN now()
                                   ELSE greatest(now(), created_at + :interval * interval '1 ms') END,
                    admitted_at = now(), deadline = deadline + (now() - created_at), updated_at = clock_timestamp()
                WHERE id = :id AND status = 'STARTED' AND owner IS NULL AND wake_at IS NULL
                """)
                .bind("id", id.value())
                .bind("interval", ChildStore.MIN_INTERVAL.toMillis())
                .execute();
    }
}
