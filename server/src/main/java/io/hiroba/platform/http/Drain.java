package io.hiroba.platform.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The drain phase of a stopping server: no new requests are accepted, and long-lived responses end. */
public final class Drain {

    private final List<Runnable> actions = new CopyOnWriteArrayList<>();
    private volatile boolean begun;

    Drain() {}

    /** Runs {@code action} when the server begins to stop, so that long-lived responses, such as event streams, end. */
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
