package io.hiroba.accounts;

import io.hiroba.platform.db.Reads;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Who is an admin now, for features whose callers stay longer than a request. */
public final class Admins {

    public List<UserId> all(Reads reads) {
        return reads.query("SELECT id FROM accounts.users WHERE is_admin ORDER BY id")
                .map(row -> new UserId(row.getLong("id")))
                .list();
    }

    public Set<UserId> among(Reads reads, Collection<UserId> users) {
        return reads.query("SELECT id FROM accounts.users WHERE id = ANY (:users) AND is_admin")
                .bindArray(
                        "users", Long.class, users.stream().map(UserId::value).toArray())
                .map(row -> new UserId(row.getLong("id")))
                .set();
    }
}
