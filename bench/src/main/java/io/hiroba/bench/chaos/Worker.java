package io.hiroba.bench.chaos;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A thread whose failure is the failure of whoever waits for it: a run that nobody drives proves nothing. */
public final class Worker {

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Thread thread;

    public Worker(String name, Runnable work) {
        thread = Thread.ofPlatform()
                .name(name)
                .uncaughtExceptionHandler((dead, cause) -> failure.set(cause))
                .start(work);
    }

    public void join() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException(thread.getName() + " failed", cause);
        }
    }
}
