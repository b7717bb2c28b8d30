package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.SagaStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * All sagas of a run, held against what the service did and what people were told.
 *
 * @param ended how many ended how; those that are stuck by plan are not among them
 * @param remaining effects that the service had but did not tell of until the orchestrator gave up asking
 */
record Findings(Map<SagaStatus, Integer> ended, int stuck, int remaining, List<Difference> differences) {

    /** A saga that is not what it must be. */
    record Difference(String saga, List<String> what, List<String> evidence) {

        @Override
        public String toString() {
            return saga + "\n" + String.join("\n", what).indent(4)
                    + String.join("\n", evidence).indent(8);
        }
    }

    static Findings of(List<Story> stories, Map<Long, Asked> asked, Ledger ledger, long seed) {
        var ended = new EnumMap<SagaStatus, Integer>(SagaStatus.class);
        var differences = new ArrayList<Difference>();
        var known = new HashMap<String, Story>();
        var numbers = new HashSet<Long>();
        int stuck = 0;
        int remaining = 0;
        for (var story : stories) {
            known.put(story.id(), story);
            var request = asked.getOrDefault(story.number(), new Asked(story.number(), story.shape()));
            var trial = new Trial(story, ledger.of(story.id()), request, seed);
            var wrong = new ArrayList<>(trial.run());
            if (!numbers.add(story.number())) {
                wrong.add("was started twice");
            }
            if (!wrong.isEmpty()) {
                differences.add(new Difference(story.toString(), wrong, trial.evidence()));
            }
            remaining += trial.remaining();
            stuck += story.stuck() ? 1 : 0;
            if (story.hasEnded()) {
                ended.merge(story.status(), 1, Integer::sum);
            }
        }
        for (var request : asked.values()) {
            request.id()
                    .filter(id -> !known.containsKey(id))
                    .ifPresent(id -> differences.add(new Difference(
                            "saga " + request.number() + " " + id, List.of("is gone"), List.of(request.toString()))));
        }
        return new Findings(ended, stuck, remaining, differences);
    }

    @Override
    public String toString() {
        return "%s, stuck as planned %,d; effects that nobody was told of %,d".formatted(ended, stuck, remaining);
    }
}
