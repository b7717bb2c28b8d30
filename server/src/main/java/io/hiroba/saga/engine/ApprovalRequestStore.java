package io.hiroba.saga.engine;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.workflow.Step;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** Inserts requests for approval and their assignees, with the events that tell of them. */
final class ApprovalRequestStore {

    /** A request that was made before. */
    record Found(long id, boolean open, boolean reminded) {}

    /** Locks the saga and returns whether it goes forward; empty if the fence is outdated. */
    Optional<Boolean> lock(Tx tx, SagaId id, int fence) {
        return tx.query("""
                UPDATE saga.saga_states
                SET has_approvals = true
                WHERE id = :id AND fence = :fence
                RETURNING status IN ('STARTED', 'RUNNING')
                """)
                .bind("id", id.value())
                .bind("fence", fence)
                .mapTo(Boolean.class)
                .findOne();
    }

    Optional<Found> find(Reads reads, SagaId saga, int step) {
        return reads.query("""
                SELECT id, state = 'open' AS open, reminded_at IS NOT NULL AS reminded FROM saga.approvals
                WHERE saga_id = :saga AND step_index = :step
                """)
                .bind("saga", saga.value())
                .bind("step", step)
                .map(row -> new Found(row.getLong("id"), row.getBoolean("open"), row.getBoolean("reminded")))
                .findOne();
    }

    void insert(Tx tx, long id, SagaId saga, Step step, ApprovalRequests.Request request) {
        var left = request.timeLeft();
        tx.update("""
                INSERT INTO saga.approvals (id, saga_id, step_index, step_name, title, body, form, quorum, deadline)
                VALUES (:id, :saga, :step, :name, :title, :body, CAST(:form AS jsonb), :quorum,
                        now() + CAST(:left AS bigint) * interval '1 ms')
                """)
                .bind("id", id)
                .bind("saga", saga.value())
                .bind("step", step.index())
                .bind("name", step.name())
                .bind("title", request.title())
                .bind("body", request.body())
                .bind("form", form(request.form()).toString())
                .bind("quorum", request.quorum())
                .bind("left", left == null ? null : Long.valueOf(left.toMillis()))
                .execute();
    }

    private static ArrayNode form(Collection<Step.Field> fields) {
        var form = JsonMapper.shared().createArrayNode();
        for (var field : fields) {
            var node = form.addObject()
                    .put("name", field.name())
                    .put("label", field.label())
                    .put("type", field.type().name().toLowerCase(Locale.ROOT))
                    .put("required", field.required());
            var options = node.putArray("options");
            field.options().forEach(options::add);
        }
        return form;
    }

    /** Closes the request of a step, whose saga is locked; false if it was decided before. */
    boolean expire(Tx tx, SagaId saga, int step) {
        var closed = tx.query("""
                UPDATE saga.approvals SET state = 'overdue', closed_at = now()
                WHERE saga_id = :saga AND step_index = :step AND state = 'open'
                RETURNING id
                """)
                .bind("saga", saga.value())
                .bind("step", step)
                .mapTo(Long.class)
                .findOne();
        if (closed.isPresent()) {
            tx.query("SELECT saga.append_approval_event('approval-closed', :id, '{}')")
                    .bind("id", closed.get())
                    .mapTo(String.class)
                    .list();
            return true;
        }
        return tx.query("""
                SELECT 1 FROM saga.approvals
                WHERE saga_id = :saga AND step_index = :step AND state IN ('approved', 'rejected')
                """)
                .bind("saga", saga.value())
                .bind("step", step)
                .mapTo(Integer.class)
                .findOne()
                .isEmpty();
    }

    /** Asks these users as well; who was asked before is not asked again. */
    void assign(Tx tx, long id, Collection<UserId> users) {
        tx.query("""
                WITH added AS (
                    INSERT INTO saga.approval_assignees (approval_id, user_id)
                    SELECT :id, user_id FROM unnest(:users) AS t (user_id)
                    ON CONFLICT DO NOTHING
                    RETURNING user_id)
                SELECT saga.append_approval_event('approval-requested', :id, array_agg(user_id))
                FROM added
                HAVING count(*) > 0
                """)
                .bind("id", id)
                .bindArray("users", Long.class, users, UserId::value)
                .mapTo(String.class)
                .list();
    }

    /** Asks {@code more} as well, and reminds everybody who has not decided. */
    void remind(Tx tx, long id, Collection<UserId> more) {
        assign(tx, id, more);
        tx.query("""
                WITH reminded AS (
                    UPDATE saga.approvals SET reminded_at = now() WHERE id = :id AND reminded_at IS NULL RETURNING id)
                SELECT saga.append_approval_event('approval-reminded', reminded.id, (
                    SELECT array_agg(s.user_id ORDER BY s.user_id)
                    FROM saga.approval_assignees AS s
                    WHERE s.approval_id = reminded.id
                      AND NOT EXISTS (SELECT FROM saga.approval_decisions AS d
                                      WHERE d.approval_id = s.approval_id AND d.user_id = s.user_id)))
                FROM reminded
                """).bind("id", id).mapTo(String.class).list();
    }
}
