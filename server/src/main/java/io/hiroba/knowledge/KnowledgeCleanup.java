package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.RetentionSweep;

/** Deletes the knowledge of an account that is deleted, in small transactions, but for what its collections' next owners take over. */
final class KnowledgeCleanup {

    private static final int BATCH_SIZE = 500;

    private final Db db;
    private final CollectionSuccessions successions;
    private final KnowledgeCleanupStore store = new KnowledgeCleanupStore();

    KnowledgeCleanup(Db db, CollectionSuccessions successions) {
        this.db = db;
        this.successions = successions;
    }

    /**
     * Deletes the rows of {@code user}; may be repeated. Those that create more go first: rules, watches, then sessions.
     *
     * @param caller who deletes the account
     * @return the number of deleted sources
     */
    int delete(Caller caller, UserId user) {
        successions.handOver(caller, user);
        db.useTransaction(tx -> store.deleteRules(tx, user));
        db.useTransaction(tx -> store.deleteWatches(tx, user));
        sweep(user, store::deleteCollections);
        sweep(user, store::deleteMessages);
        sweep(user, store::deleteSessions);
        sweep(user, store::deleteConversations);
        sweep(user, store::deleteChunks);
        int sources = sweep(user, store::deleteSources);
        sweep(user, store::deleteDeadLetters);
        return sources;
    }

    private int sweep(UserId user, KnowledgeCleanupStore.Deletion deletion) {
        return RetentionSweep.run(BATCH_SIZE, limit -> db.inTransaction(tx -> deletion.delete(tx, user, limit)));
    }
}
