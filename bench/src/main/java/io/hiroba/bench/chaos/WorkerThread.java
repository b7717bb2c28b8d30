package io.hiroba.bench.chaos;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A thread whose failure is rethrown by {@link #join}: a run whose workload died proves nothing. */
public final class WorkerThread {

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Thread thread;

    public WorkerThread(String name, Runnable work) {
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
