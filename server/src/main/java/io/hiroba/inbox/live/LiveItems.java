package io.hiroba.inbox.live;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.Background;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells those who listen on this node how their inboxes stand: at once after what this node has changed, and within a
 * second after what others have, by one statement for all readers together and none while nobody listens.
 */
public final class LiveItems implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LiveItems.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Db db;
    private final StandingStore store = new StandingStore();
    private final Map<UserId, Set<PageListener>> listeners = new ConcurrentHashMap<>();

    /** Whose items this node has changed, and who has not been told yet. */
    private final Set<UserId> changed = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean woken = new AtomicBoolean();
    private final ExecutorService waker = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("live inbox, awake").factory());
    private final Background watch;

    public LiveItems(Db db) {
        this(db, PERIOD);
    }

    LiveItems(Db db, Duration period) {
        this.db = db;
        this.watch = Background.every(period, "live inbox", this::look);
    }

    /** Items of these readers have changed: whoever of them listens here is told. Never waits. */
    public void changed(Collection<UserId> readers) {
        boolean anybody = false;
        for (var reader : readers) {
            anybody |= listeners.containsKey(reader) && changed.add(reader);
        }
        if (anybody && woken.compareAndSet(false, true)) {
            try {
                waker.execute(this::tellChanged);
            } catch (RejectedExecutionException e) {
                log.debug("Nobody is told any more: the node stops", e);
            }
        }
    }

    /** Tells {@code listener} how its reader's inbox stands and whenever that changes, until what is returned is run. */
    Runnable listen(PageListener listener) {
        listeners.compute(listener.reader(), (reader, own) -> {
            var more = own == null ? ConcurrentHashMap.<PageListener>newKeySet() : own;
            more.add(listener);
            return more;
        });
        // Read with all others who come in this moment: after a restart everybody comes back at once.
        changed(Set.of(listener.reader()));
        return () -> remove(listener);
    }

    void look() {
        tell(Set.copyOf(listeners.keySet()));
    }

    private void tellChanged() {
        // Before looking: a change that comes meanwhile wakes again.
        woken.set(false);
        try {
            tell(Set.copyOf(changed));
        } catch (RuntimeException e) {
            log.warn("Readers are told of their inbox a second later", e);
        }
    }

    /** One at a time, since what was read earlier must not be told later. */
    private synchronized void tell(Set<UserId> readers) {
        if (readers.isEmpty()) {
            return;
        }
        var noted = new HashSet<>(changed);
        noted.retainAll(readers);
        changed.removeAll(noted);
        try {
            var standings = db.read(reads -> store.of(reads, readers));
            for (var reader : readers) {
                var standing = standings.getOrDefault(reader, Standing.EMPTY);
                for (var listener : listeners.getOrDefault(reader, Set.of())) {
                    if (noted.contains(reader)) {
                        listener.tell(standing);
                    } else {
                        listener.offer(standing);
                    }
                }
            }
        } catch (RuntimeException e) {
            changed.addAll(noted);
            throw e;
        }
    }

    private void remove(PageListener listener) {
        listeners.computeIfPresent(listener.reader(), (reader, own) -> {
            own.remove(listener);
            return own.isEmpty() ? null : own;
        });
    }

    @Override
    public void close() {
        watch.close();
        waker.close();
    }
}
