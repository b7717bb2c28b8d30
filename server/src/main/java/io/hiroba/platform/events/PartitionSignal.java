package io.hiroba.platform.events;

import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A wake signal that names the partitions with new events; when a poll is due it names all of them. What is signalled for
 * a partition that a worker has taken stays signalled until that worker has released it, so that it need not look twice.
 */
final class PartitionSignal {

    private static final Set<Integer> ALL =
            IntStream.range(0, Partitions.COUNT).boxed().collect(Collectors.toUnmodifiableSet());
    private static final Duration DELAY = Duration.ofMillis(10);

    private final Duration poll;
    private final WakeSignal wake = new WakeSignal();
    private final Set<Integer> signalled = new HashSet<>();
    private final Set<Integer> postponed = new HashSet<>();
    private final Set<Integer> taken = new HashSet<>();
    private long postponedUntil;
    private long nextPoll = System.nanoTime();

    PartitionSignal(Duration poll) {
        this.poll = poll;
    }

    WakeSignal wake() {
        return wake;
    }

    void raise(Set<Integer> partitions) {
        synchronized (this) {
            signalled.addAll(partitions);
        }
        wake.raise();
    }

    /** As {@link #raise}, after a short delay. */
    void raiseSoon(Set<Integer> partitions) {
        synchronized (this) {
            if (postponed.isEmpty()) {
                postponedUntil = System.nanoTime() + DELAY.toNanos();
            }
            postponed.addAll(partitions);
        }
        wake.raiseIn(DELAY);
    }

    /** Partitions to look at; those of a poll are all there are, and other workers may look at them too. */
    record Taken(Set<Integer> partitions, boolean isPoll) {}

    /** Takes the partitions signalled since the last call, or all when a poll is due, and schedules the next wake-up. */
    synchronized Taken take() {
        long now = System.nanoTime();
        if (!postponed.isEmpty() && postponedUntil - now <= 0) {
            signalled.addAll(postponed);
            postponed.clear();
        }
        boolean isPoll = nextPoll - now <= 0;
        var partitions = isPoll ? ALL : free();
        if (isPoll) {
            nextPoll = now + poll.toNanos();
            postponed.clear();
            signalled.clear();
        } else {
            signalled.removeAll(partitions);
            taken.addAll(partitions);
        }
        long wait = postponed.isEmpty() ? nextPoll - now : Math.min(nextPoll - now, postponedUntil - now);
        wake.raiseIn(Duration.ofNanos(wait));
        return new Taken(partitions, isPoll);
    }

    private Set<Integer> free() {
        var free = new HashSet<>(signalled);
        free.removeAll(taken);
        return free;
    }

    /** Gives partitions back that were taken by their signal. */
    void release(Taken released) {
        boolean signalledAgain;
        synchronized (this) {
            if (released.isPoll()) {
                return;
            }
            taken.removeAll(released.partitions());
            signalledAgain = released.partitions().stream().anyMatch(signalled::contains);
        }
        if (signalledAgain) {
            wake.raise();
        }
    }
}
