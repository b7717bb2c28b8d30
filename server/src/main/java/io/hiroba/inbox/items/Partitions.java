package io.hiroba.inbox.items;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.db.Reads;

/**
 * Where somebody's items lie. A statement that reads one partition by its name is planned and carried out like one of a
 * table that has none; one that names all 32 has to open and lock them first. Changes name them all the same, for the
 * triggers that count.
 */
final class Partitions {

    private static final int MOST_REMEMBERED = 100_000;

    private final Cache<UserId, Integer> known =
            Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

    /** It never changes, so the database is asked once. */
    int of(Reads reads, UserId user) {
        return known.get(
                user,
                one -> reads.query("""
                        SELECT partition
                        FROM generate_series(0, 31) AS partition
                        WHERE satisfies_hash_partition('inbox.notifications'::regclass, 32, partition, :user)
                        """)
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
