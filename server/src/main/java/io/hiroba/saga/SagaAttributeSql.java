package io.hiroba.saga;

import io.hiroba.saga.workflow.SearchAttribute;
import java.util.ArrayList;
import java.util.stream.Collectors;

/**
 * Builds the statement of the page of sagas that conditions on search attributes leave. The first condition is a scan of the index
 * of its type; other conditions and filters are applied to what it finds. A value is found in the order of the ids, and a page
 * is read of it. A range is read whole and sorted, so it may hold {@link #MAX_RANGE} sagas at most.
 */
final class SagaAttributeSql {

    /** The most sagas in a range. */
    static final int MAX_RANGE = 10_000;

    private SagaAttributeSql() {}

    static String page(SagaFilter filter) {
        var first = filter.attributes().getFirst();
        if (first.isRange()) {
            return """
                    SELECT a.saga_id AS id
                    FROM (
                        SELECT saga_id
                        FROM saga.saga_attributes
                        WHERE %s
                        OFFSET 0) AS a%s
                    WHERE a.saga_id < :after%s
                    ORDER BY a.saga_id DESC
                    LIMIT :limit
                    """.formatted(range(first, 0), states(filter), others(filter));
        }
        return """
                SELECT found.id
                FROM (
                %s) AS found
                ORDER BY found.id DESC
                LIMIT :limit
                """.formatted(first.types().stream()
                .map(type -> "(" + equal(filter, type) + ")")
                .collect(Collectors.joining(" UNION ALL ")));
    }

    /** Whether more are in the range of the first condition than are sorted. */
    static String exceeds(AttributeFilter range) {
        return "SELECT count(*) > %d FROM (SELECT FROM saga.saga_attributes WHERE %s LIMIT %d) AS a"
                .formatted(MAX_RANGE, range(range, 0), MAX_RANGE + 1);
    }

    /** A comparison of rows, so that no other index is chosen. */
    private static String equal(SagaFilter filter, SearchAttribute.Type type) {
        var column = column(type);
        return """
                SELECT a.saga_id AS id
                FROM saga.saga_attributes AS a%2$s
                WHERE (a.name, a.%1$s, a.saga_id) < (:name0, %4$s, :after)
                  AND (a.name, a.%1$s, a.saga_id) >= (:name0, %4$s, %5$s)
                  AND a.%1$s IS NOT NULL%3$s
                ORDER BY a.name DESC, a.%1$s DESC, a.saga_id DESC
                LIMIT :limit
                """.formatted(
                        column,
                        states(filter),
                        others(filter),
                        value(type, 0),
                        filter.from() == null ? SagaListSql.MIN_ID : ":first");
    }

    /** The filter without what the sagas are grouped by. */
    static SagaFilter ofEveryGroup(SagaFilter filter) {
        return filter.withStatus(null).withWorkflow(null).whereWaiting(false);
    }

    /**
     * Counts the newest {@code :limit} that the first condition finds by status and workflow, and, in a row without either, how
     * many were looked at: a value that most sagas have is not read to its end for each of the few that are counted.
     */
    static String totals(SagaFilter filter) {
        var first = filter.attributes().getFirst();
        var found = first.isRange()
                ? "SELECT saga_id FROM saga.saga_attributes WHERE %s LIMIT :limit\n".formatted(range(first, 0))
                : first.types().stream()
                        .map(type -> """
                                (SELECT saga_id
                                 FROM saga.saga_attributes
                                 WHERE (name, %1$s, saga_id) < (:name0, %2$s, :after)
                                   AND (name, %1$s, saga_id) >= (:name0, %2$s, %3$s)
                                   AND %1$s IS NOT NULL
                                 ORDER BY name DESC, %1$s DESC, saga_id DESC
                                 LIMIT :limit)
                                """.formatted(
                                column(type), value(type, 0), filter.from() == null ? SagaListSql.MIN_ID : ":first"))
                        .collect(Collectors.joining("UNION ALL\n"));
        return """
                WITH scanned AS MATERIALIZED (
                %s)
                SELECT c.status, c.workflow_name, count(*) AS counted, count(c.waiting_for) AS waiting
                FROM scanned AS a
                JOIN saga.saga_states AS c ON c.id = a.saga_id
                WHERE a.saga_id < :after%s
                GROUP BY c.status, c.workflow_name
                UNION ALL
                SELECT NULL, NULL, count(*), 0 FROM scanned
                """.formatted(found, others(filter));
    }

    private static String range(AttributeFilter range, int index) {
        var column = column(range.type());
        var conditions = new ArrayList<String>();
        conditions.add("name = :name" + index);
        conditions.add(column + " IS NOT NULL");
        if (range.from() != null) {
            conditions.add("%s >= %s".formatted(column, cast(range.type(), ":from" + index)));
        }
        if (range.to() != null) {
            conditions.add("%s <= %s".formatted(column, cast(range.type(), ":to" + index)));
        }
        return String.join(" AND ", conditions);
    }

    private static String states(SagaFilter filter) {
        boolean isFiltered = filter.stuck()
                || filter.workflowName() != null
                || filter.status() != null
                || filter.correlationId() != null
                || filter.waiting()
                || filter.parent() != null;
        return isFiltered ? "\nJOIN saga.saga_states AS c ON c.id = a.saga_id" : "";
    }

    private static String others(SagaFilter filter) {
        var conditions = new StringBuilder();
        if (filter.stuck()) {
            conditions.append(" AND c.stuck");
        }
        if (filter.workflowName() != null) {
            conditions.append(" AND c.workflow_name = :workflow");
        }
        if (filter.status() != null) {
            conditions.append(" AND c.status = :status");
        }
        if (filter.correlationId() != null) {
            conditions.append(" AND c.correlation_id = :correlation");
        }
        if (filter.waiting()) {
            conditions.append(" AND c.waiting_for IS NOT NULL");
        }
        if (filter.schedule() != null) {
            conditions.append(" AND EXISTS (SELECT FROM saga.schedule_runs AS r"
                    + " WHERE r.schedule_id = :schedule AND r.saga_id = a.saga_id)");
        }
        if (filter.parent() != null) {
            conditions.append(" AND c.parent_id = :parent");
        }
        if (filter.from() != null) {
            conditions.append(" AND a.saga_id >= :first");
        }
        for (int i = 1; i < filter.attributes().size(); i++) {
            conditions.append(" AND EXISTS (SELECT FROM saga.saga_attributes AS b WHERE b.saga_id = a.saga_id AND %s)"
                    .formatted(condition(filter.attributes().get(i), i)));
        }
        return conditions.toString();
    }

    private static String condition(AttributeFilter filter, int index) {
        if (filter.isRange()) {
            return range(filter, index);
        }
        return "name = :name%d AND (%s)"
                .formatted(
                        index,
                        filter.types().stream()
                                .map(type -> column(type) + " = " + value(type, index))
                                .collect(Collectors.joining(" OR ")));
    }

    private static String column(SearchAttribute.Type type) {
        return switch (type) {
            case STRING -> "text_value";
            case NUMBER -> "number_value";
            case BOOLEAN -> "boolean_value";
            case DATE -> "date_value";
        };
    }

    private static String value(SearchAttribute.Type type, int index) {
        return cast(type, ":" + parameter(type, index));
    }

    /** The name of the parameter of a value. */
    static String parameter(SearchAttribute.Type type, int index) {
        return column(type).replace("_value", "") + index;
    }

    private static String cast(SearchAttribute.Type type, String parameter) {
        return switch (type) {
            case STRING -> parameter;
            case NUMBER -> "CAST(" + parameter + " AS numeric)";
            case BOOLEAN -> "CAST(" + parameter + " AS boolean)";
            case DATE -> "CAST(" + parameter + " AS timestamptz)";
        };
    }
}
