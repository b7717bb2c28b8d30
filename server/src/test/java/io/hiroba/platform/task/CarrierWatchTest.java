package io.hiroba.platform.task;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class CarrierWatchTest {

    /** More than there are carriers in the tests. */
    private static final int THREADS = 24;

    private static final CountDownLatch released = new CountDownLatch(1);

    /** Whoever needs the class waits for its initialisation, and keeps the carrier meanwhile. */
    private static final class SlowClass {

        static final int VALUE = initialise();

        private static int initialise() {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return 1;
        }
    }

    @Test
    void threadsThatKeepEveryCarrierDoNotStopTheOneTheyWaitFor() {
        CarrierWatch.start();
        var done = new AtomicInteger();
        for (int i = 0; i < THREADS; i++) {
            Thread.startVirtualThread(() -> done.addAndGet(SlowClass.VALUE));
        }
        Thread.startVirtualThread(released::countDown);

        await().atMost(Duration.ofSeconds(30)).until(() -> done.get() == THREADS);
    }
}
