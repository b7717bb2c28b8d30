package io.hiroba.platform.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The drain phase of a stopping server. It is announced first, so that load balancers send no more requests; when it begins,
 * no new requests are accepted, and long-lived responses end.
 */
public final class Drain {

    private final List<Runnable> actions = new CopyOnWriteArrayList<>();
    private final Duration delay;
    private volatile boolean announced;

    /** @param delay between the announcement and the beginning */
    Drain(Duration delay) {
        this.delay = delay;
    }

    /** Runs {@code action} when the server begins to stop, so that long-lived responses, such as event streams, end. */
    public void onBegin(Runnable action) {
        actions.add(action);
    }

    public boolean isAnnounced() {
        return announced;
    }

    /** Makes the node not ready, and returns when others had time to notice. */
    public void announce() {
        announced = true;
        try {
            Thread.sleep(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void begin() {
        announced = true;
        actions.forEach(Runnable::run);
    }
}
