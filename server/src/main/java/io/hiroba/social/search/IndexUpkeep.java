package io.hiroba.social.search;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.Background;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Indexes in the background what the event log does not speak of: posts from before there was an index, posts that came
 * in past the program, and all of them after the analysis has changed. Nodes share the work by locking rows.
 */
public final class IndexUpkeep implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final int STRETCH = 20_000;

    private final Db db;
    private final PostIndexer indexer;
    private final IndexStore store = new IndexStore();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Background background;
    /** Posts below this have not been looked through since this node started. */
    private long unseen = Long.MAX_VALUE;

    public IndexUpkeep(Db db, PostIndexer indexer) {
        this.db = db;
        this.indexer = indexer;
        this.background = Background.every(PAUSE, "search upkeep", this::run);
    }

    private void run() {
        noteMissing();
        boolean more = true;
        while (more && !closed.get()) {
            more = db.inTransaction(indexer::renew) > 0;
        }
    }

    private void noteMissing() {
        while (unseen > 0 && !closed.get()) {
            long below = unseen;
            var lowest = db.read(reads -> store.stretch(reads, below, STRETCH));
            lowest.ifPresent(from -> db.useTransaction(tx -> store.noteMissing(tx, from.value(), below)));
            unseen = lowest.isPresent() ? lowest.get().value() : 0;
        }
    }

    @Override
    public void close() {
        closed.set(true);
        background.close();
    }
}
