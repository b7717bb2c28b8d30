package io.hiroba.bench.chaos.agents;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The decisions about what agents asked for that servers have confirmed, and the approvals that were decided twice. */
final class Decisions {

    private final Map<String, Boolean> approved = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    synchronized void confirm(String approval, boolean isApproved) {
        if (approved.putIfAbsent(approval, isApproved) != null) {
            violations.add("approval %s was decided twice".formatted(approval));
        }
    }

    /** Whether each was approved, by its id. */
    synchronized Map<String, Boolean> approved() {
        return Map.copyOf(approved);
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    @Override
    public synchronized String toString() {
        long yes = approved.values().stream().filter(each -> each).count();
        return "%,d changes approved, %,d rejected".formatted(yes, approved.size() - yes);
    }
}
