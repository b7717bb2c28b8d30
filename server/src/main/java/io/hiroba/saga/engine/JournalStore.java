package io.hiroba.saga.engine;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.engine.SagaChange.Written;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of sagas: state, log and event in one statement.
 *
 * <p>A writer with an outdated fence writes nothing. A saga that was cancelled in the meantime does not go forward: its step
 * is logged, and it stays COMPENSATING.
 */
final class JournalStore {

    private static final int NANOS_PER_MILLI = 1_000_000;

    private final boolean traced;

    /** With the spans of sagas in their events if there are any. */
    JournalStore(Tracing tracing) {
        traced = tracing.isOn();
    }

    /**
     * The key of a writer: two drivers of one saga, of which one has the current fence, may write in one batch.
     */
    record Writer(UUID saga, int fence) {}

    Map<Writer, Written> write(Reads statement, List<SagaChange> changes) {
        var written = new HashMap<Writer, Written>();
        bound(statement.query(WRITE), changes)
                .bind("traced", traced)
                .map(row -> {
                    var undoneAs = row.getString("undone_as");
                    return written.put(
                            new Writer(row.getObject("id", UUID.class), row.getInt("fence")),
                            new Written(
                                    SagaStatus.valueOf(row.getString("status")),
                                    undoneAs == null ? null : SagaStatus.valueOf(undoneAs),
                                    row.getBoolean("due")));
                })
                .list();
        return written;
    }

    /**
     * {@code moved}: the sagas that are still the writer's, as they are now. {@code logged}: the attempts of their steps.
     * {@code appended}: the events of those that changed for others to see or are stuck. {@code '-01'}: that its trace is recorded.
     */
    private static final String WRITE = """
            WITH changes AS (
                SELECT *, status IN ('STARTED', 'RUNNING', 'COMPLETED') AS goes_forward
                FROM unnest(
                    :ids, :fences, :from_statuses, :statuses, :current_steps, :errors, :stuck, :release, :wake_in, :signals,
                    :under_way, :steps, :names, :actions, :attempts, :log_statuses, :requests, :answers, :log_errors, :took,
                    :retry_in, :response_heads, :maybe_done, :waiting_for) AS change (
                    id, fence, from_status, status, current_step, error, stuck, release, wake_in, signals,
                    under_way, step, name, action, attempt, log_status, request, answer, log_error, took,
                    retry_in, response_head, maybe_done, waiting_for)),
            moved AS (
                UPDATE saga.saga_states AS s
                SET status = CASE WHEN s.status = 'COMPENSATING' AND c.goes_forward THEN s.status ELSE c.status END,
                    current_step = coalesce(c.current_step, s.current_step),
                    error_message = coalesce(c.error, s.error_message),
                    stuck = c.stuck AND (s.status <> 'COMPENSATING' OR c.from_status = 'COMPENSATING'),
                    owner = CASE WHEN NOT c.release THEN s.owner END,
                    wake_at = CASE
                        WHEN NOT c.release THEN NULL
                        WHEN s.status = 'COMPENSATING' AND c.goes_forward THEN now()
                        WHEN c.stuck OR c.status IN ('COMPLETED', 'FAILED', 'CANCELLED') THEN NULL
                        WHEN s.signals > c.signals THEN now()
                        ELSE now() + c.wake_in * interval '1 ms' END,
                    in_doubt = c.under_way,
                    waiting_for = CASE WHEN s.status <> 'COMPENSATING' THEN c.waiting_for END,
                    updated_at = clock_timestamp()
                FROM changes AS c
                WHERE s.id = c.id AND s.fence = c.fence
                RETURNING s.id, s.fence, s.status, s.undone_as, s.stuck, s.workflow_name, s.correlation_id,
                          s.wake_at <= now() AS due, c.from_status,
                          CASE WHEN :traced AND s.traceparent LIKE '%-01' THEN s.traceparent END AS traceparent,
                          c.step, c.name, c.action, c.attempt, c.log_status, c.request, c.answer, c.log_error, c.took,
                          c.retry_in, c.response_head, c.maybe_done),
            logged AS (
                INSERT INTO saga.saga_step_logs (
                    saga_id, step_index, action, attempt, step_name, status, request_payload, response_payload,
                    error_message, started_at, completed_at, retry_at, gave_up, response_head, maybe_done,
                    updated_at)
                SELECT id, step, action, attempt, name, log_status, CAST(request AS jsonb), CAST(answer AS jsonb), log_error,
                       clock_timestamp() - took * interval '1 us', clock_timestamp(), now() + retry_in * interval '1 ms',
                       retry_in IS NULL AND log_status IN ('FAILED', 'TIMEOUT'),
                       CAST(response_head AS jsonb), maybe_done, clock_timestamp()
                FROM moved
                WHERE action IS NOT NULL),
            appended AS (
                SELECT saga.append_events(
                    array_agg(CASE WHEN stuck THEN 'saga-stuck' ELSE 'saga-changed' END),
                    array_agg(id), array_agg(workflow_name::text), array_agg(status::text),
                    array_agg(correlation_id::text),
                    array_agg(CASE WHEN stuck AND log_error IS JSON OBJECT
                                   THEN CAST(log_error AS jsonb) #>> '{arguments,explanation}' END),
                    array_agg(traceparent::text))
                FROM moved
                WHERE stuck OR status <> from_status AND (status <> 'COMPENSATING' OR undone_as IS NULL))
            SELECT id, fence, status, undone_as, due, (SELECT count(*) FROM appended) FROM moved
            """;

    private static Query bound(Query query, List<SagaChange> changes) {
        var logs = changes.stream()
                .map(change -> Optional.ofNullable(change.log()))
                .toList();
        return query.bindArray("ids", UUID.class, changes, change -> change.id().value())
                .bindArray("fences", Integer.class, changes, SagaChange::fence)
                .bindArray(
                        "from_statuses",
                        String.class,
                        changes,
                        change -> change.from().name())
                .bindArray(
                        "statuses",
                        String.class,
                        changes,
                        change -> change.status().name())
                .bindArray("current_steps", Integer.class, changes, SagaChange::currentStep)
                .bindArray("errors", String.class, changes, change -> stored(change.error()))
                .bindArray("stuck", Boolean.class, changes, SagaChange::stuck)
                .bindArray("release", Boolean.class, changes, SagaChange::release)
                .bindArray("wake_in", Long.class, changes, change -> millis(change.wakeIn()))
                .bindArray("signals", Integer.class, changes, SagaChange::signals)
                .bindArray("under_way", Boolean.class, changes, SagaChange::underWay)
                .bindArray("steps", Integer.class, logs, logged(SagaChange.LogEntry::step))
                .bindArray("names", String.class, logs, logged(SagaChange.LogEntry::name))
                .bindArray(
                        "actions",
                        String.class,
                        logs,
                        logged(log -> log.action().name()))
                .bindArray("attempts", Integer.class, logs, logged(SagaChange.LogEntry::attempt))
                .bindArray(
                        "log_statuses",
                        String.class,
                        logs,
                        logged(log -> log.status().name()))
                .bindArray("requests", String.class, logs, logged(log -> StorableJson.text(log.request())))
                .bindArray("answers", String.class, logs, logged(log -> StorableJson.text(log.answer())))
                .bindArray("log_errors", String.class, logs, logged(entry -> stored(entry.error())))
                .bindArray("took", Long.class, logs, logged(log -> log.took().toNanos() / 1000))
                .bindArray("retry_in", Long.class, logs, logged(log -> millis(log.retryIn())))
                .bindArray("response_heads", String.class, logs, logged(log -> StorableJson.text(log.responseHead())))
                .bindArray("maybe_done", Boolean.class, logs, logged(SagaChange.LogEntry::maybeDone))
                .bindArray("waiting_for", String.class, changes, SagaChange::waitingFor);
    }

    /** The value of the attempt, if there is one. */
    private static <T> Function<Optional<SagaChange.LogEntry>, @Nullable T> logged(
            Function<SagaChange.LogEntry, @Nullable T> value) {
        return log -> log.isPresent() ? value.apply(log.get()) : null;
    }

    /** Rounded up, since no wait ends early. */
    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null
                ? null
                : Long.valueOf(duration.plusNanos(NANOS_PER_MILLI - 1).toMillis());
    }

    private static @Nullable String stored(@Nullable Text error) {
        return error == null ? null : StoredText.write(error);
    }
}
