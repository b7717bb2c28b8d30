package io.hiroba.accounts;

import io.hiroba.platform.db.Reads;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Queries for the current admins, for features whose callers stay longer than a request. */
public final class Admins {

    private final UserStore store = new UserStore();

    public List<UserId> all(Reads reads) {
        return store.admins(reads);
    }

    public Set<UserId> among(Reads reads, Collection<UserId> users) {
        return store.adminsAmong(reads, users);
    }
}
