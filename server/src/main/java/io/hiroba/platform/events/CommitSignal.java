package io.hiroba.platform.events;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Signals the consumers of this node that partitions have new events. It only saves them the wait for their next poll: a
 * lost signal loses no event.
 */
public class CommitSignal {

    /**
     * Events that were appended.
     *
     * @param types their types; none if they are not known
     */
    public record Appended(Set<Integer> partitions, Set<String> types) {}

    private final List<Consumer<Appended>> listeners = new CopyOnWriteArrayList<>();

    public void listen(Consumer<Appended> listener) {
        listeners.add(listener);
    }

    /** Called after the commit that made the events visible. */
    public void raise(Appended appended) {
        raiseLocally(appended);
    }

    protected final void raiseLocally(Appended appended) {
        listeners.forEach(listener -> listener.accept(appended));
    }
}
