package io.hiroba.inbox;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;

/**
 * Finds the partition that a user's items lie in. A statement that reads one partition by its name is planned and
 * carried out like one of a table that has none; one that names them all has to open and lock them first. Changes name
 * them all the same, for the triggers that count.
 */
final class ItemPartitionStore {

    private static final int MAX_CACHED_USERS = 100_000;

    private final Cache<UserId, Integer> known =
            Caffeine.newBuilder().maximumSize(MAX_CACHED_USERS).build();

    /** It never changes, so the database is asked once. */
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
