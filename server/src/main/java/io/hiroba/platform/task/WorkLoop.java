package io.hiroba.platform.task;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Background work that repeats until it is closed: at an interval, or whenever a signal says that there may be some. A run
 * that fails is logged and tried again, after a wait that doubles up to five seconds where the work is not done at an interval.
 */
public final class WorkLoop implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WorkLoop.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);

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
     * Does {@code work} as long as there is any, and then looks again when {@code signal} is raised or {@code poll} has passed.
     *
     * @param threads how many do it side by side
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
        while (!closing) {
            long seen = signal.count();
            var wait = interval;
            long begun = System.nanoTime();
            try {
                boolean more = work.run();
                failures = 0;
                if (more) {
                    continue;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable e) { // an Error too: nobody would start the loop again
                log.warn("{} failed and will be tried again", name, e);
                wait = backoff(++failures);
            } finally {
                timer.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            }
            if (!closing) {
                signal.await(seen, wait);
            }
        }
    }

    private Duration backoff(int failures) {
        var wait = interval.multipliedBy(1L << Math.min(failures - 1, 10));
        return wait.compareTo(maxBackoff) < 0 ? wait : maxBackoff;
    }

    /** Takes no new work; what is under way goes on. */
    public void stop() {
        closing = true;
        signal.raise();
    }

    /** Lets runs under way finish. Interrupting them would close the sockets they are reading from. */
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
