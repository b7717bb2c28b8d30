package io.hiroba.saga;

import java.util.ArrayList;

/**
 * Builds the statement of each list of sagas. The ids of a page come from a scan of one index, and only the rows of
 * that page are read. The index is that of the first filter given in this order: parent, a search attribute, schedule, stuck,
 * waiting, correlation id and status, workflow and status, status, none. Other filters are applied to the few sagas that are
 * stuck, children of one or runs of one schedule; the workflow is applied to those of one correlation id.
 */
final class SagaListSql {

    static final String MIN_ID = "'00000000-0000-0000-0000-000000000000'";

    private SagaListSql() {}

    static String list(SagaFilter filter) {
        return """
                SELECT s.id, s.workflow_name, s.workflow_version, s.current_step, s.status, s.correlation_id,
                       s.initiated_by, s.error_message, s.stuck, s.owner IS NOT NULL AS running, s.wake_at, s.created_at,
                       s.updated_at, s.waiting_for, s.priority
                FROM (
                %s) AS page
                JOIN saga.saga_states AS s ON s.id = page.id
                ORDER BY page.id DESC
                """.formatted(page(filter).indent(4));
    }

    /** Counts what the list has, up to {@code :limit}. */
    static String count(SagaFilter filter) {
        return "SELECT count(*) FROM (\n%s) AS page\n".formatted(page(filter).indent(4));
    }

    private static String page(SagaFilter filter) {
        if (filter.parent() != null && filter.attributes().isEmpty()) {
            return ofParent(filter);
        } else if (!filter.attributes().isEmpty()) {
            return SagaAttributeSql.page(filter);
        } else if (filter.schedule() != null) {
            return ofSchedule(filter);
        } else if (filter.stuck()) {
            return filtered(filter);
        } else if (filter.waiting()) {
            return waiting(filter);
        } else if (filter.correlationId() != null) {
            // The condition of the partial index: a row comparison does not imply that this column is not null.
            var more = " AND correlation_id IS NOT NULL"
                    + (filter.workflowName() == null ? "" : " AND workflow_name = :workflow");
            return ofWhole("correlation_id", ":correlation", filter, more);
        } else if (filter.workflowName() != null) {
            return ofWhole("workflow_name", ":workflow", filter, "");
        }
        return filter.status() == null ? filtered(filter) : along("status", ":status", filter, "");
    }

    /** Each of these has an index of the sagas that wait, which are few among all. */
    private static String waiting(SagaFilter filter) {
        var waiting = " AND waiting_for IS NOT NULL";
        if (filter.correlationId() != null) {
            var more = " AND correlation_id IS NOT NULL"
                    + (filter.workflowName() == null ? "" : " AND workflow_name = :workflow");
            return along("correlation_id", ":correlation", filter, waiting + more);
        } else if (filter.workflowName() != null) {
            return along("workflow_name", ":workflow", filter, waiting);
        }
        var since = filter.from() == null ? "" : " AND id >= :first";
        return "SELECT id FROM saga.saga_states WHERE id < :after%s%s ORDER BY id DESC LIMIT :limit\n"
                .formatted(since, waiting);
    }

    /** The children of one saga, which are few thousands at most: other filters are applied to these. */
    private static String ofParent(SagaFilter filter) {
        return along(
                "parent_id",
                ":parent",
                filter,
                " AND parent_id IS NOT NULL"
                        + (filter.stuck() ? " AND stuck" : "")
                        + (filter.waiting() ? " AND waiting_for IS NOT NULL" : "")
                        + (filter.correlationId() == null ? "" : " AND correlation_id = :correlation")
                        + (filter.workflowName() == null ? "" : " AND workflow_name = :workflow")
                        + (filter.status() == null ? "" : " AND status = :status")
                        + (filter.schedule() == null
                                ? ""
                                : " AND EXISTS (SELECT FROM saga.schedule_runs AS r"
                                        + " WHERE r.schedule_id = :schedule AND r.saga_id = saga_states.id)"));
    }

    /**
     * A range of the index that has these columns before the id. With equalities, PostgreSQL might choose an index of fewer
     * columns where it estimates the others to be common, and filter most rows.
     */
    private static String along(String columns, String values, SagaFilter filter, String more) {
        var order = columns.replace(",", " DESC,") + " DESC, id DESC";
        return """
                SELECT id
                FROM saga.saga_states
                WHERE (%1$s, id) < (%2$s, :after) AND (%1$s, id) >= (%2$s, %3$s)%5$s
                ORDER BY %4$s
                LIMIT :limit
                """.formatted(columns, values, filter.from() == null ? MIN_ID : ":first", order, more);
    }

    /** All sagas, or the stuck ones, whose index is used whatever the planner estimates. */
    private static String filtered(SagaFilter filter) {
        if (!filter.stuck()) {
            return "SELECT id FROM saga.saga_states WHERE id < :after%s ORDER BY id DESC LIMIT :limit\n"
                    .formatted(filter.from() == null ? "" : " AND id >= :first");
        }
        var conditions = new ArrayList<String>();
        conditions.add("true");
        if (filter.from() != null) {
            conditions.add("halted.id >= :first");
        }
        if (filter.correlationId() != null) {
            conditions.add("halted.correlation_id = :correlation");
        }
        if (filter.workflowName() != null) {
            conditions.add("halted.workflow_name = :workflow");
        }
        if (filter.status() != null) {
            conditions.add("halted.status = :status");
        }
        if (filter.waiting()) {
            // A saga that needs an operator waits for nothing else.
            conditions.add("false");
        }
        return """
                SELECT halted.id
                FROM (
                    SELECT id, workflow_name, status, correlation_id
                    FROM saga.saga_states
                    WHERE stuck AND id < :after
                    ORDER BY id DESC
                    OFFSET 0) AS halted
                WHERE %s
                ORDER BY halted.id DESC
                LIMIT :limit
                """.formatted(String.join(" AND ", conditions));
    }

    /** The runs of one schedule along their index; other filters are applied to them. */
    private static String ofSchedule(SagaFilter filter) {
        var conditions = new ArrayList<String>();
        conditions.add("true");
        if (filter.stuck()) {
            conditions.add("run.stuck");
        }
        if (filter.correlationId() != null) {
            conditions.add("run.correlation_id = :correlation");
        }
        if (filter.workflowName() != null) {
            conditions.add("run.workflow_name = :workflow");
        }
        if (filter.status() != null) {
            conditions.add("run.status = :status");
        }
        if (filter.waiting()) {
            conditions.add("run.waiting_for IS NOT NULL");
        }
        if (filter.from() != null) {
            conditions.add("run.id >= :first");
        }
        return """
                SELECT run.id
                FROM (
                    SELECT saga_id FROM saga.schedule_runs
                    WHERE schedule_id = :schedule AND saga_id < :after
                    ORDER BY saga_id DESC
                    OFFSET 0) AS runs
                JOIN saga.saga_states AS run ON run.id = runs.saga_id
                WHERE %s
                ORDER BY runs.saga_id DESC
                LIMIT :limit
                """.formatted(String.join(" AND ", conditions));
    }

    /**
     * A scan of the index of {@code column}, status and id. There is no index without the status: without that filter, the
     * newest of each status are merged.
     */
    private static String ofWhole(String column, String value, SagaFilter filter, String more) {
        var columns = column + ", status";
        return filter.status() != null
                ? along(columns, value + ", :status", filter, more)
                : """
                SELECT newest.id
                FROM (VALUES ('STARTED'), ('RUNNING'), ('COMPLETED'), ('COMPENSATING'), ('FAILED'), ('CANCELLED'))
                    AS statuses (name)
                CROSS JOIN LATERAL (
                %s) AS newest
                ORDER BY newest.id DESC
                LIMIT :limit
                """.formatted(along(columns, value + ", statuses.name", filter, more));
    }
}
