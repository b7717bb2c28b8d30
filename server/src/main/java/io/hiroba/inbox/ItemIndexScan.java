package io.hiroba.inbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of a scan of one index of a user's items, from a position on. The index covers all columns of the filters,
 * which are applied as its entries are read.
 *
 * @param resourceType the type of the resource whose items are scanned by their links; null for all items
 * @param partition of the user's items
 * @param conditions of the filters
 */
record ItemIndexScan(
        InboxView view, ItemSort sort, @Nullable ResourceType resourceType, int partition, List<String> conditions) {

    /** The most entries that are scanned for a page, which ends there even if it is not full. */
    static final int MAX_ENTRIES = 20_000;

    private static final String FILTERED = "action, resource_type, namespace_id, author_id, author_person_id";

    /**
     * The matching entries, and the last one within the budget whether it matches or not, so that the next page begins
     * after it. The limit is part of the text: with a bound limit PostgreSQL misjudges the generic plan and plans every
     * page anew.
     */
    String sql(int limit) {
        if (conditions.isEmpty()) {
            return "SELECT id, recommended_at, row_number() OVER () AS place, TRUE AS matched FROM (%s) AS scanned"
                    .formatted(scanned(limit));
        }
        return """
                SELECT id, recommended_at, place, matched
                FROM (SELECT id, recommended_at, row_number() OVER () AS place, (%s) IS TRUE AS matched
                      FROM (%s) AS scanned) AS entries
                WHERE matched OR place = %d
                LIMIT %d
                """.formatted(String.join(" AND ", conditions), scanned(MAX_ENTRIES), MAX_ENTRIES, limit);
    }

    /** The index by id does not cover the time, which its order does not need. */
    private String entry() {
        return (isByTime() ? "id, recommended_at, " : "id, to_timestamp(0) AS recommended_at, ") + FILTERED;
    }

    /**
     * Whether every scanned entry is shown, and the planner cannot take another index: by id alone, it might take the
     * primary key and scan items of every state.
     */
    boolean isPlain() {
        return resourceType == null && conditions.isEmpty() && isByTime();
    }

    /** The scanned rows, for a scan that shows them all. */
    String rows(String columns, int limit) {
        return scan(columns, limit);
    }

    private String scan(String columns, int limit) {
        return """
                SELECT %s
                FROM %s
                WHERE user_id = :user AND %s AND %s
                ORDER BY %s
                LIMIT %d""".formatted(
                        columns, ItemPartitionStore.items(partition), condition(view), afterPosition(), order(), limit);
    }

    private String scanned(int limit) {
        if (resourceType == null) {
            return scan(entry(), limit);
        }
        return """
                SELECT %s
                FROM (SELECT notification_id FROM %s WHERE resource_id = :resource AND user_id = :user) AS link
                CROSS JOIN LATERAL (
                    SELECT id, recommended_at, %s, state, saved FROM %s
                    WHERE user_id = :user AND id = link.notification_id OFFSET 0) AS n
                WHERE %s AND %s
                ORDER BY %s
                LIMIT %d""".formatted(
                        entry(),
                        ItemPartitionStore.links(resourceType, partition),
                        FILTERED,
                        ItemPartitionStore.items(partition),
                        condition(view),
                        afterPosition(),
                        order(),
                        limit);
    }

    /** The condition of a view. */
    static String condition(InboxView view) {
        return switch (view) {
            case TODO -> "state = " + ItemState.TODO.code();
            case SNOOZED -> "state = " + ItemState.SNOOZED.code();
            case SAVED -> "saved";
            case DONE -> "state = " + ItemState.DONE.code();
        };
    }

    private String afterPosition() {
        return switch (sort) {
            case RECOMMENDED -> "(recommended_at, id) %s (:at, :id)".formatted(isAscending() ? ">" : "<");
            case NEWEST -> "id < :id";
            case OLDEST -> "id > :id";
        };
    }

    String order() {
        return switch (sort) {
            case RECOMMENDED -> isAscending() ? "recommended_at, id" : "recommended_at DESC, id DESC";
            case NEWEST -> "id DESC";
            case OLDEST -> "id";
        };
    }

    boolean isAscending() {
        return sort == ItemSort.OLDEST || (sort == ItemSort.RECOMMENDED && view == InboxView.SNOOZED);
    }

    boolean isByTime() {
        return sort == ItemSort.RECOMMENDED;
    }
}
