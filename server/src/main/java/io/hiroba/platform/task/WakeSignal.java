package io.hiroba.platform.task;

import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes workers of this node when there may be work, at once or at a set time, before their next poll is due. */
public final class WakeSignal {

    private static final Duration MAX_DELAY = Duration.ofDays(365);
    private static final int GRID_BITS = 7;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private long count;

    /** The times of {@link System#nanoTime} at which it is raised by itself. */
    private final TreeSet<Long> due = new TreeSet<>((one, other) -> Long.signum(one - other));

    public void raise() {
        lock.lock();
        try {
            count++;
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Raises it after {@code delay}, unless it is due before that, when this time is forgotten: for work that looks each time when the
     * next is due.
     */
    public void raiseIn(Duration delay) {
        lock.lock();
        try {
            long time = System.nanoTime() + nanos(delay);
            if (due.isEmpty() || time - due.first() < 0) {
                due.add(time);
                raised.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Raises it after {@code delay}, give or take a hundredth, whatever else it is due for: for one thing to be tried again. */
    public void raiseAlsoIn(Duration delay) {
        lock.lock();
        try {
            long nanos = nanos(delay);
            // The times lie on a grid, finer for near ones, so that they stay few however many are asked for.
            long grid = Math.max(1, Long.highestOneBit(nanos) >> GRID_BITS);
            long time = System.nanoTime() + nanos;
            time += Math.floorMod(-time, grid);
            if (due.add(time) && time == due.first()) {
                raised.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private static long nanos(Duration delay) {
        return delay.compareTo(MAX_DELAY) > 0 ? MAX_DELAY.toNanos() : Math.max(0, delay.toNanos());
    }

    /** How often it has been raised. */
    public long count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it has been raised more often than {@code seen}, at most for {@code timeout}. */
    public void await(long seen, Duration timeout) {
        lock.lock();
        try {
            long end = System.nanoTime() + timeout.toNanos();
            while (count == seen) {
                long now = System.nanoTime();
                if (!due.isEmpty() && due.first() - now <= 0) {
                    due.headSet(now, true).clear();
                    count++;
                    raised.signalAll();
                } else if (end - now <= 0) {
                    return;
                } else {
                    raised.awaitNanos(due.isEmpty() ? end - now : Math.min(end - now, due.first() - now));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
