package io.hiroba.social.search;

import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Indexes posts that have no events: those from before the index existed, and all posts after the analysis has changed.
 * Nodes share the work by locking rows.
 *
 * <p>Missing entries are searched for once for each version of the analysis, because that reads all posts.
 * To repeat it after an import, delete the row of {@code social.search_backfills} and start a node.
 */
final class PostIndexBackfill {

    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final int RANGE_SIZE = 20_000;

    private final Db db;
    private final PostIndexer indexer;
    private final PostIndexStore store = new PostIndexStore();
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Posts below this id have not been checked by this node. */
    private long unchecked = Long.MAX_VALUE;

    PostIndexBackfill(Db db, PostIndexer indexer) {
        this.db = db;
        this.indexer = indexer;
    }

    /** Works until {@code resources} are closed, and ends between two batches. */
    void start(ResourceStack resources) {
        resources.add(WorkLoop.every(INTERVAL, "post index backfill", this::run));
        resources.add(() -> closed.set(true));
    }

    private void run() {
        insertMissing();
        boolean more = true;
        while (more && !closed.get()) {
            more = db.inTransaction(indexer::reindex) > 0;
        }
    }

    private void insertMissing() {
        if (unchecked == 0 || db.read(store::isBackfilled)) {
            unchecked = 0;
            return;
        }
        while (unchecked > 0 && !closed.get()) {
            long below = unchecked;
            var lowest = db.read(reads -> store.lowestOfRange(reads, below, RANGE_SIZE));
            lowest.ifPresent(from -> db.useTransaction(tx -> store.insertMissing(tx, from.value(), below)));
            unchecked = lowest.isPresent() ? lowest.get().value() : 0;
        }
        if (unchecked == 0) {
            db.useTransaction(store::finishBackfill);
        }
    }
}
