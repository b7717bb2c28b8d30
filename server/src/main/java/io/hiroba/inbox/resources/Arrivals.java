package io.hiroba.inbox.resources;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;

/** Learns who turns out to have an account here. */
@FunctionalInterface
public interface Arrivals {

    void arrived(Tx tx, PersonId person, UserId user);
}
