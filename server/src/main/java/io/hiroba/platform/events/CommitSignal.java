package io.hiroba.platform.events;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Tells waiting workers that partitions have new events. It only saves them the wait for their next poll: a signal that
 * gets lost loses no event.
 */
public class CommitSignal {

    private final List<Consumer<Set<Integer>>> listeners = new CopyOnWriteArrayList<>();

    public void listen(Consumer<Set<Integer>> listener) {
        listeners.add(listener);
    }

    /** Called after the commit that made the events visible. */
    public void raise(Set<Integer> partitions) {
        raiseHere(partitions);
    }

    protected final void raiseHere(Set<Integer> partitions) {
        listeners.forEach(listener -> listener.accept(partitions));
    }
}
