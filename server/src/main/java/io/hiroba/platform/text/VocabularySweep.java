package io.hiroba.platform.text;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;

/**
 * Forgets terms that are in no text any more, a batch at a time from the first term to the last and again. Every node does it:
 * what one has checked costs another only the lookup.
 */
public final class VocabularySweep {

    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final int BATCH_SIZE = 1_000;

    private final Db db;
    private final VocabularyStore store;
    private String after = "";

    private VocabularySweep(Db db, VocabularyStore store) {
        this.db = db;
        this.store = store;
    }

    /** Works until the result is closed. */
    public static AutoCloseable start(Db db, VocabularyStore store) {
        return WorkLoop.every(INTERVAL, "vocabulary sweep", new VocabularySweep(db, store)::run);
    }

    private void run() {
        after = db.inTransaction(tx -> store.sweep(tx, after, BATCH_SIZE)).orElse("");
    }
}
