package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;

/** Takes away all knowledge of somebody who leaves, in small transactions. */
public final class Departure {

    private static final int ROWS_AT_ONCE = 500;

    private final Db db;
    private final DepartureStore store = new DepartureStore();

    public Departure(Db db) {
        this.db = db;
    }

    /**
     * Deletes what is {@code user}'s, and may be repeated. What would make more of it goes first: rules, then sessions.
     *
     * @return how many sources there were
     */
    public int delete(UserId user) {
        db.useTransaction(tx -> store.deleteRules(tx, user));
        while (some(user, store::deleteMessages) > 0) {}
        while (some(user, store::deleteSessions) > 0) {}
        while (some(user, store::deleteChunks) > 0) {}
        int sources = 0;
        for (int some = some(user, store::deleteSources); some > 0; some = some(user, store::deleteSources)) {
            sources += some;
        }
        while (some(user, store::deleteDeadLetters) > 0) {}
        return sources;
    }

    private int some(UserId user, DepartureStore.Deletion deletion) {
        return db.inTransaction(tx -> deletion.delete(tx, user, ROWS_AT_ONCE));
    }
}
