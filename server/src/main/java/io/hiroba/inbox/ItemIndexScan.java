package io.hiroba.inbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of a scan of one index of a user's items, from a position on. What filters ask for lies in the index, so that
 * they are applied to its entries as these stream by.
 *
 * @param about the type of the one resource whose items are scanned, by the links to it; none for all items
 * @param partition where the user's items lie
 * @param conditions what filters ask for
 */
record ItemIndexScan(
        InboxView view, ItemSort sort, @Nullable ResourceType about, int partition, List<String> conditions) {

    /** The number of entries that a page passes at most: one that has found too few by then ends there. */
    static final int MAX_ENTRIES = 20_000;

    private static final String FILTERED = "action, resource_type, namespace_id, author_id, author_person_id";

    /**
     * The entries that match, with the last one that is within the budget whether it matches or not, so that the next
     * page begins behind it. Where all match, none has to be passed. The limit is part of the text: where PostgreSQL does
     * not know it, it takes the plan that fits all values for a bad one, and makes another for each page.
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

    /** The index by id does not know the time, and need not. */
    private String entry() {
        return (isByTime() ? "id, recommended_at, " : "id, to_timestamp(0) AS recommended_at, ") + FILTERED;
    }

    /**
     * Whether every entry that it passes is shown, along an index that nothing else could be taken for: by id alone, the
     * primary key would look as good, and pass items of every state.
     */
    boolean isPlain() {
        return about == null && conditions.isEmpty() && isByTime();
    }

    /** The rows that it passes, for one that shows them all. */
    String rows(String columns, int limit) {
        return scan(columns, limit);
    }

    private String scan(String columns, int limit) {
        return """
                SELECT %s
                FROM %s
                WHERE user_id = :user AND %s AND %s
                ORDER BY %s
                LIMIT %d""".formatted(columns, ItemPartitionStore.items(partition), shown(view), behind(), order(), limit);
    }

    private String scanned(int limit) {
        if (about == null) {
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
                        ItemPartitionStore.links(about, partition),
                        FILTERED,
                        ItemPartitionStore.items(partition),
                        shown(view),
                        behind(),
                        order(),
                        limit);
    }

    /** The condition of a view. */
    static String shown(InboxView view) {
        return switch (view) {
            case TODO -> "state = " + ItemState.TODO.code();
            case SNOOZED -> "state = " + ItemState.SNOOZED.code();
            case SAVED -> "saved";
            case DONE -> "state = " + ItemState.DONE.code();
        };
    }

    private String behind() {
        return switch (sort) {
            case RECOMMENDED -> "(recommended_at, id) %s (:at, :id)".formatted(upwards() ? ">" : "<");
            case NEWEST -> "id < :id";
            case OLDEST -> "id > :id";
        };
    }

    String order() {
        return switch (sort) {
            case RECOMMENDED -> upwards() ? "recommended_at, id" : "recommended_at DESC, id DESC";
            case NEWEST -> "id DESC";
            case OLDEST -> "id";
        };
    }

    /** Whether the smallest come first. */
    boolean upwards() {
        return sort == ItemSort.OLDEST || (sort == ItemSort.RECOMMENDED && view == InboxView.SNOOZED);
    }

    boolean isByTime() {
        return sort == ItemSort.RECOMMENDED;
    }
}
