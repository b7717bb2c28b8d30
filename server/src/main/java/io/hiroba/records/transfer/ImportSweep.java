package io.hiroba.records.transfer;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.List;

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

    public WorkLoop start() {
        return WorkLoop.every(PAUSE, "abandoned imports", this::sweep);
    }

    int sweep() {
        int all = 0;
        int some;
        do {
            some = db.inTransaction(tx -> store.abandon(tx, PATIENCE, BATCH)).size();
            all += some;
        } while (some == BATCH);
        removeLeftOver();
        return all;
    }

    /** Of those that were given up just now, and those whose node died before it had removed all of the file. */
    private void removeLeftOver() {
        List<ImportId> some;
        do {
            some = db.read(reads -> content.leftOver(reads, BATCH));
            some.forEach(id -> content.remove(db, id));
        } while (some.size() == BATCH);
    }
}
