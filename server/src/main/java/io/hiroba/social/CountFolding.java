package io.hiroba.social;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;

/**
 * Adds up the differences that concurrent acts left beside a counter. Counts are exact without it; it keeps them cheap
 * to read.
 */
public final class CountFolding implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int MOST = 500;

    private final Db db;
    private final WorkLoop background;

    public CountFolding(Db db) {
        this.db = db;
        this.background = WorkLoop.every(PAUSE, "count folding", this::fold);
    }

    private void fold() {
        int folded;
        do {
            folded = db.inTransaction(tx -> tx.query("SELECT social.fold_counts(:most)")
                    .bind("most", MOST)
                    .mapTo(Integer.class)
                    .one());
        } while (folded >= MOST);
    }

    @Override
    public void close() {
        background.close();
    }
}
