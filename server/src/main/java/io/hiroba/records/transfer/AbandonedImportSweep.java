package io.hiroba.records.transfer;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.List;

/** Cancels imports that were not started for a week, and deletes their files. */
final class AbandonedImportSweep {

    private static final Duration ABANDONED_AFTER = Duration.ofDays(7);
    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final int BATCH_SIZE = 10;

    private final Db db;
    private final ImportStore store = new ImportStore();
    private final ImportContentStore content = new ImportContentStore();

    AbandonedImportSweep(Db db) {
        this.db = db;
    }

    public WorkLoop start() {
        return WorkLoop.every(INTERVAL, "abandoned imports", this::sweep);
    }

    int sweep() {
        int all = 0;
        int some;
        do {
            some = db.inTransaction(tx -> store.abandon(tx, ABANDONED_AFTER, BATCH_SIZE))
                    .size();
            all += some;
        } while (some == BATCH_SIZE);
        deleteLeftovers();
        return all;
    }

    /** Deletes the files of cancelled imports, and of those whose node died before it had deleted the file. */
    private void deleteLeftovers() {
        List<ImportId> some;
        do {
            some = db.read(reads -> content.leftOver(reads, BATCH_SIZE));
            some.forEach(id -> content.remove(db, id));
        } while (some.size() == BATCH_SIZE);
    }
}
