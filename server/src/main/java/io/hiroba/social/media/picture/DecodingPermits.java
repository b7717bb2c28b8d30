package io.hiroba.social.media.picture;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits how many pictures are decoded at once, and to one for each user, so that nobody takes all permits. Callers
 * that wait too long are refused.
 */
final class DecodingPermits {

    private final int atOnce;
    private final Duration timeout;
    private final Semaphore free;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition userLeft = lock.newCondition();
    private final Set<String> users = new HashSet<>();

    DecodingPermits(int atOnce, Duration timeout) {
        this.atOnce = atOnce;
        this.timeout = timeout;
        this.free = new Semaphore(atOnce, true);
    }

    /** The work that needs a permit. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** Runs {@code work} while nothing else runs for the user. It takes no permit by itself. */
    <T> T forUser(String user, Work<T> work) throws IOException {
        try {
            enter(user);
        } catch (InterruptedException e) {
            throw interrupted();
        }
        try {
            return work.run();
        } finally {
            leave(user);
        }
    }

    private void enter(String user) throws InterruptedException {
        lock.lock();
        try {
            long left = timeout.toNanos();
            while (!users.add(user)) {
                if (left <= 0) {
                    throw PictureProblem.busy();
                }
                left = userLeft.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void leave(String user) {
        lock.lock();
        try {
            users.remove(user);
            userLeft.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code work} with one permit. */
    <T> T withOne(Work<T> work) throws IOException {
        return with(1, work);
    }

    /** Runs {@code work} with all permits. */
    <T> T withAll(Work<T> work) throws IOException {
        return with(atOnce, work);
    }

    private <T> T with(int places, Work<T> work) throws IOException {
        try {
            if (!free.tryAcquire(places, timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw PictureProblem.busy();
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
        try {
            return work.run();
        } finally {
            free.release(places);
        }
    }

    private static PictureProblem interrupted() {
        Thread.currentThread().interrupt();
        return PictureProblem.busy();
    }
}
