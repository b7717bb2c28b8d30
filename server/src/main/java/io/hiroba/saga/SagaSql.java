package io.hiroba.saga;

import java.util.ArrayList;

/**
 * The statement of each list of sagas. The ids of a page come of a walk along one index, and only the rows of that page
 * are read: by correlation id, by what is stuck, by workflow and status, by status, or all, whichever is asked for first
 * in this row. The few sagas with one correlation id, and those that are stuck, are filtered by what else is asked for.
 */
final class SagaSql {

    private SagaSql() {}

    static String list(SagaFilter filter) {
        return """
                SELECT s.id, s.workflow_name, s.workflow_version, s.current_step, s.status, s.correlation_id,
                       s.initiated_by, s.error_message, s.stuck, s.owner, s.wake_at, s.created_at, s.updated_at
                FROM (
                %s) AS page
                JOIN saga.saga_states AS s ON s.id = page.id
                ORDER BY page.id DESC
                """.formatted(page(filter));
    }

    private static String page(SagaFilter filter) {
        boolean walksAlongAnother = filter.correlationId() != null || filter.stuck();
        if (filter.workflowName() != null && filter.status() == null && !walksAlongAnother) {
            return OF_WORKFLOW;
        }
        var conditions = new ArrayList<String>();
        conditions.add("i.id < :after");
        if (filter.correlationId() != null) {
            conditions.add("i.correlation_id = :correlation");
        }
        if (filter.stuck()) {
            conditions.add("i.stuck");
        }
        if (filter.workflowName() != null) {
            conditions.add("i.workflow_name = :workflow");
        }
        if (filter.status() != null) {
            conditions.add("i.status = :status");
        }
        return """
                    SELECT i.id
                    FROM saga.saga_states AS i
                    WHERE %s
                    ORDER BY i.id DESC
                    LIMIT :limit
                """.formatted(String.join(" AND ", conditions));
    }

    /** There is no index of the workflow alone: the newest of each status are taken, and of those the newest. */
    private static final String OF_WORKFLOW = """
                SELECT newest.id
                FROM (VALUES ('STARTED'), ('RUNNING'), ('COMPLETED'), ('COMPENSATING'), ('FAILED'), ('CANCELLED'))
                    AS statuses (status)
                CROSS JOIN LATERAL (
                    SELECT i.id
                    FROM saga.saga_states AS i
                    WHERE i.workflow_name = :workflow AND i.status = statuses.status AND i.id < :after
                    ORDER BY i.id DESC
                    LIMIT :limit) AS newest
                ORDER BY newest.id DESC
                LIMIT :limit
            """;
}
