package io.hiroba.saga;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WorkLoop;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes sagas that ended long ago to files and deletes them, on every node, in batches: each is locked, written and
 * deleted in one transaction, so that what one node has in hand the others pass over, and what a crash leaves in the
 * tables is written again under the same name.
 */
final class SagaArchive {

    static final int BATCH_SIZE = 500;

    private static final Logger log = LoggerFactory.getLogger(SagaArchive.class);
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final Db db;
    private final Duration kept;
    private final SagaArchiveFolder folder;
    private final Runnable written;
    private final SagaArchiveStore store = new SagaArchiveStore();

    /** @param kept how long sagas that have ended stay in the tables, by the clock of the database */
    SagaArchive(Db db, Duration kept, Path folder) {
        this(db, kept, folder, () -> {});
    }

    /** @param written called when a file is durable and its sagas are not deleted yet */
    SagaArchive(Db db, Duration kept, Path folder, Runnable written) {
        this.db = db;
        this.kept = kept;
        this.folder = new SagaArchiveFolder(folder);
        this.written = written;
    }

    public WorkLoop start() {
        return WorkLoop.every(INTERVAL, "saga archive", this::sweep);
    }

    /** Archives all that is old enough; answers how many sagas that was. */
    int sweep() {
        int all = 0;
        int some;
        do {
            some = db.inTransaction(this::archive);
            all += some;
        } while (some > 0);
        if (all > 0) {
            log.info("{} sagas were archived", all);
        }
        return all;
    }

    private int archive(Tx tx) {
        // Not by the clock of this node, which may be years ahead: what is deleted by it is gone.
        var ids = store.lockOld(tx, store.now(tx).minus(kept), BATCH_SIZE);
        if (ids.isEmpty()) {
            return 0;
        }
        folder.write(ids, text -> store.read(tx, ids, text));
        written.run();
        return store.delete(tx, ids);
    }
}
