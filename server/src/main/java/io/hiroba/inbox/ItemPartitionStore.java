package io.hiroba.inbox;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;

/**
 * Finds the partition of a user's items. A statement that reads one partition by name is planned like one on a plain
 * table, while one on the partitioned table has to open and lock all partitions. Writes go to the partitioned table, whose
 * triggers keep the tallies.
 */
final class ItemPartitionStore {

    private static final int MAX_CACHED_USERS = 100_000;

    private final Cache<UserId, Integer> known =
            Caffeine.newBuilder().maximumSize(MAX_CACHED_USERS).build();

    /** Cached, since it never changes. */
    int of(Reads reads, UserId user) {
        return known.get(
                user,
                one -> reads.query("SELECT inbox.partition_of(:user)")
                        .bind("user", one.value())
                        .mapTo(Integer.class)
                        .one());
    }

    static String items(int partition) {
        return "inbox.notifications_" + partition;
    }

    static String links(ResourceType type, int partition) {
        return type.links() + "_" + partition;
    }
}
