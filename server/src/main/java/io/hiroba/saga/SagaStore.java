package io.hiroba.saga;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.UuidV7;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads sagas with their logs, and applies the commands of operators while nodes work on them. */
final class SagaStore {

    /** The message of a saga that was cancelled. */
    static final String CANCELLED = "saga.journal.cancelled";

    /** Above every id. */
    static final SagaId NEWEST = new SagaId(new UUID(-1, -1));

    /** The number of attempts that are shown beside the last one of each step. */
    static final int MAX_ATTEMPTS = 400;

    private static final long MAX_BODY_BYTES = 8 << 20;

    /**
     * A saga with the attempts at its steps, in the order of steps and attempts.
     *
     * @param leftOut how many attempts are left out
     */
    record Logged(Saga saga, List<StepLog> log, int leftOut) {}

    Optional<Saga> find(Reads reads, SagaId id) {
        return reads.query("""
                SELECT id, workflow_name, workflow_version, current_step, status, correlation_id, initiated_by,
                       error_message, stuck, owner IS NOT NULL AS running, wake_at, created_at, updated_at, waiting_for,
                       priority, payload::text AS payload
                FROM saga.saga_states
                WHERE id = :id
                """)
                .bind("id", id.value())
                .map(row -> SagaRows.saga(row))
                .findOne();
    }

    /**
     * One statement, so that row and log are consistent; the payload comes with the first row only. To bound the memory, it
     * reads the last attempt at each step, which the phases need, and the newest {@link #MAX_ATTEMPTS}, with bodies of at most
     * {@link #MAX_BODY_BYTES}. A body whose compressed size exceeds that is not decompressed to be measured.
     */
    Optional<Logged> withLog(Reads reads, SagaId id) {
        var log = new ArrayList<StepLog>();
        var attempts = new AtomicInteger();
        return reads
                .query("""
                SELECT s.id, s.workflow_name, s.workflow_version, s.current_step, s.status, s.correlation_id,
                       s.initiated_by, s.error_message, s.stuck, s.owner IS NOT NULL AS running, s.wake_at, s.created_at,
                       s.updated_at, s.waiting_for, s.priority, CASE WHEN row_number() OVER in_order = 1 THEN s.payload::text END AS payload,
                       l.step_index, l.step_name, l.action, l.attempt, l.step_status, l.step_error, l.started_at,
                       l.completed_at, l.retry_at, l.response_head::text AS response_head, l.maybe_done, l.attempts,
                       l.bodies > :max AS left_out,
                       CASE WHEN l.bodies <= :max THEN l.request_payload::text END AS request_payload,
                       CASE WHEN l.bodies <= :max THEN l.response_payload::text END AS response_payload
                FROM saga.saga_states AS s
                LEFT JOIN LATERAL (
                    SELECT m.step_index, m.step_name, m.action, m.attempt, m.step_status, m.step_error, m.started_at,
                           m.completed_at, m.retry_at, m.response_head, m.maybe_done, m.attempts, m.request_payload, m.response_payload,
                           sum(CASE WHEN m.packed <= :max
                               THEN coalesce(octet_length(m.request_payload::text), 0)
                                   + coalesce(octet_length(m.response_payload::text), 0)
                               ELSE :max + 1 END) OVER (ORDER BY m.step_index, m.action DESC, m.attempt) AS bodies
                    FROM (
                        SELECT n.step_index, n.step_name, n.action, n.attempt, n.step_status, n.step_error, n.started_at,
                               n.completed_at, n.retry_at, n.response_head, n.maybe_done, n.attempts, n.request_payload, n.response_payload,
                               sum(coalesce(pg_column_size(n.request_payload), 0)
                                   + coalesce(pg_column_size(n.response_payload), 0))
                                   OVER (ORDER BY n.step_index, n.action DESC, n.attempt) AS packed
                        FROM (
                            SELECT step_index, step_name, action, attempt, status AS step_status,
                                   error_message AS step_error, started_at, completed_at, retry_at, response_head, maybe_done,
                                   request_payload,
                                   response_payload, count(*) OVER () AS attempts,
                                   row_number() OVER (ORDER BY started_at DESC, step_index DESC, action, attempt DESC) AS age,
                                   row_number() OVER (PARTITION BY step_index, action ORDER BY attempt DESC) AS back
                            FROM saga.saga_step_logs
                            WHERE saga_id = s.id) AS n
                        WHERE n.age <= :newest OR n.back = 1) AS m) AS l ON true
                WHERE s.id = :id
                WINDOW in_order AS (ORDER BY l.step_index, l.action DESC, l.attempt)
                ORDER BY l.step_index, l.action DESC, l.attempt
                """)
                .bind("id", id.value())
                .bind("max", MAX_BODY_BYTES)
                .bind("newest", MAX_ATTEMPTS)
                .map(row -> {
                    if (row.getString("step_name") != null) {
                        log.add(SagaRows.stepLog(row, "step_status", "step_error", row.getBoolean("left_out")));
                        attempts.set(row.getInt("attempts"));
                    }
                    return SagaRows.saga(row);
                })
                .list()
                .stream()
                .findFirst()
                .map(saga -> new Logged(saga, log, attempts.get() - log.size()));
    }

    /** The number of sagas that the filter finds, but no more than {@code max}. */
    int count(Reads reads, SagaFilter filter, int max) {
        return query(reads, SagaListSql.count(filter), filter, before(filter, NEWEST), max)
                .mapTo(Integer.class)
                .one();
    }

    /**
     * Sagas by status and workflow.
     *
     * @param waiting how many of them wait for a signal or an approval
     */
    record Group(SagaStatus status, String workflow, int count, int waiting) {

        private int having(String wanted) {
            if (wanted.equals(SagaFilter.WAITING)) {
                return waiting;
            }
            return wanted.isEmpty() || wanted.equals(status.name()) ? count : 0;
        }
    }

    /**
     * The sagas of a filter with attributes, whatever status and workflow it has.
     *
     * @param more whether its first condition finds more than were looked at
     */
    record Counted(List<Group> groups, boolean more) {

        /**
         * Those of a workflow, or of all, that have one of these statuses.
         *
         * @param statuses names, {@link SagaFilter#WAITING} or an empty one for any
         */
        SagaQueries.Total total(@Nullable String workflow, List<String> statuses, int max) {
            int count = groups.stream()
                    .filter(group -> workflow == null || workflow.equals(group.workflow()))
                    .mapToInt(group -> statuses.stream()
                            .mapToInt(status -> group.having(status))
                            .sum())
                    .sum();
            return new SagaQueries.Total(Math.min(count, max), count > max || more);
        }
    }

    Counted counted(Reads reads, SagaFilter filter) {
        var wide = SagaAttributeSql.ofEveryGroup(filter);
        var groups = new ArrayList<Group>();
        var scanned = new AtomicInteger();
        query(reads, SagaAttributeSql.totals(wide), wide, before(filter, NEWEST), SagaAttributeSql.MAX_RANGE + 1)
                .map(row -> {
                    var status = row.getString("status");
                    if (status == null) {
                        scanned.set(row.getInt("counted"));
                    } else {
                        groups.add(new Group(
                                SagaStatus.valueOf(status),
                                row.getString("workflow_name"),
                                row.getInt("counted"),
                                row.getInt("waiting")));
                    }
                    return row.getInt("counted");
                })
                .list();
        return new Counted(groups, scanned.get() > SagaAttributeSql.MAX_RANGE);
    }

    /** Ids are in the order of time, so that the end of a range is a place in the list. */
    private static SagaId before(SagaFilter filter, SagaId after) {
        var to = filter.to();
        if (to == null) {
            return after;
        }
        var end = lowest(to);
        return end.toString().compareTo(after.toString()) < 0 ? new SagaId(end) : after;
    }

    private static UUID lowest(Instant time) {
        return UuidV7.lowestAt(Math.max(0, time.toEpochMilli()));
    }

    List<Saga> list(Reads reads, SagaFilter filter, SagaId after, int limit) {
        return query(reads, SagaListSql.list(filter), filter, before(filter, after), limit)
                .map(row -> SagaRows.summary(row))
                .list();
    }

    /** Refuses a filter if the range of its first condition holds more sagas than can be sorted for a page. */
    void requireRange(Reads reads, SagaFilter filter) {
        if (filter.attributes().isEmpty() || !filter.attributes().getFirst().isRange()) {
            return;
        }
        var query = reads.query(SagaAttributeSql.exceeds(filter.attributes().getFirst()));
        bind(query, filter.attributes().getFirst(), 0);
        if (query.mapTo(Boolean.class).one()) {
            throw SagaProblem.invalid(
                    "attribute", Text.of("saga.field.attribute-range", "max", SagaAttributeSql.MAX_RANGE));
        }
    }

    /** The search attributes of a saga by name, as texts. */
    Map<String, String> attributes(Reads reads, SagaId id) {
        var all = new LinkedHashMap<String, String>();
        reads.query("""
                SELECT name, coalesce(text_value, number_value::text, boolean_value::text,
                                      (to_json(date_value AT TIME ZONE 'UTC') #>> '{}') || 'Z') AS value
                FROM saga.saga_attributes
                WHERE saga_id = :id
                ORDER BY name
                """)
                .bind("id", id.value())
                .map(row -> all.put(row.getString("name"), row.getString("value")))
                .list();
        return all;
    }

    /** The bound statement; also for tests of its plan. */
    static Query query(Reads reads, String sql, SagaFilter filter, SagaId after, int limit) {
        var query = reads.query(sql).bind("after", after.value()).bind("limit", limit);
        var status = filter.status();
        var from = filter.from();
        if (from != null) {
            query.bind("first", lowest(from));
        }
        if (filter.workflowName() != null) {
            query.bind("workflow", filter.workflowName());
        }
        if (status != null) {
            query.bind("status", status.name());
        }
        if (filter.schedule() != null) {
            query.bind("schedule", filter.schedule());
        }
        if (filter.correlationId() != null) {
            query.bind("correlation", filter.correlationId());
        }
        if (filter.parent() != null) {
            query.bind("parent", filter.parent().value());
        }
        for (int i = 0; i < filter.attributes().size(); i++) {
            bind(query, filter.attributes().get(i), i);
        }
        return query;
    }

    private static void bind(Query query, AttributeFilter filter, int index) {
        query.bind("name" + index, filter.name());
        filter.equal().forEach((type, value) -> query.bind(SagaAttributeSql.parameter(type, index), value));
        if (filter.from() != null) {
            query.bind("from" + index, filter.from());
        }
        if (filter.to() != null) {
            query.bind("to" + index, filter.to());
        }
    }

    /** The state of a saga that is locked until {@code tx} ends. */
    record Locked(SagaStatus status, boolean stuck, String workflowName, int workflowVersion) {}

    Optional<Locked> lock(Tx tx, SagaId id) {
        return tx.query("""
                SELECT status, stuck, workflow_name, workflow_version FROM saga.saga_states
                WHERE id = :id
                FOR NO KEY UPDATE
                """)
                .bind("id", id.value())
                .map(row -> new Locked(
                        SagaStatus.valueOf(row.getString("status")),
                        row.getBoolean("stuck"),
                        row.getString("workflow_name"),
                        row.getInt("workflow_version")))
                .findOne();
    }

    /**
     * Starts the compensation of a saga. If a node owns it, or died while it did, a call may be running: its effect is
     * determined before anything is undone.
     *
     * @param stuck whether it was stuck, and so continues
     */
    void undo(Tx tx, SagaId id, SagaStatus as, Text reason, boolean stuck) {
        tx.query("""
                WITH turned AS (
                    UPDATE saga.saga_states
                    SET status = 'COMPENSATING', undone_as = :as, error_message = :reason, stuck = false, waiting_for = NULL,
                        in_doubt = in_doubt OR owner IS NOT NULL,
                        wake_at = CASE WHEN owner IS NULL THEN now() END,
                        updated_at = clock_timestamp()
                    WHERE id = :id
                    RETURNING id, workflow_name, status, correlation_id)
                SELECT saga.append_events(
                    array_agg(CAST(:type AS text)), array_agg(id), array_agg(workflow_name::text),
                    array_agg(status::text), array_agg(correlation_id::text))
                FROM turned
                """)
                .bind("id", id.value())
                .bind("as", as.name())
                .bind("reason", StoredText.write(reason))
                .bind("type", stuck ? "saga-resumed" : "saga-changed")
                .mapTo(String.class)
                .list();
    }

    /** Resumes a stuck saga: the step that gave up gets a new round of attempts. */
    void retry(Tx tx, SagaId id) {
        tx.query("""
                WITH freed AS (
                    UPDATE saga.saga_states
                    SET stuck = false, wake_at = now(), updated_at = clock_timestamp(),
                        error_message = CASE
                            WHEN status <> 'COMPENSATING' THEN NULL
                            WHEN undone_as = 'CANCELLED' THEN :cancelled
                            ELSE coalesce((
                                SELECT CAST(jsonb_build_object(
                                    'key', CAST(:failed AS text),
                                    'arguments', jsonb_build_object(
                                        'step', step_name,
                                        'reason', CASE WHEN l.error_message IS JSON OBJECT
                                                       THEN CAST(l.error_message AS jsonb)
                                                       ELSE to_jsonb(l.error_message) END)) AS text)
                                FROM saga.saga_step_logs AS l
                                WHERE l.saga_id = :id AND l.action = 'EXECUTE' AND l.gave_up
                                ORDER BY l.completed_at DESC
                                LIMIT 1), error_message) END
                    WHERE id = :id
                    RETURNING id, workflow_name, status, correlation_id),
                reopened AS (
                    UPDATE saga.saga_step_logs AS l
                    SET retry_at = now()
                    FROM freed
                    WHERE l.saga_id = freed.id AND l.action = 'COMPENSATE' AND l.gave_up AND l.retry_at IS NULL)
                SELECT saga.append_events(
                    array_agg('saga-resumed'::text), array_agg(id), array_agg(workflow_name::text),
                    array_agg(status::text), array_agg(correlation_id::text))
                FROM freed
                """)
                .bind("id", id.value())
                .bind("cancelled", StoredText.write(Text.of(CANCELLED)))
                .bind("failed", "saga.journal.step-failed")
                .mapTo(String.class)
                .list();
    }

    /** False if the saga already has a signal of this name. */
    boolean signal(Tx tx, SagaId id, String name, JsonNode payload, @Nullable String by) {
        int sent = tx.update("""
                WITH sent AS (
                    INSERT INTO saga.signals (saga_id, name, payload, sent_by)
                    VALUES (:id, :name, CAST(:payload AS jsonb), :by)
                    ON CONFLICT (saga_id, name) DO NOTHING
                    RETURNING saga_id)
                UPDATE saga.saga_states AS s
                SET signals = s.signals + 1,
                    -- One that waits for a place goes on waiting.
                    wake_at = CASE WHEN s.owner IS NULL AND NOT s.stuck AND (s.status <> 'STARTED' OR s.wake_at IS NOT NULL)
                                   THEN now() END,
                    updated_at = clock_timestamp()
                FROM sent
                WHERE s.id = sent.saga_id
                """)
                .bind("id", id.value())
                .bind("name", name)
                .bind("payload", payload.toString())
                .bind("by", by)
                .execute();
        return sent == 1;
    }

    /** Whether a worker, or a service that answers later, has to end a call of the saga. */
    boolean hasTaskUnderWay(Reads reads, SagaId id) {
        return reads.query("""
                        SELECT id FROM saga.tasks WHERE saga_id = :id AND state IN ('QUEUED', 'LEASED') LIMIT 1
                        """)
                .bind("id", id.value())
                .mapTo(Long.class)
                .findOne()
                .isPresent();
    }
}
