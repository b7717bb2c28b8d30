package io.hiroba.platform.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkLoopTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MOMENT = Duration.ofMillis(5);

    @Test
    void aTaskAtAnIntervalSurvivesItsFailures() {
        var runs = new AtomicInteger();
        try (var loop = WorkLoop.every(MOMENT, "test", () -> {
            if (runs.incrementAndGet() < 3) {
                throw new IllegalStateException("on purpose");
            }
        })) {
            await().until(() -> runs.get() > 5);
            assertThat(loop).isNotNull();
        }
        int ended = runs.get();
        assertThat(runs).hasValue(ended);
    }

    @Test
    void workIsDoneUntilThereIsNoneAndAgainWhenSignalled() {
        var signal = new WakeSignal();
        var left = new AtomicInteger(10);
        try (var loop =
                WorkLoop.whenSignalled("test", 2, signal, HOUR, () -> left.getAndUpdate(n -> Math.max(0, n - 1)) > 0)) {
            await().until(() -> left.get() == 0);
            left.set(5);
            signal.raise();
            await().until(() -> left.get() == 0);
            assertThat(loop).isNotNull();
        }
    }

    @Test
    void whileSomeAreBusyAnyOtherPolls() {
        var polls = new AtomicInteger();
        var busy = new AtomicInteger();
        var goOn = new CountDownLatch(1);
        try (var loop = WorkLoop.whenSignalled("test", 3, new WakeSignal(), Duration.ofMillis(500), () -> {
            if (busy.incrementAndGet() <= 2) {
                goOn.await();
            } else {
                polls.incrementAndGet();
            }
            return false;
        })) {
            await().atMost(Duration.ofSeconds(4)).until(() -> polls.get() > 2);
            goOn.countDown();
            assertThat(loop).isNotNull();
        }
    }

    @Test
    void ofThoseThatWaitOnePolls() {
        var polls = new AtomicInteger();
        int threads = 20;
        try (var loop = WorkLoop.whenSignalled("test", threads, new WakeSignal(), Duration.ofMillis(200), () -> {
            polls.incrementAndGet();
            return false;
        })) {
            await().until(() -> polls.get() > threads + 2);
            assertThat(polls.get()).isLessThan(2 * threads);
            assertThat(loop).isNotNull();
        }
    }

    @Test
    void aSignalThatComesDuringARunIsNotLost() throws InterruptedException {
        var signal = new WakeSignal();
        var runs = new AtomicInteger();
        var inside = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (var loop = WorkLoop.whenSignalled("test", 1, signal, HOUR, () -> {
            if (runs.incrementAndGet() == 1) {
                inside.countDown();
                goOn.await();
            }
            return false;
        })) {
            inside.await();
            signal.raise();
            goOn.countDown();
            await().until(() -> runs.get() == 2);
            assertThat(loop).isNotNull();
        }
    }

    @Test
    void aDelayedSignalWakesEveryThreadAtTheEarliestTime() {
        var signal = new WakeSignal();
        var runs = new AtomicInteger();
        try (var loop = WorkLoop.whenSignalled("test", 2, signal, HOUR, () -> {
            runs.incrementAndGet();
            return false;
        })) {
            await().until(() -> runs.get() == 2);
            signal.raiseIn(MOMENT);
            signal.raiseIn(HOUR);
            await().until(() -> runs.get() == 4);
            assertThat(loop).isNotNull();
        }
    }

    @Test
    void aSignalIsRaisedAtEachTimeThatItIsAlsoDue() {
        var signal = new WakeSignal();
        signal.raiseAlsoIn(ChronoUnit.FOREVER.getDuration());
        signal.raiseAlsoIn(Duration.ofSeconds(1));
        signal.raiseIn(MOMENT.multipliedBy(2));
        signal.raiseAlsoIn(MOMENT);
        for (long raised = 0; raised < 2; raised++) {
            signal.await(raised, Duration.ofSeconds(20));
            assertThat(signal.count()).isGreaterThan(raised);
        }
        signal.await(2, MOMENT);
        signal.await(3, MOMENT);
        assertThat(signal.count()).as("not yet the far one").isBetween(2L, 3L);
    }

    @Test
    void oneThreadPollsAndWakesTheOthersIfItFindsWork() {
        var left = new AtomicInteger();
        var runs = new AtomicInteger();
        var most = new AtomicInteger();
        var atOnce = new AtomicInteger();
        try (var loop = WorkLoop.whenSignalled("test", 3, new WakeSignal(), MOMENT.multipliedBy(4), () -> {
            runs.incrementAndGet();
            if (left.getAndUpdate(n -> Math.max(0, n - 1)) == 0) {
                return false;
            }
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            Thread.sleep(20);
            atOnce.decrementAndGet();
            return true;
        })) {
            await().until(() -> runs.get() > 5);
            left.set(30);
            await().until(() -> left.get() == 0);
            assertThat(most.get()).isGreaterThan(1);
            assertThat(loop).isNotNull();
        }
    }

    @Test
    void noSignalCutsABackoffShort() {
        var signal = new WakeSignal();
        var runs = new AtomicInteger();
        try (var loop = WorkLoop.whenSignalled("test", 1, signal, HOUR, () -> {
            runs.incrementAndGet();
            throw new IllegalStateException("on purpose");
        })) {
            await().until(() -> runs.get() == 1);
            await().during(Duration.ofMillis(100)).until(() -> {
                signal.raise();
                return runs.get() == 1;
            });
            assertThat(loop).isNotNull();
        }
    }

    @Test
    void closingLetsARunFinish() throws InterruptedException {
        var inside = new CountDownLatch(1);
        var finished = new AtomicInteger();
        var loop = WorkLoop.whenSignalled("test", 1, new WakeSignal(), HOUR, () -> {
            inside.countDown();
            Thread.sleep(50);
            finished.incrementAndGet();
            return true;
        });
        inside.await();
        loop.close();
        int runs = finished.get();
        assertThat(runs).isPositive();
        assertThat(finished).hasValue(runs);
    }

    @Test
    void aSweepEndsWithTheFirstBatchThatIsNotFull() {
        var rows = new AtomicInteger(2_500);
        int deleted = RetentionSweep.run(batch -> {
            int some = Math.min(batch, rows.get());
            rows.addAndGet(-some);
            return some;
        });
        assertThat(deleted).isEqualTo(2_500);
        assertThat(rows).hasValue(0);
    }
}
