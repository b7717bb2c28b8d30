package io.hiroba.saga.engine;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.engine.AttributeStore.AttributeValue;
import io.hiroba.saga.workflow.Workflow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Inserts, claims and frees sagas: the columns owner, wake_at and fence. */
final class ClaimStore {

    private static final Logger log = LoggerFactory.getLogger(ClaimStore.class);

    private final boolean traced;

    /** With the spans of sagas in their events if there are any. */
    ClaimStore(Tracing tracing) {
        traced = tracing.isOn();
    }

    /** A due saga, as its row was when it was claimed. The age of times is measured in the database. */
    record Row(
            SagaId id,
            int fence,
            String workflowName,
            int workflowVersion,
            SagaStatus status,
            @Nullable SagaStatus undoneAs,
            boolean inDoubt,
            String payload,
            @Nullable String traceparent,
            Duration age,
            @Nullable Duration deadlineIn,
            int signals,
            Instant created,
            Duration late,
            @Nullable SagaId parent,
            boolean hasTasks) {}

    /**
     * Inserts sagas that {@code owner} owns and so runs, or, where that is null, that are due at once for any node. Both
     * statuses of one that runs at once are told here, which costs no write of its own. Those of limited workflows have no owner
     * and are not due: they wait for a place.
     */
    void insert(Reads statement, List<SagaStart> starts, @Nullable Long owner) {
        var attributes =
                starts.stream().flatMap(start -> start.attributes().stream()).toList();
        var query = statement
                .query("""
                WITH made AS (
                    INSERT INTO saga.saga_states (
                        id, workflow_name, workflow_version, payload, correlation_id, initiated_by, traceparent, deadline,
                        owner, wake_at, fence, status, priority)
                    SELECT id, workflow, version, CAST(payload AS jsonb), correlation, initiator, trace,
                           now() + total * interval '1 ms',
                           CASE WHEN NOT limited THEN CAST(:owner AS bigint) END,
                           CASE WHEN NOT limited AND CAST(:owner AS bigint) IS NULL THEN now() END, 1,
                           CASE WHEN limited OR CAST(:owner AS bigint) IS NULL THEN 'STARTED' ELSE 'RUNNING' END, priority
                    FROM unnest(:ids, :workflows, :versions, :payloads, :correlations, :initiators, :traces, :totals,
                                :priorities, :limited)
                        AS t (id, workflow, version, payload, correlation, initiator, trace, total, priority, limited)
                    RETURNING id, workflow_name, status, correlation_id, priority, owner, wake_at,
                              CASE WHEN :traced AND traceparent LIKE '%%-01' THEN traceparent END AS traceparent)%s%s
                SELECT saga.append_events(
                    array_agg('saga-changed'::text), array_agg(id), array_agg(workflow_name::text),
                    array_agg(status::text), array_agg(correlation_id::text), NULL, array_agg(traceparent::text))
                FROM (
                    SELECT id, workflow_name, 'STARTED' AS status, correlation_id, traceparent FROM made
                    UNION ALL
                    SELECT id, workflow_name, status, correlation_id, traceparent FROM made WHERE status <> 'STARTED') AS told
                """.formatted(
                        AttributeStore.insert(attributes),
                        starts.stream().anyMatch(start -> start.workflow().isLimited()) ? PlaceStore.INSERT : ""))
                .bind("owner", owner)
                .bind("traced", traced)
                .bindArray("ids", UUID.class, starts, each -> each.id().value())
                .bindArray(
                        "workflows", String.class, starts, each -> each.saga().workflowName())
                .bindArray(
                        "versions",
                        Integer.class,
                        starts,
                        each -> each.workflow().version())
                .bindArray(
                        "payloads",
                        String.class,
                        starts,
                        each -> StorableJson.text(each.saga().payload()))
                .bindArray(
                        "correlations",
                        String.class,
                        starts,
                        each -> each.saga().correlationId())
                .bindArray(
                        "initiators", String.class, starts, each -> each.saga().initiatedBy())
                .bindArray("traces", String.class, starts, each -> each.saga().traceparent())
                .bindArray("priorities", Short.class, starts, each ->
                        (short) each.saga().priority())
                .bindArray(
                        "limited",
                        Boolean.class,
                        starts,
                        each -> each.workflow().isLimited())
                .bindArray(
                        "totals",
                        Long.class,
                        starts,
                        each -> millis(each.workflow().totalTimeout()));
        AttributeStore.bind(query, attributes);
        query.mapTo(String.class).list();
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : Long.valueOf(duration.toMillis());
    }

    /**
     * The sagas of each priority that wait longest, and of these the first: a priority above another is worth half a minute of
     * waiting, so that none waits for ever. At most {@code max} rows of each priority are read, however many are due.
     */
    static final String CLAIM = """
            WITH due AS (
                SELECT longest.id, longest.status, longest.wake_at
                FROM generate_series(0, 9) AS level (priority)
                CROSS JOIN LATERAL (
                    SELECT id, status, wake_at
                    FROM saga.saga_states
                    WHERE priority = level.priority AND wake_at <= now()
                    ORDER BY wake_at
                    LIMIT :max
                    FOR UPDATE SKIP LOCKED) AS longest
                ORDER BY longest.wake_at - level.priority * interval '30 seconds'
                LIMIT :max),
            claimed AS (
                UPDATE saga.saga_states AS s
                SET owner = :owner, wake_at = NULL, fence = s.fence + 1,
                    status = CASE WHEN s.status = 'STARTED' THEN 'RUNNING' ELSE s.status END
                FROM due
                WHERE s.id = due.id
                RETURNING s.id, s.fence, s.workflow_name, s.workflow_version, s.status, s.undone_as, s.in_doubt,
                          s.payload::text AS payload, s.traceparent, s.signals, s.correlation_id, s.created_at, s.parent_id, s.has_tasks,
                          extract(epoch FROM now() - coalesce(s.admitted_at, s.created_at)) AS age,
                          extract(epoch FROM s.deadline - now()) AS deadline_in,
                          extract(epoch FROM now() - due.wake_at) AS late, due.status = 'STARTED' AS begun),
            told AS (
                SELECT saga.append_events(
                    array_agg('saga-changed'::text), array_agg(id), array_agg(workflow_name::text),
                    array_agg(status::text), array_agg(correlation_id::text), NULL,
                    array_agg(CASE WHEN :traced AND traceparent LIKE '%-01' THEN traceparent::text END))
                FROM claimed
                WHERE begun
                HAVING count(*) > 0)
            SELECT id, fence, workflow_name, workflow_version, status, undone_as, in_doubt, payload, traceparent, signals, age,
                   created_at, deadline_in, late, parent_id, has_tasks, (SELECT count(*) FROM told)
            FROM claimed
            """;

    /** Claims up to {@code max} due sagas. */
    List<Row> claim(Tx tx, long owner, int max) {
        return tx.query(CLAIM)
                .bind("owner", owner)
                .bind("traced", traced)
                .bind("max", max)
                .map(row -> row(row))
                .list();
    }

    /** The attempts at the steps of {@code sagas}, with times by a clock that shows {@code now} now. */
    Map<UUID, List<Attempt>> attempts(Reads reads, List<UUID> sagas, long now) {
        var all = new HashMap<UUID, List<Attempt>>();
        reads.query("""
                SELECT saga_id, step_index, action, attempt, status, gave_up, maybe_done,
                       CASE WHEN status = 'SUCCESS' THEN response_payload::text END AS answer,
                       extract(epoch FROM now() - completed_at) AS age, extract(epoch FROM retry_at - now()) AS retry_in
                FROM saga.saga_step_logs
                WHERE saga_id = ANY (:sagas)
                ORDER BY saga_id, step_index, action, attempt
                """)
                .bindArray("sagas", UUID.class, sagas)
                .map(row -> all.computeIfAbsent(row.getObject("saga_id", UUID.class), id -> new ArrayList<>())
                        .add(attempt(row, now)))
                .list();
        return all;
    }

    /** The signals that were sent to {@code sagas}. */
    Map<UUID, Map<String, JsonNode>> signals(Reads reads, List<UUID> sagas) {
        var all = new HashMap<UUID, Map<String, JsonNode>>();
        reads.query("""
                SELECT saga_id, name, payload::text AS payload FROM saga.signals
                WHERE saga_id = ANY (:sagas)
                """)
                .bindArray("sagas", UUID.class, sagas)
                .map(row -> all.computeIfAbsent(row.getObject("saga_id", UUID.class), id -> new HashMap<>())
                        .put(row.getString("name"), json(row.getString("payload"))))
                .list();
        return all;
    }

    /**
     * Frees a saga that this node no longer drives, unless another node owns it. It is due since it was claimed, so that it
     * does not queue again behind those that came later. Going forward, a call may have been running; during compensation that
     * was known or determined before.
     */
    void free(Tx tx, SagaId id, int fence) {
        tx.update("""
                UPDATE saga.saga_states
                SET owner = NULL, wake_at = least(updated_at, now()), fence = fence + 1,
                    in_doubt = in_doubt OR status IN ('STARTED', 'RUNNING')
                WHERE id = :id AND fence = :fence AND owner IS NOT NULL
                """).bind("id", id.value()).bind("fence", fence).execute();
    }

    static final String OWNED = "SELECT id, fence FROM saga.saga_states WHERE owner = :owner";

    /** The sagas that {@code owner} owns, with their fences. */
    Map<SagaId, Integer> owned(Reads reads, long owner) {
        var all = new HashMap<SagaId, Integer>();
        reads.query(OWNED)
                .bind("owner", owner)
                .map(row -> all.put(new SagaId(row.getObject("id", UUID.class)), row.getInt("fence")))
                .list();
        return all;
    }

    static final String FREE_ORPHANS = """
            WITH orphan AS (
                SELECT id FROM saga.saga_states AS s
                WHERE owner IS NOT NULL
                  AND NOT EXISTS (SELECT FROM saga.nodes AS n WHERE n.id = s.owner AND n.lease_until > now())
                LIMIT :max
                FOR UPDATE SKIP LOCKED)
            UPDATE saga.saga_states AS s
            SET owner = NULL, wake_at = least(s.updated_at, now()), fence = s.fence + 1,
                in_doubt = s.in_doubt OR s.status IN ('STARTED', 'RUNNING')
            FROM orphan
            WHERE s.id = orphan.id
            """;

    /** Frees up to {@code max} sagas of nodes whose lease has expired; returns how many. */
    int freeOrphans(Tx tx, int max) {
        return tx.update(FREE_ORPHANS).bind("max", max).execute();
    }

    private static Row row(ResultSet row) throws SQLException {
        var undoneAs = row.getString("undone_as");
        var age = seconds(row, "age");
        var late = seconds(row, "late");
        var parent = row.getObject("parent_id", UUID.class);
        return new Row(
                new SagaId(row.getObject("id", UUID.class)),
                row.getInt("fence"),
                row.getString("workflow_name"),
                row.getInt("workflow_version"),
                SagaStatus.valueOf(row.getString("status")),
                undoneAs == null ? null : SagaStatus.valueOf(undoneAs),
                row.getBoolean("in_doubt"),
                row.getString("payload") == null ? "null" : row.getString("payload"),
                row.getString("traceparent"),
                age == null ? Duration.ZERO : age,
                seconds(row, "deadline_in"),
                row.getInt("signals"),
                Columns.instant(row, "created_at"),
                late == null ? Duration.ZERO : late,
                parent == null ? null : new SagaId(parent),
                row.getBoolean("has_tasks"));
    }

    private static Attempt attempt(ResultSet row, long now) throws SQLException {
        var answer = row.getString("answer");
        var age = seconds(row, "age");
        var retryIn = seconds(row, "retry_in");
        return new Attempt(
                row.getInt("step_index"),
                StepAction.valueOf(row.getString("action")),
                row.getInt("attempt"),
                StepStatus.valueOf(row.getString("status")),
                answer == null ? null : json(answer),
                now - (age == null ? 0 : age.toNanos()),
                retryIn == null ? null : now + retryIn.toNanos(),
                row.getBoolean("gave_up"),
                row.getBoolean("maybe_done"));
    }

    private static @Nullable Duration seconds(ResultSet row, String column) throws SQLException {
        var value = row.getBigDecimal(column);
        return value == null ? null : Duration.ofNanos(value.movePointRight(9).longValue());
    }

    /** JSON that cannot be read counts as missing: only a step that needs it fails. */
    private static JsonNode json(String text) {
        try {
            return JsonMapper.shared().readTree(text);
        } catch (JacksonException e) {
            log.warn("an answer or a signal cannot be read", e);
            return JsonMapper.shared().missingNode();
        }
    }

    /** A saga to insert. */
    record SagaStart(SagaId id, NewSaga saga, Workflow workflow, List<AttributeValue> attributes) {

        SagaStart(SagaId id, NewSaga saga, Workflow workflow) {
            this(id, workflow, saga.with(workflow.payload().required(saga.payload())));
        }

        private SagaStart(SagaId id, Workflow workflow, NewSaga checked) {
            this(id, checked, workflow, AttributeValue.required(id, workflow, checked.payload()));
        }
    }
}
