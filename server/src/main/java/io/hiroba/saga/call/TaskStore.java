package io.hiroba.saga.call;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.SagaId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and writes the tasks that workers, and services that answer later, carry out. */
final class TaskStore {

    /** Whether nobody has said yet how the attempt ended, and its saga may go on by it. */
    private static final String IS_CURRENT = """
            (s.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED') AND (t.kind = 'EXECUTE' OR s.status = 'COMPENSATING')
             AND NOT EXISTS (
                SELECT FROM saga.saga_step_logs AS l
                WHERE l.saga_id = t.saga_id AND l.step_index = t.step_index AND l.attempt = t.attempt
                  AND l.action = CASE t.kind WHEN 'EXECUTE' THEN 'EXECUTE' ELSE 'COMPENSATE' END))""";

    /** A task in the queue. */
    record Queued(
            long id,
            SagaId saga,
            String workflow,
            int step,
            String stepName,
            TaskKind kind,
            int attempt,
            String method,
            String input,
            Duration timeout,
            boolean isWanted) {}

    /** The state of a task whose token somebody has. */
    enum State {
        QUEUED,
        CALLING,
        LEASED,
        DONE,
        FAILED,
        LOST,
        LATE,
        WITHDRAWN
    }

    /**
     * A task whose token somebody has.
     *
     * @param isCurrent whether the saga may go on by its outcome
     * @param isCancelled whether the saga is being undone, or goes on without it
     */
    record Held(
            long id,
            SagaId saga,
            String service,
            State state,
            boolean isCurrent,
            boolean isCancelled,
            boolean isOfWorker,
            @Nullable String outcomeHash) {}

    /** The end of a task. */
    record End(
            State state,
            @Nullable String answer,
            @Nullable String reason,
            @Nullable String head,
            boolean retryable,
            boolean maybeDone,
            String hash) {}

    /**
     * Makes the task of a call, unless it is there or the saga has another owner; one that is being undone executes nothing. Whether
     * it was made.
     */
    boolean insert(Tx tx, StepCall call, State state, byte @Nullable [] tokenHash) {
        return tx.query("""
                WITH held AS (
                    SELECT id, payload, priority FROM saga.saga_states
                    WHERE id = :saga AND fence = :fence
                      AND (status IN ('STARTED', 'RUNNING') OR :kind <> 'EXECUTE' OR :state = 'CALLING')
                    FOR NO KEY UPDATE),
                made AS (
                    INSERT INTO saga.tasks AS t (
                        saga_id, step_index, step_name, kind, attempt, service, method, input, state, place, timeout_ms,
                        token_hash)
                    SELECT id, :step, :name, :kind, :attempt, :service, :method,
                           nullif(CAST(:input AS jsonb), payload), :state,
                           clock_timestamp() - priority * interval '30 seconds', :timeout, :hash
                    FROM held
                    ON CONFLICT (saga_id, step_index, kind, attempt) DO UPDATE
                    SET state = excluded.state, place = excluded.place, token_hash = NULL
                    -- A service that was called has workers by now.
                    WHERE t.state = 'CALLING' AND excluded.state = 'QUEUED'
                    RETURNING id),
                marked AS (
                    UPDATE saga.saga_states AS s SET has_tasks = true FROM held WHERE s.id = held.id AND NOT s.has_tasks)
                SELECT count(*) AS made FROM made
                """)
                        .bind("saga", call.saga().value())
                        .bind("fence", call.fence())
                        .bind("step", call.stepIndex())
                        .bind("name", call.stepName())
                        .bind("kind", call.kind().name())
                        .bind("attempt", call.attempt())
                        .bind("service", call.service())
                        .bind("method", call.method())
                        .bind("input", call.input().toString())
                        .bind("state", state.name())
                        .bind("timeout", call.timeout().toMillis())
                        .bind("hash", tokenHash)
                        .map(row -> row.getInt("made"))
                        .one()
                > 0;
    }

    /** The service will say later how the call ended. */
    void accepted(Tx tx, byte[] tokenHash) {
        tx.update("""
                UPDATE saga.tasks
                SET state = 'LEASED', started_at = now(), lease_ms = timeout_ms,
                    leased_until = now() + timeout_ms * interval '1 ms', deadline = now() + timeout_ms * interval '1 ms'
                WHERE token_hash = :hash AND state = 'CALLING'
                """).bind("hash", tokenHash).execute();
    }

    static final String QUEUE = """
            SELECT t.id, t.saga_id, s.workflow_name, t.step_index, t.step_name, t.kind, t.attempt, t.method,
                   coalesce(t.input, s.payload, 'null')::text AS input, t.timeout_ms,
                   %s AND (t.kind = 'EXECUTE') = (s.status IN ('STARTED', 'RUNNING')) AS wanted
            FROM saga.tasks AS t
            JOIN saga.saga_states AS s ON s.id = t.saga_id
            WHERE t.service = :service AND t.state = 'QUEUED'
            ORDER BY t.place, t.id
            LIMIT :max
            FOR UPDATE OF t SKIP LOCKED
            """.formatted(IS_CURRENT);

    /** Locks the first tasks of a service's queue that nobody has locked. */
    List<Queued> first(Tx tx, String service, int max) {
        return tx.query(QUEUE)
                .bind("service", service)
                .bind("max", max)
                .map(TaskStore::queued)
                .list();
    }

    private static Queued queued(ResultSet row) throws SQLException {
        return new Queued(
                row.getLong("id"),
                new SagaId(row.getObject("saga_id", UUID.class)),
                row.getString("workflow_name"),
                row.getInt("step_index"),
                row.getString("step_name"),
                TaskKind.valueOf(row.getString("kind")),
                row.getInt("attempt"),
                row.getString("method"),
                row.getString("input"),
                Duration.ofMillis(row.getLong("timeout_ms")),
                row.getBoolean("wanted"));
    }

    /** Gives a locked task to a worker; the time by which it has to be done. */
    Instant lease(Tx tx, long id, String worker, Duration lease, byte[] tokenHash) {
        return tx.query("""
                UPDATE saga.tasks
                SET state = 'LEASED', worker = :worker, token_hash = :hash, lease_ms = :lease, started_at = now(),
                    deadline = now() + timeout_ms * interval '1 ms',
                    leased_until = now() + least(:lease, timeout_ms) * interval '1 ms'
                WHERE id = :id
                RETURNING deadline
                """)
                .bind("id", id)
                .bind("worker", worker)
                .bind("lease", lease.toMillis())
                .bind("hash", tokenHash)
                .map(row -> Columns.instant(row, "deadline"))
                .one();
    }

    void withdraw(Tx tx, Collection<Long> ids) {
        tx.update("UPDATE saga.tasks SET state = 'WITHDRAWN', ended_at = now() WHERE id = ANY (:ids)")
                .bindArray("ids", Long.class, ids)
                .execute();
    }

    static final String QUEUES = """
            WITH RECURSIVE found AS (
                (SELECT service FROM saga.tasks WHERE state = 'QUEUED' ORDER BY service LIMIT 1)
                UNION ALL
                SELECT (SELECT t.service FROM saga.tasks AS t
                        WHERE t.state = 'QUEUED' AND t.service > found.service
                        ORDER BY t.service LIMIT 1)
                FROM found
                WHERE found.service IS NOT NULL)
            SELECT service FROM found WHERE service IS NOT NULL
            """;

    /** The services whose tasks wait, from one to the next along the index. */
    List<String> queues(Reads reads) {
        return reads.query(QUEUES).mapTo(String.class).list();
    }

    /** Locks the sagas of a service's first queued tasks; those that somebody acts on come later. */
    List<SagaId> lockQueued(Tx tx, String service, int max) {
        return tx.query("""
                SELECT s.id FROM saga.saga_states AS s
                WHERE s.id IN (
                    SELECT saga_id FROM saga.tasks
                    WHERE service = :service AND state = 'QUEUED'
                    ORDER BY place, id
                    LIMIT :max)
                ORDER BY s.id
                FOR NO KEY UPDATE SKIP LOCKED
                """)
                .bind("service", service)
                .bind("max", max)
                .map(row -> new SagaId(row.getObject("id", UUID.class)))
                .list();
    }

    /** Deletes the tasks of locked sagas that no worker has fetched: their steps are called again, as the same attempts. */
    void takeBack(Tx tx, String service, Collection<SagaId> sagas) {
        tx.update("DELETE FROM saga.tasks WHERE saga_id = ANY (:ids) AND service = :service AND state = 'QUEUED'")
                .bindArray("ids", UUID.class, sagas, SagaId::value)
                .bind("service", service)
                .execute();
    }

    /** How many tasks of a service are carried out. */
    int running(Reads reads, String service) {
        return reads.query("SELECT count(*) AS running FROM saga.tasks WHERE service = :service AND state = 'LEASED'")
                .bind("service", service)
                .map(row -> row.getInt("running"))
                .one();
    }

    /** The saga of a token, locked as by everybody who acts on it. */
    Optional<SagaId> lockSaga(Tx tx, byte[] tokenHash) {
        return tx.query("""
                SELECT id FROM saga.saga_states
                WHERE id = (SELECT saga_id FROM saga.tasks WHERE token_hash = :hash)
                FOR NO KEY UPDATE
                """)
                .bind("hash", tokenHash)
                .map(row -> new SagaId(row.getObject("id", UUID.class)))
                .findOne();
    }

    Optional<Held> lock(Tx tx, byte[] tokenHash) {
        return tx.query("""
                SELECT t.id, t.saga_id, t.service, t.state, encode(t.outcome_hash, 'hex') AS outcome_hash,
                       t.worker IS NOT NULL AS of_worker, %1$s AS current,
                       NOT %1$s OR (t.kind = 'EXECUTE') <> (s.status IN ('STARTED', 'RUNNING')) AS cancelled
                FROM saga.tasks AS t
                JOIN saga.saga_states AS s ON s.id = t.saga_id
                WHERE t.token_hash = :hash
                FOR UPDATE OF t
                """.formatted(IS_CURRENT))
                .bind("hash", tokenHash)
                .map(row -> new Held(
                        row.getLong("id"),
                        new SagaId(row.getObject("saga_id", UUID.class)),
                        row.getString("service"),
                        State.valueOf(row.getString("state")),
                        row.getBoolean("current"),
                        row.getBoolean("cancelled"),
                        row.getBoolean("of_worker"),
                        row.getString("outcome_hash")))
                .findOne();
    }

    /** Extends the lease, up to the deadline, and notes how far the work is. */
    void extend(Tx tx, long id, @Nullable String progress) {
        tx.update("""
                UPDATE saga.tasks
                SET leased_until = least(now() + lease_ms * interval '1 ms', deadline),
                    progress = coalesce(CAST(:progress AS jsonb), progress)
                WHERE id = :id
                """).bind("id", id).bind("progress", progress).execute();
    }

    void end(Tx tx, long id, End end) {
        tx.update("""
                UPDATE saga.tasks
                SET state = :state, answer = CAST(:answer AS jsonb), reason = :reason, response_head = CAST(:head AS jsonb),
                    retryable = :retryable, maybe_done = :maybe, outcome_hash = decode(:hash, 'hex'), ended_at = now()
                WHERE id = :id
                """)
                .bind("id", id)
                .bind("state", end.state().name())
                .bind("answer", end.answer())
                .bind("reason", end.reason())
                .bind("head", end.head())
                .bind("retryable", end.retryable())
                .bind("maybe", end.maybeDone())
                .bind("hash", end.hash())
                .execute();
    }

    /** Makes a saga due, as a signal does: one that is about to rest looks again. */
    void wake(Tx tx, Collection<SagaId> sagas) {
        tx.update("""
                UPDATE saga.saga_states
                SET signals = signals + 1,
                    wake_at = CASE WHEN owner IS NULL AND NOT stuck THEN now() END,
                    updated_at = clock_timestamp()
                WHERE id = ANY (:ids) AND status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')
                """).bindArray("ids", UUID.class, sagas, SagaId::value).execute();
    }

    static final String EXPIRED = """
            SELECT s.id FROM saga.saga_states AS s
            WHERE s.id IN (
                SELECT saga_id FROM saga.tasks WHERE state = 'LEASED' AND leased_until <= now() ORDER BY leased_until LIMIT :max)
            ORDER BY s.id
            FOR NO KEY UPDATE SKIP LOCKED
            """;

    /** Locks the sagas of tasks whose lease has ended; those that somebody acts on come later. */
    List<SagaId> lockExpired(Tx tx, int max) {
        return tx.query(EXPIRED)
                .bind("max", max)
                .map(row -> new SagaId(row.getObject("id", UUID.class)))
                .list();
    }

    /** Ends the tasks of locked sagas whose lease has ended; the services and sagas of those from services that were called. */
    List<Map.Entry<String, SagaId>> expire(Tx tx, Collection<SagaId> sagas) {
        return tx.query("""
                UPDATE saga.tasks
                SET state = CASE WHEN deadline <= now() THEN 'LATE' ELSE 'LOST' END, maybe_done = true, retryable = true,
                    ended_at = now()
                WHERE saga_id = ANY (:ids) AND state = 'LEASED' AND leased_until <= now()
                RETURNING service, saga_id
                """)
                .bindArray("ids", UUID.class, sagas, SagaId::value)
                .map(row -> Map.entry(row.getString("service"), new SagaId(row.getObject("saga_id", UUID.class))))
                .list();
    }

    /** Notes that a worker has asked for tasks, every ten seconds at most. */
    void seen(Tx tx, String service, String worker) {
        tx.update("""
                INSERT INTO saga.workers AS w (service, name) VALUES (:service, :worker)
                ON CONFLICT (service, name) DO UPDATE SET seen_at = now()
                WHERE w.seen_at < now() - interval '10 seconds'
                """).bind("service", service).bind("worker", worker).execute();
    }

    /** The time until the first lease ends, if nobody extends it; negative for one that is over. */
    Optional<Duration> untilNextEnd(Reads reads) {
        return reads.query("""
                SELECT CAST(ceil(extract(epoch FROM leased_until - now()) * 1000) AS bigint) FROM saga.tasks
                WHERE state = 'LEASED' AND leased_until IS NOT NULL
                ORDER BY leased_until
                LIMIT 1
                """).mapTo(Long.class).findOne().map(Duration::ofMillis);
    }

    void forgetWorkers(Tx tx, Duration unseen) {
        tx.update("DELETE FROM saga.workers WHERE seen_at < now() - :ms * interval '1 ms'")
                .bind("ms", unseen.toMillis())
                .execute();
    }
}
