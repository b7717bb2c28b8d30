package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.GroupCommit;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.engine.Change.Written;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes what becomes of sagas: state, log and event in one statement, those of many sagas together.
 *
 * <p>Who does not know the saga's fence writes nothing. A saga that somebody asked to be undone in the meantime does not go
 * forward: its step is logged, and it stays COMPENSATING.
 */
final class Journal implements AutoCloseable {

    private static final int WRITERS = 2;
    private static final int MOST = 200;

    private final Db db;
    private final Consumer<SagaId> changed;
    private final GroupCommit<Change, Optional<Written>> commits;

    /** @param changed is told of each saga that was written; it must neither wait nor throw */
    Journal(Db db, Consumer<SagaId> changed) {
        this.db = db;
        this.changed = changed;
        this.commits = new GroupCommit<>("saga journal", WRITERS, MOST, this::writeAll);
    }

    /** Returns when it is durable; empty where the saga is no longer the writer's. */
    Optional<Written> write(Change change) {
        var written = commits.write(change);
        changed.accept(change.id());
        return written;
    }

    private List<Optional<Written>> writeAll(List<Change> changes) {
        var written = db.inTransaction(tx -> write(tx, json(changes)));
        return changes.stream()
                .map(change ->
                        Optional.ofNullable(written.get(new Writer(change.id().value(), change.fence()))))
                .toList();
    }

    /** Of two drivers that take a saga for theirs, one has its fence; both may come in one batch. */
    private record Writer(UUID saga, int fence) {}

    private static Map<Writer, Written> write(Tx tx, ArrayNode changes) {
        var written = new HashMap<Writer, Written>();
        tx.query("""
                WITH change AS MATERIALIZED (
                    SELECT id, fence, from_status, status, current_step, error, stuck, release, wake_in, signals, under_way,
                           step, name, action, attempt, log_status, request, answer, log_error, took, retry_in
                    FROM jsonb_to_recordset(CAST(:changes AS jsonb)) AS t (
                        id uuid, fence int, from_status text, status text, current_step int, error text, stuck boolean,
                        release boolean, wake_in bigint, signals int, under_way boolean,
                        step int, name text, action text, attempt int, log_status text, request jsonb, answer jsonb,
                        log_error text, took bigint, retry_in bigint)),
                moved AS (
                    UPDATE saga.saga_states AS s
                    SET status = CASE WHEN s.status = 'COMPENSATING' AND c.status IN ('STARTED', 'RUNNING', 'COMPLETED')
                                      THEN s.status ELSE c.status END,
                        current_step = coalesce(c.current_step, s.current_step),
                        error_message = coalesce(c.error, s.error_message),
                        stuck = c.stuck AND (s.status <> 'COMPENSATING' OR c.from_status = 'COMPENSATING'),
                        owner = CASE WHEN NOT c.release THEN s.owner END,
                        wake_at = CASE
                            WHEN NOT c.release THEN NULL
                            WHEN s.status = 'COMPENSATING' AND c.status IN ('STARTED', 'RUNNING', 'COMPLETED') THEN now()
                            WHEN c.stuck OR c.status IN ('COMPLETED', 'FAILED', 'CANCELLED') THEN NULL
                            WHEN s.signals > c.signals THEN now()
                            ELSE now() + c.wake_in * interval '1 ms' END,
                        in_doubt = c.under_way,
                        updated_at = clock_timestamp()
                    FROM change AS c
                    WHERE s.id = c.id AND s.fence = c.fence
                    RETURNING s.id, s.fence, s.status, s.undone_as, s.stuck, s.workflow_name, s.correlation_id, c.from_status),
                logged AS (
                    INSERT INTO saga.saga_step_logs (
                        saga_id, step_index, action, attempt, step_name, status, request_payload, response_payload,
                        error_message, started_at, completed_at, retry_at, gave_up, updated_at)
                    SELECT id, c.step, c.action, c.attempt, c.name, c.log_status, c.request, c.answer, c.log_error,
                           clock_timestamp() - c.took * interval '1 us', clock_timestamp(),
                           now() + c.retry_in * interval '1 ms',
                           c.retry_in IS NULL AND c.log_status IN ('FAILED', 'TIMEOUT'), clock_timestamp()
                    FROM moved JOIN change AS c USING (id, fence)
                    WHERE c.action IS NOT NULL),
                told AS (
                    SELECT saga.tell(
                        array_agg(CASE WHEN stuck THEN 'saga-stuck' ELSE 'saga-changed' END),
                        array_agg(id), array_agg(workflow_name::text), array_agg(status::text),
                        array_agg(correlation_id::text))
                    FROM moved
                    WHERE stuck OR status <> from_status AND (status <> 'COMPENSATING' OR undone_as IS NULL))
                SELECT id, fence, status, undone_as, (SELECT count(*) FROM told) FROM moved
                """)
                .bind("changes", changes.toString())
                .map(row -> {
                    var undoneAs = row.getString("undone_as");
                    return written.put(
                            new Writer(row.getObject("id", UUID.class), row.getInt("fence")),
                            new Written(
                                    SagaStatus.valueOf(row.getString("status")),
                                    undoneAs == null ? null : SagaStatus.valueOf(undoneAs)));
                })
                .list();
        return written;
    }

    private static ArrayNode json(List<Change> changes) {
        var all = JsonMapper.shared().createArrayNode();
        changes.forEach(change -> put(all.addObject(), change));
        return all;
    }

    private static void put(ObjectNode row, Change change) {
        row.put("id", change.id().toString())
                .put("fence", change.fence())
                .put("from_status", change.from().name())
                .put("status", change.status().name())
                .put("current_step", change.currentStep())
                .put("error", change.error())
                .put("stuck", change.stuck())
                .put("release", change.release())
                .put("wake_in", millis(change.wakeIn()))
                .put("signals", change.signals())
                .put("under_way", change.underWay());
        var log = change.log();
        if (log != null) {
            row.put("step", log.step())
                    .put("name", log.name())
                    .put("action", log.action().name())
                    .put("attempt", log.attempt())
                    .put("log_status", log.status().name())
                    .put("log_error", log.error())
                    .put("took", log.took().toNanos() / 1000)
                    .put("retry_in", millis(log.retryIn()));
            row.set("request", log.request());
            row.set("answer", log.answer());
        }
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : Long.valueOf(duration.toMillis());
    }

    @Override
    public void close() {
        commits.close();
    }
}
