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
 * Lets a few things be done at once, of each user's one after another, so that nobody takes all the room with many. Who
 * waits for too long is refused.
 */
final class Turns {

    private final int atOnce;
    private final Duration patience;
    private final Semaphore free;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition someoneLeft = lock.newCondition();
    private final Set<String> users = new HashSet<>();

    Turns(int atOnce, Duration patience) {
        this.atOnce = atOnce;
        this.patience = patience;
        this.free = new Semaphore(atOnce, true);
    }

    /** What is to be done in turn. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** Does {@code work} while nothing else is done for the user. It takes no room by itself. */
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
            long left = patience.toNanos();
            while (!users.add(user)) {
                if (left <= 0) {
                    throw PictureProblem.busy();
                }
                left = someoneLeft.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void leave(String user) {
        lock.lock();
        try {
            users.remove(user);
            someoneLeft.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Does {@code work} beside others. */
    <T> T besideOthers(Work<T> work) throws IOException {
        return taking(1, work);
    }

    /** Does {@code work} while nothing else is done. */
    <T> T alone(Work<T> work) throws IOException {
        return taking(atOnce, work);
    }

    private <T> T taking(int places, Work<T> work) throws IOException {
        try {
            if (!free.tryAcquire(places, patience.toMillis(), TimeUnit.MILLISECONDS)) {
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
