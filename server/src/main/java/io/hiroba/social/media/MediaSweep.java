package io.hiroba.social.media;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives up uploads that never ended and removes the files of deleted pictures, on every node, each its share. */
public final class MediaSweep {

    private static final Logger LOG = LoggerFactory.getLogger(MediaSweep.class);

    /** After this long an upload is taken for dead; the trigger on images counts on the same. */
    static final Duration DEAD = Duration.ofHours(1);

    /** A claim on a deletion; if it fails, it is tried again after this. */
    static final Duration CLAIM = Duration.ofMinutes(5);

    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int BATCH = 100;

    /** So many failures in a row are the storage's, not the files'. */
    private static final int MOST_FAILURES = 3;

    private final Db db;
    private final InstantSource clock;
    private final Storage storage;
    private final Uploads uploads;
    private final MediaStore store = new MediaStore();
    private final DeletionStore deletions = new DeletionStore();

    public MediaSweep(Db db, InstantSource clock, Storage storage, Uploads uploads) {
        this.db = db;
        this.clock = clock;
        this.storage = storage;
        this.uploads = uploads;
    }

    public WorkLoop start() {
        return WorkLoop.every(PAUSE, "pictures to remove", this::sweep);
    }

    void sweep() {
        var dead = clock.instant().minus(DEAD);
        uploads.sweep(dead);
        db.useTransaction(tx -> store.abandonOlder(tx, dead, BATCH));
        while (removeSome() == BATCH) {
            // There may be more.
        }
        storage.sweep(dead);
    }

    /** The files go outside any transaction: a slow storage must hold no lock. */
    private int removeSome() {
        var now = clock.instant();
        var claimed = db.inTransaction(tx -> deletions.claim(tx, now, now.plus(CLAIM), BATCH));
        int failures = 0;
        for (var deletion : claimed) {
            try {
                deletion.files().forEach(file -> storage.delete(file.key()));
                db.useTransaction(tx -> deletions.done(tx, deletion));
                failures = 0;
            } catch (StorageException e) {
                LOG.warn("The files of a deleted picture will be removed later", e);
                if (++failures == MOST_FAILURES) {
                    return 0;
                }
            }
        }
        return claimed.size();
    }
}
