package io.hiroba.bench.chaos.knowledge;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The calls that the service received. */
final class Calls {

    private final Map<String, Integer> tries = new HashMap<>();
    private final Map<Manner, Integer> manners = new EnumMap<>(Manner.class);

    synchronized void taken(List<String> texts, Manner manner) {
        manners.merge(manner, 1, Integer::sum);
        // To be asked to wait costs no text anything.
        if (manner != Manner.LIMITED) {
            texts.forEach(text -> tries.merge(text, 1, Integer::sum));
        }
    }

    /** How many calls held {@code text} and may have cost it a retry. */
    synchronized int tries(String text) {
        return tries.getOrDefault(text, 0);
    }

    @Override
    public synchronized String toString() {
        return "calls " + manners;
    }
}
