package io.hiroba.saga.engine;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.engine.AttributeStore.AttributeValue;
import io.hiroba.saga.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts the sagas that a step of another stands for, counts and undoes them, and wakes their parents.
 *
 * <p>Whoever changes what a parent sees of its children has locked the parent's row first: so a parent that begins to wait misses
 * none of them, and nobody waits for each other in a circle.
 */
final class ChildStore {

    /** The state of a parent whose row is locked until the transaction ends. */
    record Parent(SagaStatus status, @Nullable SagaStatus undoneAs, int depth) {}

    /** Locks a saga; empty if the one who asks no longer owns it. */
    Optional<Parent> lock(Tx tx, SagaId id, int fence) {
        return tx.query("""
                SELECT status, undone_as, depth FROM saga.saga_states
                WHERE id = :id AND fence = :fence
                FOR NO KEY UPDATE
                """)
                .bind("id", id.value())
                .bind("fence", fence)
                .map(row -> {
                    var undoneAs = row.getString("undone_as");
                    return new Parent(
                            SagaStatus.valueOf(row.getString("status")),
                            undoneAs == null ? null : SagaStatus.valueOf(undoneAs),
                            row.getInt("depth"));
                })
                .findOne();
    }

    /**
     * The children of a step in numbers.
     *
     * @param forward how many are going forward
     * @param undoing how many are being undone
     * @param age how long ago the first one was started
     */
    record Counts(int started, int forward, int undoing, Duration age) {

        int open() {
            return forward + undoing;
        }
    }

    static final String COUNT = """
            SELECT
                (SELECT coalesce(max(child_index) + 1, 0) FROM saga.saga_states
                 WHERE parent_id = :parent AND parent_step = :step) AS started,
                (SELECT count(*) FROM saga.saga_states
                 WHERE parent_id = :parent AND parent_step = :step AND status IN ('STARTED', 'RUNNING')) AS forward,
                (SELECT count(*) FROM saga.saga_states
                 WHERE parent_id = :parent AND parent_step = :step AND status = 'COMPENSATING') AS undoing,
                (SELECT extract(epoch FROM now() - created_at) * 1000000 FROM saga.saga_states
                 WHERE parent_id = :parent AND parent_step = :step AND child_index = 0) AS age
            """;

    Counts count(Reads reads, SagaId parent, int step) {
        return reads.query(COUNT)
                .bind("parent", parent.value())
                .bind("step", step)
                .map(row -> new Counts(
                        row.getInt("started"),
                        row.getInt("forward"),
                        row.getInt("undoing"),
                        Duration.ofNanos(row.getLong("age") * 1000)))
                .one();
    }

    /** A child that did not complete. */
    record Failure(SagaId id, @Nullable Text reason) {}

    /** The first child of a step that failed or was cancelled. */
    Optional<Failure> failure(Reads reads, SagaId parent, int step) {
        return reads.query("""
                SELECT id, error_message FROM saga.saga_states
                WHERE parent_id = :parent AND parent_step = :step AND status IN ('FAILED', 'CANCELLED')
                ORDER BY child_index
                LIMIT 1
                """)
                .bind("parent", parent.value())
                .bind("step", step)
                .map(row -> {
                    var reason = row.getString("error_message");
                    return new Failure(
                            new SagaId(row.getObject("id", UUID.class)),
                            reason == null ? null : StoredText.read(reason));
                })
                .findOne();
    }

    /** A saga to start. */
    record NewChild(SagaId id, int index, JsonNode payload, List<AttributeValue> attributes) {}

    /** Starts children of a step of {@code parent}, which are due at once for any node. */
    void start(Tx tx, SagaId parent, int step, int count, Workflow workflow, List<NewChild> children) {
        var attributes =
                children.stream().flatMap(child -> child.attributes().stream()).toList();
        var query = tx.query("""
                WITH made AS (
                    INSERT INTO saga.saga_states (
                        id, workflow_name, workflow_version, payload, correlation_id, initiated_by, traceparent, deadline,
                        wake_at, fence, priority, parent_id, parent_step, child_index, child_count, root_id, depth)
                    SELECT t.id, :workflow, :version, CAST(t.payload AS jsonb), p.correlation_id, p.initiated_by,
                           p.traceparent, now() + CAST(:total AS bigint) * interval '1 ms',
                           now(), 1, p.priority, p.id, :step, t.index, :count, coalesce(p.root_id, p.id), p.depth + 1
                    FROM unnest(:ids, :indexes, :payloads) AS t (id, index, payload)
                    JOIN saga.saga_states AS p ON p.id = :parent
                    RETURNING id, workflow_name, status, correlation_id)%s
                SELECT saga.append_events(
                    array_agg('saga-changed'::text), array_agg(id), array_agg(workflow_name::text),
                    array_agg(status::text), array_agg(correlation_id::text))
                FROM made
                """.formatted(AttributeStore.insert(attributes)))
                .bind("parent", parent.value())
                .bind("step", step)
                .bind("count", count)
                .bind("workflow", workflow.name())
                .bind("version", workflow.version())
                .bind("total", millis(workflow.totalTimeout()))
                .bindArray("ids", UUID.class, children, child -> child.id().value())
                .bindArray("indexes", Integer.class, children, NewChild::index)
                .bindArray("payloads", String.class, children, child -> StorableJson.text(child.payload()));
        AttributeStore.bind(query, attributes);
        query.mapTo(String.class).list();
    }

    /** The shortest time between the starts of two sagas of a chain: one that does nothing else would fill the tables. */
    static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

    /** Starts the successor of {@code from}, which has just ended, and links both. */
    void continueAs(Tx tx, SagaId from, ChildSteps.Successor successor) {
        var workflow = successor.workflow();
        var query = tx.query("""
                WITH made AS (
                    INSERT INTO saga.saga_states (
                        id, workflow_name, workflow_version, payload, correlation_id, initiated_by, traceparent, deadline,
                        wake_at, fence, priority, continued_from)
                    SELECT :id, :workflow, :version, CAST(:payload AS jsonb), f.correlation_id, f.initiated_by,
                           f.traceparent, now() + CAST(:total AS bigint) * interval '1 ms',
                           greatest(now(), f.created_at + :interval * interval '1 ms'), 1, f.priority, f.id
                    FROM saga.saga_states AS f
                    WHERE f.id = :from
                    RETURNING id, workflow_name, status, correlation_id)%s,
                linked AS (
                    UPDATE saga.saga_states SET continued_as = :id, updated_at = clock_timestamp() WHERE id = :from)
                SELECT saga.append_events(
                    array_agg('saga-changed'::text), array_agg(id), array_agg(workflow_name::text),
                    array_agg(status::text), array_agg(correlation_id::text))
                FROM made
                """.formatted(AttributeStore.insert(successor.attributes())))
                .bind("id", successor.id().value())
                .bind("from", from.value())
                .bind("workflow", workflow.name())
                .bind("version", workflow.version())
                .bind("total", millis(workflow.totalTimeout()))
                .bind("payload", StorableJson.text(successor.payload()))
                .bind("interval", MIN_INTERVAL.toMillis());
        AttributeStore.bind(query, successor.attributes());
        query.mapTo(String.class).list();
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : Long.valueOf(duration.toMillis());
    }

    /** Turns around the children of a step that are going forward, as cancelling each of them does. */
    void cancel(Tx tx, SagaId parent, int step, Text reason) {
        undo(tx, parent, step, "status IN ('STARTED', 'RUNNING')", Integer.MAX_VALUE, reason);
    }

    /** Has up to {@code max} completed children of a step undone, the last first; returns how many. */
    int undoCompleted(Tx tx, SagaId parent, int step, int max, Text reason) {
        return undo(tx, parent, step, "status = 'COMPLETED'", max, reason);
    }

    private static int undo(Tx tx, SagaId parent, int step, String which, int max, Text reason) {
        return tx.query("""
                WITH chosen AS (
                    SELECT id, stuck FROM saga.saga_states
                    WHERE parent_id = :parent AND parent_step = :step AND %s
                    ORDER BY child_index DESC
                    LIMIT :max
                    FOR NO KEY UPDATE),
                turned AS (
                    UPDATE saga.saga_states AS s
                    SET status = 'COMPENSATING', undone_as = 'CANCELLED', error_message = :reason, stuck = false, waiting_for = NULL,
                        in_doubt = s.in_doubt OR s.owner IS NOT NULL,
                        wake_at = CASE WHEN s.owner IS NULL THEN now() END,
                        updated_at = clock_timestamp()
                    FROM chosen AS c
                    WHERE s.id = c.id
                    RETURNING s.id, s.workflow_name, s.status, s.correlation_id, c.stuck AS was_stuck),
                appended AS (
                    SELECT saga.append_events(
                        array_agg(CASE WHEN was_stuck THEN 'saga-resumed' ELSE 'saga-changed' END), array_agg(id),
                        array_agg(workflow_name::text), array_agg(status::text), array_agg(correlation_id::text))
                    FROM turned
                    HAVING count(*) > 0)
                SELECT (SELECT count(*) FROM turned) AS turned, (SELECT count(*) FROM appended)
                """.formatted(which))
                .bind("parent", parent.value())
                .bind("step", step)
                .bind("max", max)
                .bind("reason", StoredText.write(reason))
                .map(row -> row.getInt("turned"))
                .one();
    }

    /**
     * The answers of the steps of each completed child by its index; empty if all together exceed {@code max} characters. What is
     * compressed to more than that is not decompressed to be measured.
     */
    Optional<Map<Integer, ObjectNode>> answers(Reads reads, SagaId parent, int step, long max) {
        var answers = new TreeMap<Integer, ObjectNode>();
        var complete = reads.query("""
                SELECT m.child_index, m.step_name, m.fits,
                       CASE WHEN m.fits THEN m.response_payload::text END AS answer
                FROM (
                    SELECT n.child_index, n.step_index, n.step_name, n.response_payload,
                           sum(CASE WHEN n.packed <= :max THEN octet_length(n.response_payload::text)
                               ELSE :max + 1 END) OVER () <= :max AS fits
                    FROM (
                        SELECT s.child_index, l.step_index, l.step_name, l.response_payload,
                               sum(pg_column_size(l.response_payload)) OVER () AS packed
                        FROM saga.saga_states AS s
                        JOIN saga.saga_step_logs AS l
                            ON l.saga_id = s.id AND l.action = 'EXECUTE' AND l.status = 'SUCCESS'
                        WHERE s.parent_id = :parent AND s.parent_step = :step
                          AND l.response_payload IS NOT NULL) AS n) AS m
                ORDER BY m.child_index, m.step_index
                """)
                .bind("parent", parent.value())
                .bind("step", step)
                .bind("max", max)
                .map(row -> {
                    var answer = row.getString("answer");
                    if (answer != null) {
                        answers.computeIfAbsent(
                                        row.getInt("child_index"),
                                        index -> JsonMapper.shared().createObjectNode())
                                .set(
                                        row.getString("step_name"),
                                        JsonMapper.shared().readTree(answer));
                    }
                    return row.getBoolean("fits");
                })
                .list();
        return complete.contains(false) ? Optional.empty() : Optional.of(answers);
    }

    /** Locks the parents of children that end, in the order of their ids. */
    void lockParents(Tx tx, List<SagaId> parents) {
        tx.query("SELECT id FROM saga.saga_states WHERE id = ANY (:ids) ORDER BY id FOR NO KEY UPDATE")
                .bindArray("ids", UUID.class, parents, SagaId::value)
                .map(row -> row.getObject("id", UUID.class))
                .list();
    }

    /** Makes parents due at once: a child of theirs has ended. One that is being worked on looks again before it waits. */
    void wake(Tx tx, List<SagaId> parents) {
        tx.update("""
                UPDATE saga.saga_states
                SET signals = signals + 1,
                    wake_at = CASE WHEN owner IS NULL AND NOT stuck THEN now() END,
                    updated_at = clock_timestamp()
                WHERE id = ANY (:ids) AND status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')
                """).bindArray("ids", UUID.class, parents, SagaId::value).execute();
    }
}
