package io.hiroba.saga;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.Approvals.Approval;
import io.hiroba.saga.Approvals.Assignee;
import io.hiroba.saga.Approvals.State;
import io.hiroba.saga.Approvals.Summary;
import io.hiroba.saga.Approvals.Verdict;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Step.FieldType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads approvals and writes the decisions of their assignees. */
final class ApprovalStore {

    private static final String SELECT = """
            SELECT a.id, a.saga_id, g.workflow_name, i.nickname AS requested_by, a.step_name, a.title, a.body, a.form::text AS form, a.quorum, a.state, a.opened_at,
                   a.deadline,
                   (SELECT coalesce(jsonb_agg(jsonb_build_object('user', s.user_id::text, 'name', u.nickname)
                                              ORDER BY s.user_id), '[]')
                    FROM saga.approval_assignees AS s
                    JOIN accounts.user_card AS u ON u.id = s.user_id
                    WHERE s.approval_id = a.id)::text AS assignees,
                   (SELECT coalesce(jsonb_agg(jsonb_build_object(
                               'user', d.user_id::text, 'name', u.nickname, 'approved', d.approved, 'comment', d.comment,
                               'answers', d.answers, 'at', d.decided_at) ORDER BY d.number), '[]')
                    FROM saga.approval_decisions AS d
                    LEFT JOIN accounts.user_card AS u ON u.id = d.user_id
                    WHERE d.approval_id = a.id)::text AS decisions
            FROM saga.approvals AS a
            LEFT JOIN saga.saga_states AS g ON g.id = a.saga_id
            LEFT JOIN accounts.user_card AS i
                ON i.id = CASE WHEN g.initiated_by ~ '^[0-9A-F]{16}$' THEN CAST(CAST('x' || g.initiated_by AS bit(64)) AS bigint) END
            """;

    Optional<Approval> find(Reads reads, long id) {
        return reads.query(SELECT + "WHERE a.id = :id")
                .bind("id", id)
                .map(row -> approval(row))
                .findOne();
    }

    List<Approval> ofSaga(Reads reads, SagaId saga) {
        return reads.query(SELECT + "WHERE a.saga_id = :saga ORDER BY a.step_index")
                .bind("saga", saga.value())
                .map(row -> approval(row))
                .list();
    }

    List<Summary> summaries(Reads reads, Collection<Long> ids) {
        return reads.query("""
                        SELECT a.id, g.workflow_name, a.deadline
                        FROM saga.approvals AS a
                        LEFT JOIN saga.saga_states AS g ON g.id = a.saga_id
                        WHERE a.id = ANY (:ids)
                        """)
                .bindArray("ids", Long.class, ids)
                .map(row -> new Summary(
                        row.getLong("id"), row.getString("workflow_name"), Columns.instantOrNull(row, "deadline")))
                .list();
    }

    /** Inserts a decision; the saga is locked. */
    void insert(Tx tx, long approval, UserId user, boolean approved, String comment, JsonNode answers) {
        tx.update("""
                INSERT INTO saga.approval_decisions (approval_id, number, user_id, approved, comment, answers)
                SELECT :approval, 1 + count(*), :user, :approved, :comment, CAST(:answers AS jsonb)
                FROM saga.approval_decisions
                WHERE approval_id = :approval
                """)
                .bind("approval", approval)
                .bind("user", user.value())
                .bind("approved", approved)
                .bind("comment", comment)
                .bind("answers", answers.toString())
                .execute();
    }

    /** Appends the event of a decision, and closes the approval if that was the last one needed. */
    void settle(Tx tx, long approval, UserId by) {
        tx.query("SELECT saga.append_approval_event('approval-decided', :approval, ARRAY[CAST(:by AS bigint)])")
                .bind("approval", approval)
                .bind("by", by.value())
                .mapTo(String.class)
                .list();
        settle(tx, approval);
    }

    private static void settle(Tx tx, long approval) {
        tx.query("SELECT saga.settle_approval(:approval)")
                .bind("approval", approval)
                .mapTo(String.class)
                .list();
    }

    /** An approval that somebody is asked for. */
    record Requested(long approval, SagaId saga) {}

    /** The open approvals that somebody is asked for. */
    List<Requested> open(Reads reads, UserId user) {
        return reads.query("""
                SELECT a.id, a.saga_id
                FROM saga.approval_assignees AS s
                JOIN saga.approvals AS a ON a.id = s.approval_id AND a.state = 'open'
                WHERE s.user_id = :user
                ORDER BY a.id
                """)
                .bind("user", user.value())
                .map(row -> new Requested(row.getLong("id"), new SagaId(row.getObject("saga_id", UUID.class))))
                .list();
    }

    /** Takes an assignee out, after which the approval is settled; the saga is locked. */
    void leave(Tx tx, long approval, UserId user) {
        tx.update("DELETE FROM saga.approval_assignees WHERE approval_id = :approval AND user_id = :user")
                .bind("approval", approval)
                .bind("user", user.value())
                .execute();
    }

    /** Closes the approval of a step that an operator resolves, if it is open; the saga is locked. */
    void withdraw(Tx tx, SagaId saga, int step) {
        tx.query("""
                UPDATE saga.approvals SET state = 'withdrawn', closed_at = now()
                WHERE saga_id = :saga AND step_index = :step AND state = 'open'
                RETURNING id
                """)
                .bind("saga", saga.value())
                .bind("step", step)
                .mapTo(Long.class)
                .findOne()
                .ifPresent(id -> append(tx, "approval-closed", id));
    }

    /** Asks again for what {@link #withdraw} closed, where the saga still goes forward: those who have not decided. */
    void reopen(Tx tx, SagaId saga, int step) {
        tx.query("""
                UPDATE saga.approvals AS a SET state = 'open', closed_at = NULL
                FROM saga.saga_states AS s
                WHERE a.saga_id = :saga AND a.step_index = :step AND a.state = 'withdrawn'
                  AND s.id = a.saga_id AND s.status IN ('STARTED', 'RUNNING')
                RETURNING a.id
                """)
                .bind("saga", saga.value())
                .bind("step", step)
                .mapTo(Long.class)
                .findOne()
                .ifPresent(id -> {
                    append(tx, "approval-requested", id);
                    // Accounts of assignees may have been deleted meanwhile.
                    settle(tx, id);
                });
    }

    /** Appends an event for the assignees who have not decided, if it asks for something. */
    private static void append(Tx tx, String type, long approval) {
        tx.query("""
                SELECT saga.append_approval_event(:type, a.id, ARRAY(
                    SELECT s.user_id
                    FROM saga.approval_assignees AS s
                    WHERE s.approval_id = a.id AND a.state = 'open'
                      AND NOT EXISTS (SELECT FROM saga.approval_decisions AS d
                                      WHERE d.approval_id = a.id AND d.user_id = s.user_id)
                    ORDER BY s.user_id))
                FROM saga.approvals AS a
                WHERE a.id = :approval
                """)
                .bind("type", type)
                .bind("approval", approval)
                .mapTo(String.class)
                .list();
    }

    private static Approval approval(ResultSet row) throws SQLException {
        return new Approval(
                row.getLong("id"),
                new SagaId(row.getObject("saga_id", UUID.class)),
                row.getString("workflow_name"),
                row.getString("requested_by"),
                row.getString("step_name"),
                row.getString("title"),
                row.getString("body"),
                form(json(row, "form")),
                row.getInt("quorum"),
                State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                Columns.instant(row, "opened_at"),
                Columns.instantOrNull(row, "deadline"),
                json(row, "assignees")
                        .valueStream()
                        .map(each -> new Assignee(
                                new UserId(each.path("user").asLong()),
                                each.path("name").asString(""),
                                false))
                        .toList(),
                json(row, "decisions").valueStream().map(ApprovalStore::verdict).toList());
    }

    private static Verdict verdict(JsonNode node) {
        return new Verdict(
                node.path("user").isNull() ? null : new UserId(node.path("user").asLong()),
                node.path("name").asString(""),
                node.path("approved").booleanValue(),
                node.path("comment").asString(""),
                node.path("answers"),
                OffsetDateTime.parse(node.path("at").asString("")).toInstant());
    }

    private static List<Step.Field> form(JsonNode form) {
        var fields = new ArrayList<Step.Field>();
        for (var field : form) {
            fields.add(new Step.Field(
                    field.path("name").asString(""),
                    field.path("label").asString(""),
                    FieldType.valueOf(field.path("type").asString("").toUpperCase(Locale.ROOT)),
                    field.path("required").booleanValue(),
                    field.path("options")
                            .valueStream()
                            .map(JsonNode::stringValue)
                            .toList()));
        }
        return fields;
    }

    private static JsonNode json(ResultSet row, String column) throws SQLException {
        return JsonMapper.shared().readTree(row.getString(column));
    }
}
