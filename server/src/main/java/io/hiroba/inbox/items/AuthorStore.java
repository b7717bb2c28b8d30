package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import java.util.List;
import java.util.stream.Stream;

/** Who is meant by the text of a filter. */
final class AuthorStore {

    /** More namesakes than these are not looked for. */
    private static final int MOST = 100;

    Authors byId(Reads reads, UserId user) {
        return new Authors(List.of(user.value()), people(reads, List.of(user.value())));
    }

    /** By their name at any connection, or by their nickname here; the case of letters makes no difference. */
    Authors byName(Reads reads, String name) {
        var named = reads.query("""
                        SELECT p.id, p.user_id
                        FROM inbox.connections c
                        JOIN inbox.people p ON p.connection_id = c.id AND lower(p.username) = lower(:name)
                        LIMIT :most
                        """)
                .bind("name", name)
                .bind("most", MOST)
                .map(row -> new Long[] {row.getLong("id"), row.getObject("user_id", Long.class)})
                .list();
        var nicknamed = reads.query(
                        "SELECT id FROM accounts.user_card WHERE lower(nickname) = lower(:name) LIMIT :most")
                .bind("name", name)
                .bind("most", MOST)
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
