package io.hiroba.inbox.live;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.items.Counts;
import io.hiroba.platform.db.Reads;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** How inboxes stand, in the database: read from the tallies alone, a few rows a reader. */
final class StandingStore {

    /** How those of the readers stand who have ever had an item. */
    Map<UserId, Standing> of(Reads reads, Collection<UserId> readers) {
        return reads
                .query("""
                        SELECT user_id, sum(version) AS version,
                               coalesce(sum(items) FILTER (WHERE state = 0), 0) AS todo,
                               coalesce(sum(items) FILTER (WHERE state = 1), 0) AS snoozed,
                               sum(saved) AS saved,
                               coalesce(sum(items) FILTER (WHERE state = 2), 0) AS done,
                               coalesce(sum(unread) FILTER (WHERE state = 0), 0) AS unread
                        FROM inbox.tallies
                        WHERE user_id = ANY (:readers)
                        GROUP BY user_id
                        """)
                .bindArray("readers", Long.class, (Object[])
                        readers.stream().map(UserId::value).toArray(Long[]::new))
                .map(row -> new SimpleImmutableEntry<>(
                        new UserId(row.getLong("user_id")),
                        new Standing(
                                row.getLong("version"),
                                new Counts(
                                        row.getLong("todo"),
                                        row.getLong("snoozed"),
                                        row.getLong("saved"),
                                        row.getLong("done"),
                                        row.getLong("unread")))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
