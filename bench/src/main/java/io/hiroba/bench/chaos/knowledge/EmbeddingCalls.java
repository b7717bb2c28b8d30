package io.hiroba.bench.chaos.knowledge;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the calls that the service received. */
final class EmbeddingCalls {

    private final Map<String, Integer> attempts = new HashMap<>();
    private final Map<EmbeddingBehaviour, Integer> behaviours = new EnumMap<>(EmbeddingBehaviour.class);

    synchronized void record(List<String> texts, EmbeddingBehaviour behaviour) {
        behaviours.merge(behaviour, 1, Integer::sum);
        // A rate limit does not count as a retry.
        if (behaviour != EmbeddingBehaviour.LIMITED) {
            texts.forEach(text -> attempts.merge(text, 1, Integer::sum));
        }
    }

    /** The number of calls that may have counted as a retry of {@code text}. */
    synchronized int attempts(String text) {
        return attempts.getOrDefault(text, 0);
    }

    @Override
    public synchronized String toString() {
        return "calls " + behaviours;
    }
}
