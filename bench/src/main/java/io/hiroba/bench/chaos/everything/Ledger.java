package io.hiroba.bench.chaos.everything;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The entries that servers have acknowledged. */
final class Ledger {

    private final Map<LedgerKind, Set<String>> acknowledged = new ConcurrentHashMap<>();
    private final Collection<String> refused = new ConcurrentLinkedQueue<>();

    void acknowledge(LedgerKind kind, String mark) {
        acknowledged
                .computeIfAbsent(kind, first -> ConcurrentHashMap.newKeySet())
                .add(mark);
    }

    /** An entry that was not taken, though nothing is wrong with it. */
    void refuse(LedgerKind kind, String entry, String why) {
        refused.add("%s: %s was refused: %s".formatted(kind, entry, why));
    }

    int size(LedgerKind kind) {
        return acknowledged.getOrDefault(kind, Set.of()).size();
    }

    /** What is lost, there twice or, unless it may be repeated, there without having been acknowledged. */
    List<String> differences(LedgerKind kind, List<String> found) {
        var counts = new HashMap<String, Integer>();
        found.forEach(mark -> counts.merge(mark, 1, Integer::sum));
        var differences = new ArrayList<String>();
        for (var mark : acknowledged.getOrDefault(kind, Set.of())) {
            int count = counts.getOrDefault(mark, 0);
            if (count != 1) {
                differences.add("%s: %s was acknowledged and is there %d times".formatted(kind, mark, count));
            }
            counts.remove(mark);
        }
        if (kind.mayBeRepeated()) {
            return differences;
        }
        counts.keySet()
                .forEach(mark -> differences.add("%s: %s is there and was never acknowledged".formatted(kind, mark)));
        return differences;
    }

    List<String> refused() {
        return List.copyOf(refused);
    }
}
