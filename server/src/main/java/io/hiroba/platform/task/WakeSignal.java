package io.hiroba.platform.task;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Tells workers of this node that there may be work, so that they need not wait for their next look. */
public final class WakeSignal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private long count;

    public void raise() {
        lock.lock();
        try {
            count++;
            raised.signalAll();
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

    /** Waits until it has been raised more often than {@code seen}, at most for {@code most}. */
    public void await(long seen, Duration most) {
        lock.lock();
        try {
            long left = most.toNanos();
            while (count == seen && left > 0) {
                left = raised.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
