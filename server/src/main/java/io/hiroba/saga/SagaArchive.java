package io.hiroba.saga;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WorkLoop;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archives sagas that ended long ago to files and deletes them, on every node. Each batch is locked, written and deleted in
 * one transaction: other nodes skip it, and after a crash it is written again under the same name.
 */
final class SagaArchive {

    static final int BATCH_SIZE = 500;

    private static final Logger log = LoggerFactory.getLogger(SagaArchive.class);
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final Db db;
    private final Duration retention;
    private final SagaArchiveFolder folder;
    private final Runnable written;
    private final SagaArchiveStore store = new SagaArchiveStore();

    /** @param retention how long ended sagas stay in the tables, by the clock of the database */
    SagaArchive(Db db, Duration retention, Path folder) {
        this(db, retention, folder, () -> {});
    }

    /** @param written called when a file is durable and its sagas are not deleted yet */
    SagaArchive(Db db, Duration retention, Path folder, Runnable written) {
        this.db = db;
        this.retention = retention;
        this.folder = new SagaArchiveFolder(folder);
        this.written = written;
    }

    public WorkLoop start() {
        return WorkLoop.every(INTERVAL, "saga archive", this::sweep);
    }

    /** Archives all sagas past the retention; returns how many. */
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
        // By the clock of the database: that of this node may be years ahead, and a deletion is final.
        var ids = store.lockOld(tx, store.now(tx).minus(retention), BATCH_SIZE);
        if (ids.isEmpty()) {
            return 0;
        }
        folder.write(ids, text -> store.read(tx, ids, text));
        written.run();
        return store.delete(tx, ids);
    }
}
