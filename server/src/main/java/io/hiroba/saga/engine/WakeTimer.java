package io.hiroba.saga.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes one waiting thread, at once or at a set time. */
final class WakeTimer {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean rung;
    private long at = Long.MAX_VALUE;

    void ring() {
        lock.lock();
        try {
            rung = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void ringIn(Duration delay) {
        lock.lock();
        try {
            at = Math.min(at, System.nanoTime() + delay.toNanos());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when it rings, and after {@code longest} at the latest. */
    void await(Duration longest) throws InterruptedException {
        lock.lock();
        try {
            long end = System.nanoTime() + longest.toNanos();
            while (!rung) {
                long wait = Math.min(end, at) - System.nanoTime();
                if (wait <= 0) {
                    break;
                }
                changed.await(wait, TimeUnit.NANOSECONDS);
            }
            rung = false;
            if (at - System.nanoTime() <= 0) {
                at = Long.MAX_VALUE;
            }
        } finally {
            lock.unlock();
        }
    }
}
