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

    private final List<Consumer<Set<Integer>>> listeners = new CopyOnWriteArrayList<>();

    public void listen(Consumer<Set<Integer>> listener) {
        listeners.add(listener);
    }

    /** Called after the commit that made the events visible. */
    public void raise(Set<Integer> partitions) {
        raiseLocally(partitions);
    }

    protected final void raiseLocally(Set<Integer> partitions) {
        listeners.forEach(listener -> listener.accept(partitions));
    }
}
