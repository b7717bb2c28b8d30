package io.hiroba.platform.events;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Where workers wait: for a ring that names partitions, or for the next poll of all of them. */
final class PartitionSignal {

    private static final Set<Integer> ALL =
            IntStream.range(0, Partitions.COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private static final Duration MOMENT = Duration.ofMillis(10);

    private final Duration poll;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private final Set<Integer> rung = new HashSet<>();
    private final Set<Integer> postponed = new HashSet<>();
    private long postponedUntil;
    private long nextPoll = System.nanoTime();
    private boolean ended;

    PartitionSignal(Duration poll) {
        this.poll = poll;
    }

    void raise(Set<Integer> partitions) {
        lock.lock();
        try {
            rung.addAll(partitions);
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #raise}, in a moment. */
    void raiseSoon(Set<Integer> partitions) {
        lock.lock();
        try {
            if (postponed.isEmpty()) {
                postponedUntil = System.nanoTime() + MOMENT.toNanos();
            }
            postponed.addAll(partitions);
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The partitions worth a look: those rung for since the last call, or all when a poll is due. */
    Set<Integer> await() throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                long left = nextPoll - System.nanoTime();
                if (left <= 0 || ended) {
                    nextPoll = System.nanoTime() + poll.toNanos();
                    rung.clear();
                    postponed.clear();
                    return ALL;
                }
                if (!postponed.isEmpty()) {
                    long leftPostponed = postponedUntil - System.nanoTime();
                    if (leftPostponed <= 0) {
                        rung.addAll(postponed);
                        postponed.clear();
                    }
                    left = Math.min(left, Math.max(leftPostponed, 1));
                }
                if (!rung.isEmpty()) {
                    var partitions = Set.copyOf(rung);
                    rung.clear();
                    return partitions;
                }
                raised.await(left, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for about a poll, whatever rings. */
    void pause() {
        lock.lock();
        try {
            long until = System.nanoTime() + poll.toNanos();
            while (!ended && until - System.nanoTime() > 0) {
                raised.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            ended = true;
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
