package io.hiroba.platform.events;

import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A wake signal that names the partitions with new events; when a poll is due it names all of them. */
final class PartitionSignal {

    private static final Set<Integer> ALL =
            IntStream.range(0, Partitions.COUNT).boxed().collect(Collectors.toUnmodifiableSet());
    private static final Duration DELAY = Duration.ofMillis(10);

    private final Duration poll;
    private final WakeSignal wake = new WakeSignal();
    private final Set<Integer> signalled = new HashSet<>();
    private final Set<Integer> postponed = new HashSet<>();
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

    /** Takes the partitions signalled since the last call, or all when a poll is due, and schedules the next wake-up. */
    synchronized Set<Integer> take() {
        long now = System.nanoTime();
        if (!postponed.isEmpty() && postponedUntil - now <= 0) {
            signalled.addAll(postponed);
            postponed.clear();
        }
        var taken = Set.copyOf(signalled);
        signalled.clear();
        if (nextPoll - now <= 0) {
            nextPoll = now + poll.toNanos();
            postponed.clear();
            taken = ALL;
        }
        long wait = postponed.isEmpty() ? nextPoll - now : Math.min(nextPoll - now, postponedUntil - now);
        wake.raiseIn(Duration.ofNanos(wait));
        return taken;
    }
}
