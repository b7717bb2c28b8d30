package io.hiroba.platform.events;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Wakes workers for partitions that were signalled, or for all of them when a poll is due. */
final class PartitionSignal {

    private static final Set<Integer> ALL =
            IntStream.range(0, Partitions.COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private static final Duration DELAY = Duration.ofMillis(10);

    private final Duration poll;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private final Set<Integer> signalled = new HashSet<>();
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
            signalled.addAll(partitions);
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
                postponedUntil = System.nanoTime() + DELAY.toNanos();
            }
            postponed.addAll(partitions);
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The partitions worth a look: those signalled since the last call, or all when a poll is due. */
    Set<Integer> await() throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                long left = nextPoll - System.nanoTime();
                if (left <= 0 || ended) {
                    nextPoll = System.nanoTime() + poll.toNanos();
                    signalled.clear();
                    postponed.clear();
                    return ALL;
                }
                if (!postponed.isEmpty()) {
                    long leftPostponed = postponedUntil - System.nanoTime();
                    if (leftPostponed <= 0) {
                        signalled.addAll(postponed);
                        postponed.clear();
                    }
                    left = Math.min(left, Math.max(leftPostponed, 1));
                }
                if (!signalled.isEmpty()) {
                    var partitions = Set.copyOf(signalled);
                    signalled.clear();
                    return partitions;
                }
                raised.await(left, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for about a poll, whatever is signalled. */
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
