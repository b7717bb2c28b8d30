package io.hiroba.platform.task;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Wakes workers of this node when there may be work, at once or at a set time, before their next poll is due. */
public final class WakeSignal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private long count;

    /** The time of {@link System#nanoTime} at which it is raised by itself. */
    private @Nullable Long due;

    public void raise() {
        lock.lock();
        try {
            count++;
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Raises it after {@code delay}, unless it is due before that. */
    public void raiseIn(Duration delay) {
        lock.lock();
        try {
            long time = System.nanoTime() + delay.toNanos();
            if (due == null || time - due < 0) {
                due = time;
                raised.signalAll();
            }
        } finally {
            lock.unlock();
        }
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
                if (due != null && due - now <= 0) {
                    due = null;
                    count++;
                    raised.signalAll();
                } else if (end - now <= 0) {
                    return;
                } else {
                    raised.awaitNanos(due == null ? end - now : Math.min(end - now, due - now));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
