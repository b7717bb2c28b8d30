package io.hiroba.saga.call;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The requests on this node that wait for tasks. One is woken for a new task, and wakes the next if it got any: a hundred that wait
 * do not all look.
 */
final class TaskWaiters {

    private final Map<String, Deque<CountDownLatch>> waiting = new HashMap<>();
    private boolean closed;

    /** Begins to wait; before the look that may find nothing, so that no task is missed in between. */
    synchronized CountDownLatch join(String service) {
        var waiter = new CountDownLatch(1);
        if (closed) {
            waiter.countDown();
        } else {
            waiting.computeIfAbsent(service, name -> new ArrayDeque<>()).add(waiter);
        }
        return waiter;
    }

    /** Waits without a lock and without a connection; whether it was woken. */
    static boolean await(CountDownLatch waiter, Duration timeout) throws InterruptedException {
        return waiter.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Stops waiting. The next is woken with {@code wakesNext}: if there may be more tasks, or if one was woken that does not look again.
     * One that looks again wakes nobody, or those that find nothing would wake each other for ever.
     */
    synchronized void leave(String service, CountDownLatch waiter, boolean wakesNext) {
        var others = waiting.get(service);
        if (others != null) {
            others.remove(waiter);
            if (others.isEmpty()) {
                waiting.remove(service);
            }
        }
        if (wakesNext) {
            wake(service);
        }
    }

    synchronized void wake(String service) {
        var others = waiting.get(service);
        var first = others == null ? null : others.poll();
        if (first != null) {
            first.countDown();
        }
    }

    synchronized Set<String> services() {
        return Set.copyOf(waiting.keySet());
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Ends all waits, now and from now on. */
    synchronized void close() {
        closed = true;
        waiting.values().forEach(each -> each.forEach(waiter -> waiter.countDown()));
        waiting.clear();
    }
}
