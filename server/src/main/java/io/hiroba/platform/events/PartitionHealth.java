package io.hiroba.platform.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Keeps a poison event from blocking other partitions: those of a failed batch are retried one by one, and one that fails
 * alone waits longer each time. No event is ever skipped.
 */
final class PartitionHealth {

    private static final Duration MAX_BACKOFF = Duration.ofMinutes(1);

    private record Suspect(int failures, Instant notBefore) {}

    /** A claim to try: the candidate partitions, and whether to claim one of them only because its last batch failed. */
    record Attempt(Set<Integer> partitions, boolean alone) {}

    private final Map<Integer, Suspect> suspects = new HashMap<>();

    synchronized Attempt select(Set<Integer> candidates, Instant now) {
        var healthy = new LinkedHashSet<>(candidates);
        healthy.removeAll(suspects.keySet());
        var due = new LinkedHashSet<Integer>();
        suspects.forEach((partition, suspect) -> {
            if (candidates.contains(partition) && !suspect.notBefore().isAfter(now)) {
                due.add(partition);
            }
        });
        return due.isEmpty() ? new Attempt(healthy, false) : new Attempt(due, true);
    }

    synchronized void succeeded(Collection<Integer> partitions) {
        partitions.forEach(suspects::remove);
    }

    /** Postpones suspects that could not be claimed: another worker handles them, or has. */
    synchronized void postpone(Collection<Integer> partitions, Instant until) {
        partitions.forEach(partition ->
                suspects.computeIfPresent(partition, (key, suspect) -> new Suspect(suspect.failures(), until)));
    }

    /**
     * The pause before {@code partitions} are retried: none if there are several, to find the failing one.
     *
     * @param passing the cause was none of the events, and does not make the pause longer
     */
    synchronized Duration failed(Collection<Integer> partitions, Instant now, boolean passing) {
        var pause = Duration.ZERO;
        for (int partition : partitions) {
            var before = suspects.get(partition);
            int earlier = before == null ? 0 : before.failures();
            int failures = partitions.size() > 1 ? 0 : passing ? Math.max(1, earlier) : earlier + 1;
            pause = failures == 0 ? Duration.ZERO : Duration.ofMillis(500L << Math.min(failures, 10));
            pause = pause.compareTo(MAX_BACKOFF) > 0 ? MAX_BACKOFF : pause;
            suspects.put(partition, new Suspect(failures, now.plus(pause)));
        }
        return pause;
    }
}
