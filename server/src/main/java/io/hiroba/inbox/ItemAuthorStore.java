package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import java.util.List;
import java.util.stream.Stream;

/** Resolves the author of a filter to accounts and people. */
final class ItemAuthorStore {

    /** The accounts and people whom a filter by author matches. */
    record Authors(List<Long> users, List<Long> people) {}

    private static final int MAX_NAMESAKES = 100;

    Authors byId(Reads reads, UserId user) {
        return new Authors(List.of(user.value()), people(reads, List.of(user.value())));
    }

    /** By user name at any connection or by nickname here, ignoring case. */
    Authors byName(Reads reads, String name) {
        var named = reads.query("""
                        SELECT p.id, p.user_id
                        FROM inbox.connections c
                        JOIN inbox.people p ON p.connection_id = c.id AND lower(p.username) = lower(:name)
                        LIMIT :limit
                        """)
                .bind("name", name)
                .bind("limit", MAX_NAMESAKES)
                .map(row -> new Long[] {row.getLong("id"), row.getObject("user_id", Long.class)})
                .list();
        var nicknamed = reads.query(
                        "SELECT id FROM accounts.user_card WHERE lower(nickname) = lower(:name) LIMIT :limit")
                .bind("name", name)
                .bind("limit", MAX_NAMESAKES)
                .mapTo(Long.class)
                .list();
        var users = Stream.concat(named.stream().map(pair -> pair[1]).filter(user -> user != null), nicknamed.stream())
                .distinct()
                .toList();
        var people = Stream.concat(named.stream().map(pair -> pair[0]), people(reads, users).stream())
                .distinct()
                .toList();
        return new Authors(users, people);
    }

    private static List<Long> people(Reads reads, List<Long> users) {
        return reads.query("SELECT id FROM inbox.people WHERE user_id = ANY (:users)")
                .bindArray("users", Long.class, users)
                .mapTo(Long.class)
                .list();
    }
}
