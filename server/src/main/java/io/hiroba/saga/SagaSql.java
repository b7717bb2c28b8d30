package io.hiroba.saga;

import java.util.ArrayList;

/**
 * The statement of each list of sagas. The ids of a page come of a walk along one index, and only the rows of that page
 * are read: by correlation id, by what is stuck, by workflow and status, by status, or all, whichever is asked for first
 * in this row. The few sagas with one correlation id, and those that are stuck, are filtered by what else is asked for.
 */
final class SagaSql {

    private static final String LEAST = "'00000000-0000-0000-0000-000000000000'";

    private SagaSql() {}

    static String list(SagaFilter filter) {
        return """
                SELECT s.id, s.workflow_name, s.workflow_version, s.current_step, s.status, s.correlation_id,
                       s.initiated_by, s.error_message, s.stuck, s.owner, s.wake_at, s.created_at, s.updated_at
                FROM (
                %s) AS page
                JOIN saga.saga_states AS s ON s.id = page.id
                ORDER BY page.id DESC
                """.formatted(page(filter).indent(4));
    }

    private static String page(SagaFilter filter) {
        if (filter.correlationId() != null || filter.stuck()) {
            return filtered(filter);
        } else if (filter.workflowName() == null) {
            return filter.status() == null ? filtered(filter) : along("status", ":status");
        }
        return filter.status() == null ? OF_WORKFLOW : along("workflow_name, status", ":workflow, :status");
    }

    /**
     * What lies between two places of the index that has these columns before the id. Were it said by equality, an index
     * of fewer of them would do for PostgreSQL where it takes the rest for common, and read past all that is not.
     */
    private static String along(String columns, String values) {
        var order = columns.replace(",", " DESC,") + " DESC, id DESC";
        return """
                SELECT id
                FROM saga.saga_states
                WHERE (%1$s, id) < (%2$s, :after) AND (%1$s, id) >= (%2$s, %3$s)
                ORDER BY %4$s
                LIMIT :limit
                """.formatted(columns, values, LEAST, order);
    }

    private static String filtered(SagaFilter filter) {
        var conditions = new ArrayList<String>();
        conditions.add("id < :after");
        if (filter.correlationId() != null) {
            conditions.add("correlation_id = :correlation");
        }
        if (filter.stuck()) {
            conditions.add("stuck");
        }
        if (filter.workflowName() != null) {
            conditions.add("workflow_name = :workflow");
        }
        if (filter.status() != null) {
            conditions.add("status = :status");
        }
        return """
                SELECT id
                FROM saga.saga_states
                WHERE %s
                ORDER BY id DESC
                LIMIT :limit
                """.formatted(String.join(" AND ", conditions));
    }

    /** There is no index of the workflow alone: the newest of each status are taken, and of those the newest. */
    private static final String OF_WORKFLOW = """
            SELECT newest.id
            FROM (VALUES ('STARTED'), ('RUNNING'), ('COMPLETED'), ('COMPENSATING'), ('FAILED'), ('CANCELLED'))
                AS statuses (name)
            CROSS JOIN LATERAL (
            %s) AS newest
            ORDER BY newest.id DESC
            LIMIT :limit
            """.formatted(along("workflow_name, status", ":workflow, statuses.name"));
}
