package io.hiroba.saga;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Reads which calls of sagas are waited for, and of a locked one which may be under way, or have ended with an outcome that is not logged. */
final class OpenCallStore {

    /**
     * A task of an attempt that is not logged and that nobody has taken back.
     *
     * @param executes whether it executes the step, and does not undo it or ask about it
     * @param maybeDone whether it may have taken effect
     */
    record UnloggedTask(int step, boolean executes, boolean maybeDone) {}

    /** Whether a node has the saga, or had it when it was lost. */
    boolean isInDoubt(Tx tx, SagaId id) {
        return tx.query("SELECT owner IS NOT NULL OR in_doubt FROM saga.saga_states WHERE id = :id")
                .bind("id", id.value())
                .mapTo(Boolean.class)
                .one();
    }

    /** Whether the outcome of a call of a saga that goes on by itself is still looked for. */
    boolean isCalled(Tx tx, SagaId id) {
        return tx.query("SELECT owner IS NOT NULL OR in_doubt AND NOT stuck FROM saga.saga_states WHERE id = :id")
                .bind("id", id.value())
                .mapTo(Boolean.class)
                .one();
    }

    /** Whether a worker, or a service that answers later, carries out a task, also one that the saga goes on without. */
    boolean hasLease(Tx tx, SagaId id) {
        return tx.query("SELECT EXISTS (SELECT FROM saga.tasks WHERE saga_id = :id AND state = 'LEASED')")
                .bind("id", id.value())
                .mapTo(Boolean.class)
                .one();
    }

    List<UnloggedTask> unlogged(Tx tx, SagaId id) {
        return tx.query("""
                SELECT t.step_index, t.kind = 'EXECUTE' AS executes,
                       t.state <> 'QUEUED' AND (t.state <> 'FAILED' OR t.maybe_done) AS maybe_done
                FROM saga.tasks AS t
                WHERE t.saga_id = :id AND t.state <> 'WITHDRAWN'
                  AND NOT EXISTS (
                    SELECT FROM saga.saga_step_logs AS l
                    WHERE l.saga_id = t.saga_id AND l.step_index = t.step_index AND l.attempt = t.attempt
                      AND l.action = CASE t.kind WHEN 'EXECUTE' THEN 'EXECUTE' ELSE 'COMPENSATE' END)
                """)
                .bind("id", id.value())
                .map(row -> new UnloggedTask(
                        row.getInt("step_index"), row.getBoolean("executes"), row.getBoolean("maybe_done")))
                .list();
    }

    /** Those of the keys of executions whose sagas go forward and have no outcome of the step yet. */
    Set<String> awaited(Reads reads, Collection<String> keys) {
        return reads.query("""
                SELECT k.key FROM unnest(:keys) AS k (key)
                JOIN saga.saga_states AS s
                  ON s.id = CAST(split_part(k.key, ':', 1) AS uuid) AND s.status IN ('STARTED', 'RUNNING')
                WHERE NOT EXISTS (
                    SELECT FROM saga.saga_step_logs AS l
                    WHERE l.saga_id = s.id AND l.step_index = CAST(split_part(k.key, ':', 2) AS int)
                      AND l.action = 'EXECUTE' AND l.status IN ('SUCCESS', 'SKIPPED'))
                """)
                .bindArray("keys", String.class, keys)
                .mapTo(String.class)
                .set();
    }

    /**
     * Takes the tasks of a step out of the queue. One that a worker fetches at this moment is waited for, so that
     * {@link #unlogged} finds it afterwards.
     */
    void withdraw(Tx tx, SagaId id, int step) {
        tx.update("""
                UPDATE saga.tasks SET state = 'WITHDRAWN', ended_at = now()
                WHERE saga_id = :id AND step_index = :step AND state = 'QUEUED'
                """).bind("id", id.value()).bind("step", step).execute();
    }

    /** Takes all tasks of a saga out of the queue. */
    void withdraw(Tx tx, SagaId id) {
        tx.update("""
                UPDATE saga.tasks SET state = 'WITHDRAWN', ended_at = now() WHERE saga_id = :id AND state = 'QUEUED'
                """).bind("id", id.value()).execute();
    }

    /** The steps of a saga that goes forward whose execution may have taken effect, and is made again under its key. */
    List<Integer> repeated(Tx tx, SagaId id) {
        return tx.query("""
                SELECT DISTINCT l.step_index FROM saga.saga_step_logs AS l
                JOIN saga.saga_states AS s ON s.id = l.saga_id AND s.status IN ('STARTED', 'RUNNING')
                WHERE l.saga_id = :id AND l.action = 'EXECUTE' AND l.maybe_done
                  AND NOT EXISTS (
                    SELECT FROM saga.saga_step_logs AS later
                    WHERE later.saga_id = l.saga_id AND later.step_index = l.step_index AND later.action = 'EXECUTE'
                      AND later.attempt >= l.attempt AND later.status IN ('SUCCESS', 'SKIPPED'))
                """).bind("id", id.value()).mapTo(Integer.class).list();
    }
}
