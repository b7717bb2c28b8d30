package io.hiroba.social.media;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.social.media.MediaStorage.MediaStorageException;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the rows of uploads that never ended and the files of deleted pictures. Nodes share the work. */
final class MediaSweep {

    private static final Logger LOG = LoggerFactory.getLogger(MediaSweep.class);

    /** How long an upload may take; the trigger on images counts on the same. */
    static final Duration UPLOAD_TIMEOUT = Duration.ofHours(1);

    /** How long a claim on a deletion lasts; one that fails is tried again afterwards. */
    static final Duration CLAIM_TIMEOUT = Duration.ofMinutes(5);

    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final int BATCH_SIZE = 100;

    /** After so many failures in a row the storage is taken to be unavailable. */
    private static final int MAX_FAILURES = 3;

    private final Db db;
    private final InstantSource clock;
    private final MediaStorage storage;
    private final MediaUploads uploads;
    private final MediaStore store = new MediaStore();

    MediaSweep(Db db, InstantSource clock, MediaStorage storage, MediaUploads uploads) {
        this.db = db;
        this.clock = clock;
        this.storage = storage;
        this.uploads = uploads;
    }

    WorkLoop start() {
        return WorkLoop.every(INTERVAL, "media sweep", this::sweep);
    }

    void sweep() {
        var dead = clock.instant().minus(UPLOAD_TIMEOUT);
        uploads.sweep(dead);
        db.useTransaction(tx -> store.abandonOlder(tx, dead, BATCH_SIZE));
        RetentionSweep.run(BATCH_SIZE, this::deleteFiles);
        storage.sweep(dead);
    }

    /** Deletes files outside any transaction: a slow storage must hold no lock. */
    private int deleteFiles(int limit) {
        var now = clock.instant();
        var claimed = db.inTransaction(tx -> store.claimDeletions(tx, now, now.plus(CLAIM_TIMEOUT), limit));
        int failures = 0;
        for (var deletion : claimed) {
            try {
                deletion.files().forEach(file -> storage.delete(file.key()));
                db.useTransaction(tx -> store.finishDeletion(tx, deletion));
                failures = 0;
            } catch (MediaStorageException e) {
                LOG.warn("The files of a deleted picture could not be deleted and will be tried again", e);
                if (++failures == MAX_FAILURES) {
                    return 0;
                }
            }
        }
        return claimed.size();
    }
}
