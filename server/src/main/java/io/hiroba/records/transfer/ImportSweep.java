package io.hiroba.records.transfer;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.Background;
import java.time.Duration;

/** Gives up imports whose files nobody has gone on with for a week, and the room that they take. */
public final class ImportSweep {

    private static final Duration PATIENCE = Duration.ofDays(7);
    private static final Duration PAUSE = Duration.ofHours(1);
    private static final int BATCH = 10;

    private final Db db;
    private final ImportStore store = new ImportStore();
    private final ContentStore content = new ContentStore();

    public ImportSweep(Db db) {
        this.db = db;
    }

    public Background start() {
        return Background.every(PAUSE, "abandoned imports", this::sweep);
    }

    int sweep() {
        int all = 0;
        int some;
        do {
            some = db.inTransaction(tx -> {
                var abandoned = store.abandon(tx, PATIENCE, BATCH);
                abandoned.forEach(id -> content.delete(tx, id));
                return abandoned.size();
            });
            all += some;
        } while (some == BATCH);
        return all;
    }
}
