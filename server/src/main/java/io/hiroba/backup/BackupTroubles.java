package io.hiroba.backup;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;

/**
 * Tells through the event log when something is wrong with the backups and when it is no more, each once: what is wrong is kept
 * in the database, in the transaction of its event.
 */
final class BackupTroubles {

    private static final long NOBODY = 0;

    /** A kind of trouble, with the types of the events at its beginning and its end. */
    enum Trouble {
        LATE("backup-late", "backup-in-time"),
        UNVERIFIED("backup-verification-failed", "backup-verified");

        private final String begun;
        private final String ended;

        Trouble(String begun, String ended) {
            this.begun = begun;
            this.ended = ended;
        }
    }

    private final Db db;
    private final EventLog events;
    private final InstantSource clock;
    private final BackupTroubleStore store = new BackupTroubleStore();
    private final Map<Trouble, Boolean> told = new EnumMap<>(Trouble.class);

    BackupTroubles(Db db, EventLog events, InstantSource clock) {
        this.db = db;
        this.events = events;
        this.clock = clock;
    }

    synchronized void set(Trouble trouble, boolean isThere) {
        if (told.getOrDefault(trouble, !isThere) == isThere) {
            return;
        }
        db.useTransaction(tx -> {
            boolean changed = isThere ? store.begin(tx, trouble.begun, clock.instant()) : store.end(tx, trouble.begun);
            if (changed) {
                events.append(tx, NewEvent.of(NOBODY, isThere ? trouble.begun : trouble.ended));
            }
        });
        told.put(trouble, isThere);
    }

    boolean isThere(Trouble trouble) {
        return db.read(store::list).contains(trouble.begun);
    }
}
