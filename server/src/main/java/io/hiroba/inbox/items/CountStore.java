package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.util.List;

/** The tallies of a user: a row for each state, action and type that they have had items of. */
final class CountStore {

    private static final String COUNTS = """
            SELECT coalesce(sum(items) FILTER (WHERE state = 0), 0) AS todo,
                   coalesce(sum(items) FILTER (WHERE state = 1), 0) AS snoozed,
                   coalesce(sum(saved), 0) AS saved,
                   coalesce(sum(items) FILTER (WHERE state = 2), 0) AS done,
                   coalesce(sum(unread) FILTER (WHERE state = 0), 0) AS unread
            FROM inbox.tallies
            WHERE user_id = :user
            """;

    /** How many items to do there are of one action and type. */
    record Kind(Action action, ResourceType type, long items) {}

    Counts counts(Reads reads, UserId user) {
        return query(reads, "", user)
                .map(row -> new Counts(
                        row.getLong("todo"),
                        row.getLong("snoozed"),
                        row.getLong("saved"),
                        row.getLong("done"),
                        row.getLong("unread")))
                .one();
    }

    /** How {@link #counts} is carried out, or what it finds if {@code lead} is empty. */
    Query query(Reads reads, String lead, UserId user) {
        return reads.query(lead + COUNTS).bind("user", user.value());
    }

    List<Kind> kinds(Reads reads, UserId user) {
        return reads.query("""
                        SELECT action, resource_type, items
                        FROM inbox.tallies
                        WHERE user_id = :user AND state = 0 AND items > 0
                        ORDER BY action, resource_type
                        """)
                .bind("user", user.value())
                .map(row -> new Kind(
                        Action.of(row.getInt("action")),
                        ResourceType.of(row.getInt("resource_type")),
                        row.getLong("items")))
                .list();
    }
}
