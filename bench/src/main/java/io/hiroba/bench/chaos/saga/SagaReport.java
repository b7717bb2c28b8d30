package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.SagaStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The result of checking all sagas of a run against the log of the service and the replies to clients.
 *
 * @param ended the number of sagas by terminal status, without those that are stuck as planned
 * @param remaining effects of calls that the orchestrator gave up on before the service confirmed them
 */
record SagaReport(Map<SagaStatus, Integer> ended, int stuck, int remaining, List<Difference> differences) {

    /** A saga with violations. */
    record Difference(String saga, List<String> violations, List<String> observations) {

        @Override
        public String toString() {
            return saga + "\n" + String.join("\n", violations).indent(4)
                    + String.join("\n", observations).indent(8);
        }
    }

    static SagaReport of(List<ObservedSaga> sagas, Map<Long, SagaRequests> requests, ServiceLog serviceLog, long seed) {
        var ended = new EnumMap<SagaStatus, Integer>(SagaStatus.class);
        var differences = new ArrayList<Difference>();
        var known = new HashMap<String, ObservedSaga>();
        var numbers = new HashSet<Long>();
        int stuck = 0;
        int remaining = 0;
        for (var family : SagaFamily.all(sagas)) {
            var saga = family.saga();
            known.put(saga.id(), saga);
            var request = requests.getOrDefault(saga.number(), new SagaRequests(saga.number(), saga.workflow()));
            var check = new SagaCheck(family, serviceLog.of(saga.id()), request, seed);
            var violations = new ArrayList<>(check.run());
            if (!numbers.add(saga.number())) {
                violations.add("was started twice");
            }
            if (!violations.isEmpty()) {
                differences.add(new Difference(saga.toString(), violations, check.observations()));
            }
            remaining += check.remaining();
            stuck += saga.stuck() ? 1 : 0;
            if (saga.hasEnded()) {
                ended.merge(saga.status(), 1, Integer::sum);
            }
        }
        for (var request : requests.values()) {
            request.id()
                    .filter(id -> !known.containsKey(id))
                    .ifPresent(id -> differences.add(new Difference(
                            "saga " + request.number() + " " + id,
                            List.of("is missing"),
                            List.of(request.toString()))));
        }
        return new SagaReport(ended, stuck, remaining, differences);
    }

    /** With what is wrong beside the sagas themselves. */
    SagaReport with(List<Difference> more) {
        return new SagaReport(
                ended,
                stuck,
                remaining,
                Stream.concat(differences.stream(), more.stream()).toList());
    }

    @Override
    public String toString() {
        return "%s, stuck as planned %,d; unconfirmed effects %,d".formatted(ended, stuck, remaining);
    }
}
