package io.hiroba.inbox.people;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;

/** Takes away the inbox of somebody who leaves, in small transactions. */
public final class Farewell {

    private static final int AT_ONCE = 500;

    private final Db db;
    private final FarewellStore store = new FarewellStore();

    public Farewell(Db db) {
        this.db = db;
    }

    /**
     * Deletes what is {@code user}'s, and may be repeated. The names by which they would be known go first, so that
     * nothing more comes.
     *
     * @return how many items there were
     */
    public int delete(UserId user) {
        db.useTransaction(tx -> store.forget(tx, user));
        while (db.inTransaction(tx -> store.deleteKeys(tx, user, AT_ONCE)) > 0) {}
        while (db.inTransaction(tx -> store.leaveItemsOfOthers(tx, user, AT_ONCE)) > 0) {}
        int items = 0;
        int some;
        do {
            some = db.inTransaction(tx -> store.deleteItems(tx, user, AT_ONCE));
            items += some;
        } while (some > 0);
        return items;
    }
}
