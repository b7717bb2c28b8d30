package io.hiroba.platform.task;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Background work that repeats until it is closed: at an interval, or whenever a signal is raised. A run that fails is logged
 * and retried after a backoff that no signal cuts short; it doubles, up to the interval, and for work on a signal up to five
 * seconds.
 */
public final class WorkLoop implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WorkLoop.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(500);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);

    /** The poll of work that is signalled: for signals of a node that died, and for times that only it knew. */
    public static final Duration FALLBACK_POLL = Duration.ofSeconds(30);

    /** Claims work and does it; false when there is none for now. */
    @FunctionalInterface
    public interface Work {
        boolean run() throws InterruptedException;
    }

    private final String name;
    private final Work work;
    private final WakeSignal signal;
    private final Duration interval;
    private final Duration maxBackoff;
    private final Timer timer;
    private final List<Thread> threads;

    /** The {@link System#nanoTime} at which one of the threads that wait looks, whatever the others are busy with. */
    private final AtomicLong nextPoll = new AtomicLong();

    private volatile boolean closing;

    private WorkLoop(String name, int threads, WakeSignal signal, Duration interval, Duration maxBackoff, Work work) {
        this.name = name;
        this.work = work;
        this.signal = signal;
        this.interval = interval;
        this.maxBackoff = maxBackoff;
        this.timer = Timer.builder("hiroba.loop")
                .description("Runs of background work on this node")
                .tag("loop", name)
                .register(Metrics.globalRegistry);
        this.threads = IntStream.range(0, threads)
                .mapToObj(n -> Thread.ofVirtual()
                        .name(threads == 1 ? name : name + " " + n)
                        .unstarted(this::loop))
                .toList();
    }

    /** Runs {@code task} now and then again {@code interval} after each end. */
    public static WorkLoop every(Duration interval, String name, Runnable task) {
        return new WorkLoop(name, 1, new WakeSignal(), interval, interval, () -> {
                    task.run();
                    return false;
                })
                .started();
    }

    /**
     * Runs {@code work} until it finds none, and again when {@code signal} is raised or {@code poll} has passed.
     *
     * @param threads the number of threads that run it concurrently; one that waits polls, and wakes the others if it finds work
     */
    public static WorkLoop whenSignalled(String name, int threads, WakeSignal signal, Duration poll, Work work) {
        return new WorkLoop(name, threads, signal, poll, MAX_BACKOFF, work).started();
    }

    private WorkLoop started() {
        threads.forEach(Thread::start);
        return this;
    }

    private void loop() {
        int failures = 0;
        boolean polled = false;
        while (true) {
            long seen = signal.count(); // before closing is read, or the signal of a stop in between is taken as seen
            if (closing) {
                return;
            }
            boolean more = false;
            long begun = System.nanoTime();
            try {
                more = work.run();
                failures = 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable e) { // an Error too: nobody would start the loop again
                log.warn("{} failed and will be tried again", name, e);
                failures++;
            } finally {
                timer.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
            if (failures > 0) {
                pause(backoff(failures));
            } else if (more) {
                if (polled && threads.size() > 1) {
                    signal.raise();
                }
                polled = false;
            } else {
                polled = await(seen);
            }
        }
    }

    /** Waits for the signal, or until a poll is due: true for the one thread that has the poll. */
    private boolean await(long seen) {
        nextPoll.set(System.nanoTime() + interval.toNanos());
        while (signal.count() == seen) {
            long due = nextPoll.get();
            long left = due - System.nanoTime();
            if (left > 0) {
                signal.await(seen, Duration.ofNanos(left));
            } else if (nextPoll.compareAndSet(due, System.nanoTime() + interval.toNanos())) {
                return true;
            }
        }
        return false;
    }

    /** Waits whatever is signalled, unless the loop is stopped. */
    private void pause(Duration wait) {
        long end = System.nanoTime() + wait.toNanos();
        for (long left = wait.toNanos(); left > 0; left = end - System.nanoTime()) {
            long seen = signal.count();
            if (closing) {
                return;
            }
            signal.await(seen, Duration.ofNanos(left));
        }
    }

    private Duration backoff(int failures) {
        var first = interval.compareTo(FIRST_BACKOFF) < 0 ? interval : FIRST_BACKOFF;
        var wait = first.multipliedBy(1L << Math.min(failures - 1, 10));
        return wait.compareTo(maxBackoff) < 0 ? wait : maxBackoff;
    }

    /** Starts no further run; running ones go on. */
    public void stop() {
        closing = true;
        signal.raise();
    }

    /** Lets running work finish. Interrupting it would close the sockets it reads from. */
    @Override
    public void close() {
        stop();
        for (var thread : threads) {
            try {
                if (!thread.join(STOP_TIMEOUT)) {
                    log.warn("{} did not stop within {}", thread.getName(), STOP_TIMEOUT);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
