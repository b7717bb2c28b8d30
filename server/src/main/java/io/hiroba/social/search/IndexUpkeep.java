package io.hiroba.social.search;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Indexes in the background what the event log does not speak of: posts from before there was an index, and all of them
 * after the analysis has changed. Nodes share the work by locking rows.
 *
 * <p>Posts that came in past the program are looked for once for each version of the analysis, because it takes reading
 * all posts. Whoever brings in some later deletes the row of {@code social.search_surveys}, and starts a node.
 */
public final class IndexUpkeep implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final int STRETCH = 20_000;

    private final Db db;
    private final PostIndexer indexer;
    private final IndexStore store = new IndexStore();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final WorkLoop background;
    /** Posts below this have not been looked through by this node. */
    private long unseen = Long.MAX_VALUE;

    public IndexUpkeep(Db db, PostIndexer indexer) {
        this.db = db;
        this.indexer = indexer;
        this.background = WorkLoop.every(PAUSE, "search upkeep", this::run);
    }

    private void run() {
        noteMissing();
        boolean more = true;
        while (more && !closed.get()) {
            more = db.inTransaction(indexer::renew) > 0;
        }
    }

    private void noteMissing() {
        if (unseen == 0 || db.read(store::surveyed)) {
            unseen = 0;
            return;
        }
        while (unseen > 0 && !closed.get()) {
            long below = unseen;
            var lowest = db.read(reads -> store.stretch(reads, below, STRETCH));
            lowest.ifPresent(from -> db.useTransaction(tx -> store.noteMissing(tx, from.value(), below)));
            unseen = lowest.isPresent() ? lowest.get().value() : 0;
        }
        if (unseen == 0) {
            db.useTransaction(store::noteSurvey);
        }
    }

    @Override
    public void close() {
        closed.set(true);
        background.close();
    }
}
