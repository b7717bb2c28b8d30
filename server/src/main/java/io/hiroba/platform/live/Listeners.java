package io.hiroba.platform.live;

import io.hiroba.platform.events.CommitSignal;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners on this node by reader, with a thread that publishes the changes of this node to them. Only one run
 * publishes at a time, so that no listener gets an older state after a newer one.
 */
public final class Listeners<K, L> implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    /** Reads the changes of readers and sends them to their listeners. */
    @FunctionalInterface
    public interface Publisher<K> {

        /**
         * Sends the listeners of {@code readers} what they have not got.
         *
         * @param readers at least one
         * @param changed those of them with a known change; passed again if this fails
         */
        void publish(Set<K> readers, Set<K> changed);
    }

    private final String name;
    private final Publisher<K> publisher;
    private final Map<K, Set<L>> listeners = new ConcurrentHashMap<>();

    /** Readers with changes that have not been sent yet. */
    private final Set<K> changed = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ExecutorService executor;

    /** @param name for the thread and the log */
    public Listeners(String name, Publisher<K> publisher) {
        this.name = name;
        this.publisher = publisher;
        this.executor = Executors.newSingleThreadExecutor(
                Thread.ofVirtual().name(name + " publisher").factory());
    }

    /** Adds a listener, which is notified at once; the returned action removes it. */
    public Runnable add(K reader, L listener) {
        listeners.compute(reader, (key, present) -> {
            var all = present == null ? ConcurrentHashMap.<L>newKeySet() : present;
            all.add(listener);
            return all;
        });
        // Notified together with all others who connect now: after a restart everybody reconnects at once.
        changed(Set.of(reader));
        return () -> listeners.computeIfPresent(reader, (key, present) -> {
            present.remove(listener);
            return present.isEmpty() ? null : present;
        });
    }

    public Set<L> of(K reader) {
        return listeners.getOrDefault(reader, Set.of());
    }

    /** Schedules a notification of those of {@code readers} who have listeners here. Never blocks. */
    public void changed(Collection<K> readers) {
        boolean added = false;
        for (var reader : readers) {
            added |= listeners.containsKey(reader) && changed.add(reader);
        }
        if (added && scheduled.compareAndSet(false, true)) {
            try {
                executor.execute(this::publishChanged);
            } catch (RejectedExecutionException e) {
                log.debug("{} are no longer published: the node stops", name, e);
            }
        }
    }

    /** Schedules a notification of those whom a {@link CommitSignal} names, or of all who have listeners here. Never blocks. */
    public void signalled(Set<String> keys, Function<String, K> parse) {
        changed(
                keys.contains(CommitSignal.ANY)
                        ? Set.copyOf(listeners.keySet())
                        : keys.stream().map(parse).toList());
    }

    /** Marks all readers as changed for the next run. */
    public void allChanged() {
        changed.addAll(listeners.keySet());
    }

    /** Publishes to every listener. */
    public void publishAll() {
        publish(Set.copyOf(listeners.keySet()));
    }

    private void publishChanged() {
        // Before reading: a change that comes meanwhile schedules another run.
        scheduled.set(false);
        try {
            publish(Set.copyOf(changed));
        } catch (RuntimeException e) {
            log.warn("{} could not be published and are retried", name, e);
        }
    }

    private synchronized void publish(Set<K> readers) {
        if (readers.isEmpty()) {
            return;
        }
        var pending = new HashSet<>(changed);
        pending.retainAll(readers);
        changed.removeAll(pending);
        try {
            publisher.publish(readers, pending);
        } catch (RuntimeException e) {
            changed.addAll(pending);
            throw e;
        }
    }

    @Override
    public void close() {
        executor.close();
    }
}
