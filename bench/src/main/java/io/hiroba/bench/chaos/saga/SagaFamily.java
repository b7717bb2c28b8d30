package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A saga among those that started it and that it started.
 *
 * @param parent empty for one that no other started
 * @param children in the order of their positions
 */
record SagaFamily(ObservedSaga saga, Optional<ObservedSaga> parent, List<ObservedSaga> children) {

    /** Each of {@code sagas} among the others. */
    static List<SagaFamily> all(List<ObservedSaga> sagas) {
        var byId = new HashMap<String, ObservedSaga>();
        var byParent = new HashMap<String, List<ObservedSaga>>();
        for (var saga : sagas) {
            byId.put(saga.id(), saga);
            if (saga.parent() != null) {
                byParent.computeIfAbsent(saga.parent(), parent -> new ArrayList<>())
                        .add(saga);
            }
        }
        return sagas.stream()
                .map(saga -> new SagaFamily(
                        saga,
                        saga.parent() == null ? Optional.empty() : Optional.ofNullable(byId.get(saga.parent())),
                        byParent.getOrDefault(saga.id(), List.of()).stream()
                                .sorted(Comparator.comparingInt(ObservedSaga::childIndex))
                                .toList()))
                .toList();
    }

    /** Whether it waits for a child that is stuck, since the service is planned not to undo a step of it. */
    boolean waitsForStuckChild(long seed) {
        return !saga.hasEnded()
                && !saga.stuck()
                && children.stream().anyMatch(child -> SagaCheck.isStuckByPlan(child, seed));
    }

    /** Whether its parent has it undone, or had. */
    boolean isUndoneWithParent() {
        return parent.filter(each -> !each.status().isForward()).isPresent();
    }

    /** The violations between the saga and its children. */
    List<String> violations() {
        var violations = new ArrayList<String>();
        if (saga.parent() != null && parent.isEmpty()) {
            violations.add("its parent is missing");
        }
        var positions = children.stream().map(ObservedSaga::childIndex).toList();
        if (!positions.equals(IntStream.range(0, children.size()).boxed().toList())) {
            violations.add("its children have the positions " + positions);
        }
        for (var step : saga.workflow().steps()) {
            if (step.child() != null
                    && saga.succeeded(step.index(), StepAction.EXECUTE)
                    && children.size() != ChaosWorkflow.CHILDREN) {
                violations.add("%s is done with %d children".formatted(step.name(), children.size()));
            }
        }
        if (saga.hasEnded()) {
            boolean completed = saga.status() == SagaStatus.COMPLETED;
            children.stream()
                    .filter(child -> !child.hasEnded() || completed != (child.status() == SagaStatus.COMPLETED))
                    .forEach(child -> violations.add("is %s, and its child %d is %s"
                            .formatted(saga.status(), child.childIndex(), child.status())));
        }
        return violations;
    }
}
