package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Rows of the tallies: one for each user, state, action and type. */
final class ItemCountStore {

    private static final String COUNTS = """
            SELECT coalesce(sum(items) FILTER (WHERE state = 0 /* to do */), 0) AS todo,
                   coalesce(sum(items) FILTER (WHERE state = 1 /* snoozed */), 0) AS snoozed,
                   coalesce(sum(saved), 0) AS saved,
                   coalesce(sum(items) FILTER (WHERE state = 2 /* done */), 0) AS done,
                   coalesce(sum(unread) FILTER (WHERE state = 0 /* to do */), 0) AS unread
            FROM inbox.tallies
            WHERE user_id = :user
            """;

    /** The numbers of items of one state, action and type. */
    record Tally(ItemState state, Action action, ResourceType type, long items, long unread, long saved) {}

    InboxCounts counts(Reads reads, UserId user) {
        return query(reads, "", user)
                .map(row -> new InboxCounts(
                        row.getLong("todo"),
                        row.getLong("snoozed"),
                        row.getLong("saved"),
                        row.getLong("done"),
                        row.getLong("unread")))
                .one();
    }

    /** The statement of {@link #counts}, or its plan if {@code lead} explains it. */
    Query query(Reads reads, String lead, UserId user) {
        return reads.query(lead + COUNTS).bind("user", user.value());
    }

    /** All tallies of a user, by action and type: one statement, so that whatever is summed from them agrees. */
    List<Tally> tallies(Reads reads, UserId user) {
        return reads.query("""
                        SELECT state, action, resource_type, items, unread, saved
                        FROM inbox.tallies
                        WHERE user_id = :user AND items > 0
                        ORDER BY action, resource_type, state
                        """)
                .bind("user", user.value())
                .map(row -> new Tally(
                        ItemState.of(row.getInt("state")),
                        Action.of(row.getInt("action")),
                        ResourceType.of(row.getInt("resource_type")),
                        row.getLong("items"),
                        row.getLong("unread"),
                        row.getLong("saved")))
                .list();
    }

    /**
     * The counts of a reader at one moment.
     *
     * @param version grows with every change of a count, also where the counts end up the same
     */
    record Snapshot(long version, InboxCounts counts) {

        static final Snapshot EMPTY = new Snapshot(0, new InboxCounts(0, 0, 0, 0, 0));
    }

    /** The counts of those of the readers who have ever had an item. */
    Map<UserId, Snapshot> snapshots(Reads reads, Collection<UserId> readers) {
        return reads
                .query("""
                        SELECT user_id, sum(version) AS version,
                               coalesce(sum(items) FILTER (WHERE state = 0 /* to do */), 0) AS todo,
                               coalesce(sum(items) FILTER (WHERE state = 1 /* snoozed */), 0) AS snoozed,
                               sum(saved) AS saved,
                               coalesce(sum(items) FILTER (WHERE state = 2 /* done */), 0) AS done,
                               coalesce(sum(unread) FILTER (WHERE state = 0 /* to do */), 0) AS unread
                        FROM inbox.tallies
                        WHERE user_id = ANY (:readers)
                        GROUP BY user_id
                        """)
                .bindArray("readers", Long.class, readers, UserId::value)
                .map(row -> new SimpleImmutableEntry<>(
                        new UserId(row.getLong("user_id")),
                        new Snapshot(
                                row.getLong("version"),
                                new InboxCounts(
                                        row.getLong("todo"),
                                        row.getLong("snoozed"),
                                        row.getLong("saved"),
                                        row.getLong("done"),
                                        row.getLong("unread")))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
