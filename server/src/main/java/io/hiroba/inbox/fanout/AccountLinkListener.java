package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;

/** A listener to links between people and accounts. */
@FunctionalInterface
interface AccountLinkListener {

    void accountLinked(Tx tx, PersonId person, UserId user);
}
