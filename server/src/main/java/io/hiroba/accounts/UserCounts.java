package io.hiroba.accounts;

import java.util.Collection;
import java.util.Map;

/** Counts what users write and whom they follow, for all users of a page at once: a port, since another feature knows. */
@FunctionalInterface
public interface UserCounts {

    /** The counts of a server on which nobody posts or follows. */
    UserCounts NONE = users -> Map.of();

    Map<UserId, Counts> of(Collection<UserId> users);

    /** The counts of one user. */
    record Counts(int posts, int followers, int followees) {

        public static final Counts ZERO = new Counts(0, 0, 0);
    }
}
