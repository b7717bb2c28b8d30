package io.hiroba.saga.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes one waiting thread, at once or at a set time. */
final class WakeTimer {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;
    private long at = Long.MAX_VALUE;

    void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void wakeIn(Duration delay) {
        lock.lock();
        try {
            at = Math.min(at, System.nanoTime() + delay.toNanos());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when it is woken, and after {@code max} at the latest. */
    void await(Duration max) throws InterruptedException {
        lock.lock();
        try {
            long end = System.nanoTime() + max.toNanos();
            while (!woken) {
                long wait = Math.min(end, at) - System.nanoTime();
                if (wait <= 0) {
                    break;
                }
                changed.await(wait, TimeUnit.NANOSECONDS);
            }
            woken = false;
            if (at - System.nanoTime() <= 0) {
                at = Long.MAX_VALUE;
            }
        } finally {
            lock.unlock();
        }
    }
}
