package io.hiroba.platform.task;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives virtual threads more carriers while none of them gets to run. A virtual thread that loads a class keeps its carrier while
 * it waits for a lock, and the lock may be due to one that has no carrier: with as few carriers as a small machine has cores, all
 * of them can end up waiting for ever. As many as would always be enough cost a fifth more CPU a request.
 */
public final class CarrierWatch {

    private static final Logger log = LoggerFactory.getLogger(CarrierWatch.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int MAX_CARRIERS = 128;

    /** For so many rounds all must be well before the additional carriers go. */
    private static final int CALM_ROUNDS = 60;

    private static final int NUDGES = 8;

    private final VirtualThreadSchedulerMXBean scheduler =
            ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    private final int usual = scheduler.getParallelism();
    private int calm;

    private CarrierWatch() {}

    /** Watches for as long as the process lives. */
    public static void start() {
        var watch = new CarrierWatch();
        Thread.ofPlatform().daemon().name("carrier-watch").start(watch::run);
    }

    private void run() {
        try {
            while (true) {
                if (isStuck()) {
                    calm = 0;
                    add();
                } else {
                    calm++;
                    if (calm == CALM_ROUNDS) {
                        scheduler.setParallelism(usual);
                    }
                    Thread.sleep(PATIENCE);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isStuck() throws InterruptedException {
        var ran = new CountDownLatch(1);
        Thread.startVirtualThread(ran::countDown);
        return !ran.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void add() {
        int now = scheduler.getParallelism();
        int more = Math.min(MAX_CARRIERS, 2 * now);
        if (more > now) {
            log.warn("No virtual thread has run for a second: from {} carriers to {}", now, more);
            scheduler.setParallelism(more);
        }
        // The scheduler starts a carrier for what comes into an empty queue, and threads have queues of their own.
        for (int i = 0; i < NUDGES; i++) {
            Thread.ofPlatform().start(() -> Thread.startVirtualThread(() -> {}));
        }
    }
}
