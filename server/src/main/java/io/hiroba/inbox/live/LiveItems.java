package io.hiroba.inbox.live;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.live.Listeners;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/**
 * Tells those who listen on this node how their inboxes stand: at once after what this node has changed, and within a
 * second after what others have, by one statement for all readers together and none while nobody listens.
 */
public final class LiveItems implements AutoCloseable {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Db db;
    private final StandingStore store = new StandingStore();
    private final Listeners<UserId, PageListener> audience = new Listeners<>("inboxes", this::tell);
    private final WorkLoop watch;

    public LiveItems(Db db) {
        this(db, PERIOD);
    }

    LiveItems(Db db, Duration period) {
        this.db = db;
        this.watch = WorkLoop.every(period, "live inbox", this::look);
    }

    /** Items of these readers have changed: whoever of them listens here is told. Never waits. */
    public void changed(Collection<UserId> readers) {
        audience.changed(readers);
    }

    /** Tells {@code listener} how its reader's inbox stands and whenever that changes, until what is returned is run. */
    Runnable listen(PageListener listener) {
        return audience.add(listener.reader(), listener);
    }

    void look() {
        audience.tellAll();
    }

    private void tell(Set<UserId> readers, Set<UserId> changed) {
        var standings = db.read(reads -> store.of(reads, readers));
        for (var reader : readers) {
            var standing = standings.getOrDefault(reader, Standing.EMPTY);
            for (var listener : audience.of(reader)) {
                if (changed.contains(reader)) {
                    listener.tell(standing);
                } else {
                    listener.offer(standing);
                }
            }
        }
    }

    @Override
    public void close() {
        watch.close();
        audience.close();
    }
}
