package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.RetentionSweep;

/** Deletes the inbox of an account that is being deleted, in small transactions. */
public final class InboxAccountCleanup {

    private static final int BATCH_SIZE = 500;

    private final Db db;
    private final InboxAccountCleanupStore store = new InboxAccountCleanupStore();

    public InboxAccountCleanup(Db db) {
        this.db = db;
    }

    /**
     * Deletes the data of {@code user}; may be repeated. The claims are deleted first, so that no new items arrive.
     *
     * @return the number of deleted items
     */
    public int delete(UserId user) {
        db.useTransaction(tx -> store.deleteIdentities(tx, user));
        RetentionSweep.run(BATCH_SIZE, limit -> db.inTransaction(tx -> store.deleteKeys(tx, user, limit)));
        RetentionSweep.run(BATCH_SIZE, limit -> db.inTransaction(tx -> store.clearAuthor(tx, user, limit)));
        return RetentionSweep.run(BATCH_SIZE, limit -> db.inTransaction(tx -> store.deleteItems(tx, user, limit)));
    }
}
