package io.hiroba.saga;

import io.hiroba.platform.db.Reads;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the changes of watched sagas. */
final class SagaUpdateStore {

    /** The number of attempts of a saga that are read at once. */
    static final int MAX_ATTEMPTS = 400;

    private static final long MAX_BODY_BYTES = 8 << 20;

    /** The part of a saga that a watcher has seen: the time of its state, if any, and the number of attempts. */
    record Known(SagaId saga, @Nullable Instant seen, int sent) {}

    /** The sagas whose state has changed, by id; empty for one that was deleted. */
    Map<SagaId, Optional<Saga>> changed(Reads reads, List<Known> known) {
        var found = new HashMap<SagaId, Optional<Saga>>();
        reads.query("""
                SELECT w.id AS watched, s.id, s.workflow_name, s.workflow_version, s.current_step, s.status,
                       s.payload::text AS payload, s.correlation_id, s.initiated_by, s.error_message, s.stuck,
                       s.owner IS NOT NULL AS running, s.wake_at, s.created_at, s.updated_at, s.waiting_for,
                       s.priority
                FROM unnest(:ids, CAST(:seen AS timestamptz[])) AS w (id, seen)
                LEFT JOIN saga.saga_states AS s ON s.id = w.id
                WHERE s.id IS NULL OR s.updated_at IS DISTINCT FROM w.seen
                """)
                .bindArray("ids", UUID.class, known, each -> each.saga().value())
                .bindArray("seen", String.class, known, SagaUpdateStore::time)
                .map(row -> found.put(
                        new SagaId(row.getObject("watched", UUID.class)),
                        row.getObject("id") == null ? Optional.empty() : Optional.of(SagaRows.saga(row))))
                .list();
        return found;
    }

    /**
     * The attempts of each saga after those that are known, up to {@link #MAX_ATTEMPTS}: with so many there may be more. Bodies
     * beyond {@link #MAX_BODY_BYTES} a saga are left out.
     */
    Map<SagaId, List<StepLog>> attempts(Reads reads, List<Known> known) {
        var found = new HashMap<SagaId, List<StepLog>>();
        reads.query("""
                SELECT w.id AS watched, l.step_index, l.step_name, l.action, l.attempt, l.status,
                       CASE WHEN l.bodies <= :bodies THEN l.request_payload::text END AS request_payload,
                       CASE WHEN l.bodies <= :bodies THEN l.response_payload::text END AS response_payload,
                       l.bodies > :bodies AS left_out, l.error_message, l.started_at, l.completed_at, l.retry_at,
                       l.response_head::text AS response_head, l.maybe_done
                FROM unnest(:ids, :sent) AS w (id, sent)
                CROSS JOIN LATERAL (
                    SELECT p.step_index, p.step_name, p.action, p.attempt, p.status, p.request_payload,
                           p.response_payload, p.error_message, p.started_at, p.completed_at, p.retry_at, p.response_head, p.maybe_done,
                           sum(coalesce(octet_length(p.request_payload::text), 0)
                               + coalesce(octet_length(p.response_payload::text), 0))
                               OVER (ORDER BY p.completed_at, p.action DESC, p.step_index, p.attempt) AS bodies
                    FROM (
                        SELECT step_index, step_name, action, attempt, status, request_payload, response_payload,
                               error_message, started_at, completed_at, retry_at, response_head, maybe_done
                        FROM saga.saga_step_logs
                        WHERE saga_id = w.id
                        ORDER BY completed_at, action DESC, step_index, attempt
                        OFFSET w.sent
                        LIMIT :max) AS p) AS l
                ORDER BY w.id, l.completed_at, l.action DESC, l.step_index, l.attempt
                """)
                .bindArray("ids", UUID.class, known, each -> each.saga().value())
                .bind("max", MAX_ATTEMPTS)
                .bind("bodies", MAX_BODY_BYTES)
                .bindArray("sent", Integer.class, known, Known::sent)
                .map(row -> found.computeIfAbsent(
                                new SagaId(row.getObject("watched", UUID.class)), id -> new ArrayList<>())
                        .add(SagaRows.stepLog(row)))
                .list();
        return found;
    }

    /** Counts the attempts of a saga; empty if there is no such saga. */
    Optional<Integer> attempts(Reads reads, SagaId id) {
        return reads.query("""
                SELECT (SELECT count(*) FROM saga.saga_step_logs WHERE saga_id = s.id) AS attempts
                FROM saga.saga_states AS s
                WHERE s.id = :id
                """).bind("id", id.value()).mapTo(Integer.class).findOne();
    }

    private static @Nullable String time(Known known) {
        var seen = known.seen();
        return seen == null ? null : seen.toString();
    }
}
