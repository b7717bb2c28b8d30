package io.hiroba.platform.live;

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
 * The listeners on this node by reader, and a thread that notifies them of what this node has changed. Notifications
 * are sent one at a time, since what was read earlier must not be sent later.
 */
public final class Listeners<K, L> implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    /** Reads what is new and sends it. */
    @FunctionalInterface
    public interface Teller<K> {

        /**
         * Notifies the listeners of these readers.
         *
         * @param readers at least one
         * @param changed those of them for whom something is known to have changed; again the next time if this fails
         */
        void tell(Set<K> readers, Set<K> changed);
    }

    private final String name;
    private final Teller<K> teller;
    private final Map<K, Set<L>> listeners = new ConcurrentHashMap<>();

    /** Readers with changes that have not been sent yet. */
    private final Set<K> changed = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean woken = new AtomicBoolean();
    private final ExecutorService waker;

    /** @param name for the thread and the log */
    public Listeners(String name, Teller<K> teller) {
        this.name = name;
        this.teller = teller;
        this.waker = Executors.newSingleThreadExecutor(
                Thread.ofVirtual().name(name + ", awake").factory());
    }

    /** Adds a listener, which is notified at once, until what is returned is run. */
    public Runnable add(K reader, L listener) {
        listeners.compute(reader, (key, own) -> {
            var more = own == null ? ConcurrentHashMap.<L>newKeySet() : own;
            more.add(listener);
            return more;
        });
        // Notified together with all others who connect now: after a restart everybody reconnects at once.
        changed(Set.of(reader));
        return () -> listeners.computeIfPresent(reader, (key, own) -> {
            own.remove(listener);
            return own.isEmpty() ? null : own;
        });
    }

    public Set<L> of(K reader) {
        return listeners.getOrDefault(reader, Set.of());
    }

    /** Notifies those of these readers who listen here of a change. Never blocks. */
    public void changed(Collection<K> readers) {
        boolean anybody = false;
        for (var reader : readers) {
            anybody |= listeners.containsKey(reader) && changed.add(reader);
        }
        if (anybody && woken.compareAndSet(false, true)) {
            try {
                waker.execute(this::tellChanged);
            } catch (RejectedExecutionException e) {
                log.debug("Nobody is told of {} any more: the node stops", name, e);
            }
        }
    }

    /** As {@link #changed}, for everybody, with the next notification. */
    public void allChanged() {
        changed.addAll(listeners.keySet());
    }

    /** Notifies every listener. */
    public void tellAll() {
        tell(Set.copyOf(listeners.keySet()));
    }

    private void tellChanged() {
        // Before looking: a change that comes meanwhile wakes again.
        woken.set(false);
        try {
            tell(Set.copyOf(changed));
        } catch (RuntimeException e) {
            log.warn("Those who listen to {} are told a moment later", name, e);
        }
    }

    private synchronized void tell(Set<K> readers) {
        if (readers.isEmpty()) {
            return;
        }
        var noted = new HashSet<>(changed);
        noted.retainAll(readers);
        changed.removeAll(noted);
        try {
            teller.tell(readers, noted);
        } catch (RuntimeException e) {
            changed.addAll(noted);
            throw e;
        }
    }

    @Override
    public void close() {
        waker.close();
    }
}
