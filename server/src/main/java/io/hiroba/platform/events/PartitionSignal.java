package io.hiroba.platform.events;

import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A wake signal that names the partitions to look at; in the beginning all of them. What is signalled for a partition that a
 * worker has taken stays signalled until that worker has released it, so that it need not look twice.
 */
final class PartitionSignal {

    static final Set<Integer> ALL =
            IntStream.range(0, Partitions.COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private final WakeSignal wake = new WakeSignal();

    private final long pace;

    private long lastTaken;

    /** The times of {@link System#nanoTime} at which partitions are to be looked at. */
    private final Map<Integer, Long> due = new HashMap<>();

    private final Set<Integer> taken = new HashSet<>();

    /** {@code pace} passes between two times at which only a few partitions are taken, so that more share a batch. */
    PartitionSignal(Duration pace) {
        this.pace = pace.toNanos();
        this.lastTaken = System.nanoTime() - this.pace;
        raise(ALL);
    }

    WakeSignal wake() {
        return wake;
    }

    void raise(Collection<Integer> partitions) {
        add(partitions, Duration.ZERO);
        wake.raise();
    }

    /** As {@link #raise}, after {@code delay}, unless it is raised for them before that. */
    void raiseIn(Duration delay, Collection<Integer> partitions) {
        add(partitions, delay);
        wake.raiseIn(delay);
    }

    private synchronized void add(Collection<Integer> partitions, Duration delay) {
        long time = System.nanoTime() + delay.toNanos();
        for (var partition : partitions) {
            due.merge(partition, time, (before, now) -> before - now < 0 ? before : now);
        }
    }

    /**
     * Takes up to {@code max} partitions, those that are due for longest, and schedules the wake-up for the others; none if
     * they are fewer and it is too soon for them.
     */
    synchronized Set<Integer> take(int max) {
        long now = System.nanoTime();
        var partitions = due.entrySet().stream()
                .filter(entry -> entry.getValue() - now <= 0 && !taken.contains(entry.getKey()))
                .sorted(Comparator.comparingLong(entry -> entry.getValue() - now))
                .limit(max)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        if (partitions.isEmpty()) {
            scheduleWake(now);
            return partitions;
        }
        long wait = lastTaken + pace - now;
        if (partitions.size() < max && wait > 0) {
            wake.raiseIn(Duration.ofNanos(wait));
            return Set.of();
        }
        lastTaken = now;
        due.keySet().removeAll(partitions);
        taken.addAll(partitions);
        scheduleWake(now);
        return partitions;
    }

    /** Gives partitions back that were taken. */
    synchronized void release(Set<Integer> partitions) {
        taken.removeAll(partitions);
        scheduleWake(System.nanoTime());
    }

    private void scheduleWake(long now) {
        due.entrySet().stream()
                .filter(entry -> !taken.contains(entry.getKey()))
                .map(entry -> entry.getValue() - now)
                .min(Long::compare)
                .ifPresent(wait -> wake.raiseIn(Duration.ofNanos(wait)));
    }
}
