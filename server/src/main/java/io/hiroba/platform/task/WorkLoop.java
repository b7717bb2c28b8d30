package io.hiroba.platform.task;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop on a thread of its own that runs a task, waits, and runs it again until it is closed. */
public final class WorkLoop implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WorkLoop.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String name;
    private final Runnable task;
    private final Duration pause;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);

    private WorkLoop(String name, Runnable task, Duration pause) {
        this.name = name;
        this.task = task;
        this.pause = pause;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::loop);
    }

    /** Runs {@code task} now and then again {@code pause} after each end. A failure is logged, not fatal. */
    public static WorkLoop every(Duration pause, String name, Runnable task) {
        var background = new WorkLoop(name, task, pause);
        background.thread.start();
        return background;
    }

    private void loop() {
        try {
            do {
                try {
                    task.run();
                } catch (Throwable e) { // an Error too: nobody would start the loop again
                    log.warn("{} failed and will be tried again", name, e);
                }
            } while (!closing.await(pause.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets a run under way finish, then ends the loop. Interrupting it would close the socket it is reading from. */
    @Override
    public void close() {
        closing.countDown();
        try {
            if (!thread.join(PATIENCE)) {
                log.warn("{} did not stop within {}", name, PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
