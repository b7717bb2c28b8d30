package io.hiroba.platform.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The end of a server's life: from its beginning no new work is taken, and what would wait for ever is told to end. */
public final class Drain {

    private final List<Runnable> actions = new CopyOnWriteArrayList<>();
    private volatile boolean begun;

    Drain() {}

    /** Runs {@code action} when the server begins to stop; long-lived answers, such as event streams, end themselves so. */
    public void onBegin(Runnable action) {
        actions.add(action);
    }

    public boolean hasBegun() {
        return begun;
    }

    void begin() {
        begun = true;
        actions.forEach(Runnable::run);
    }
}
