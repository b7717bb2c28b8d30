package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.saga.ChaosWorkflow.Step;
import io.hiroba.bench.chaos.saga.ServiceLog.Entry;
import io.hiroba.bench.chaos.saga.ServiceLog.Kind;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.Transitions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks one saga against the log of the service and the replies to clients. */
final class SagaCheck {

    private final ObservedSaga saga;
    private final SagaFamily family;
    private final List<Entry> serviceLog;
    private final SagaRequests requests;
    private final long seed;
    private final List<String> violations = new ArrayList<>();
    private int remaining;

    SagaCheck(SagaFamily family, List<Entry> serviceLog, SagaRequests requests, long seed) {
        this.family = family;
        this.saga = family.saga();
        this.serviceLog = serviceLog;
        this.requests = requests;
        this.seed = seed;
    }

    /** Returns the violations. */
    List<String> run() {
        checkRest();
        checkRequests();
        checkEvents();
        for (var step : saga.workflow().steps()) {
            checkAttempts(step, StepAction.EXECUTE);
            checkAttempts(step, StepAction.COMPENSATE);
            checkEffects(step);
            checkCondition(step);
            if (saga.status() == SagaStatus.COMPLETED) {
                checkCompleted(step);
            } else if (saga.hasEnded() || saga.stuck()) {
                checkCompensated(step);
            }
        }
        checkOrder();
        violations.addAll(family.violations());
        return violations;
    }

    /** Effects of calls that the orchestrator gave up on before the service confirmed them. */
    int remaining() {
        return remaining;
    }

    List<String> observations() {
        return Stream.concat(Stream.of(requests.toString()), serviceLog.stream().map(Entry::toString))
                .toList();
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }

    private void checkRest() {
        check(saga.hasEnded() || saga.stuck() || family.waitsForStuckChild(seed), "has not ended");
        check(saga.resting(), "is not at rest: it has an owner, or is due");
        check(!saga.stuck() || isStuckByPlan(saga, seed), "is stuck, though its next compensation can succeed");
    }

    /** Whether the service is planned to refuse the next compensation for good. */
    static boolean isStuckByPlan(ObservedSaga saga, long seed) {
        return saga.stuck()
                && nextToCompensate(saga)
                        .filter(step -> ServiceBehaviour.of(seed, saga.number(), step.index(), false, 1)
                                == ServiceBehaviour.REFUSING)
                        .isPresent();
    }

    private static Optional<Step> nextToCompensate(ObservedSaga saga) {
        return saga.workflow().steps().reversed().stream()
                .filter(step -> saga.isToBeUndone(step)
                        && saga.rows(step.index(), StepAction.COMPENSATE).stream()
                                .noneMatch(row ->
                                        row.status() == StepStatus.SUCCESS || row.status() == StepStatus.SKIPPED))
                .findFirst();
    }

    private void checkRequests() {
        if (!saga.status().isForward() && family.waitsForStuckChild(seed)) {
            return;
        }
        if (requests.succeeded("cancel")) {
            check(saga.stuck() || saga.status() == SagaStatus.CANCELLED, "was cancelled, and is not");
        }
        if (requests.succeeded("compensate")) {
            check(saga.stuck() || saga.status() == SagaStatus.FAILED, "was to be undone, and is not");
        }
        if (saga.status() == SagaStatus.CANCELLED) {
            check(requests.mayHaveTakenEffect("cancel") || family.isUndoneWithParent(), "nobody cancelled it");
        }
        if (saga.status() == SagaStatus.FAILED && !requests.mayHaveTakenEffect("compensate")) {
            check(
                    saga.log().stream()
                            .anyMatch(row -> row.action() == StepAction.EXECUTE
                                    && row.status() != StepStatus.SUCCESS
                                    && row.status() != StepStatus.SKIPPED
                                    && !row.retried()),
                    "failed without a step that did");
        }
    }

    private void checkEvents() {
        var statuses = saga.events().stream()
                .filter(events -> !events.equals(ObservedSaga.STUCK))
                .map(SagaStatus::valueOf)
                .toList();
        if (statuses.isEmpty() || statuses.getFirst() != SagaStatus.STARTED) {
            violations.add("its events do not begin with its start");
            return;
        }
        check(new HashSet<>(statuses).size() == statuses.size(), "its events repeat a status");
        for (int i = 1; i < statuses.size(); i++) {
            check(
                    Transitions.allowed(statuses.get(i - 1), statuses.get(i)),
                    "its events change from %s to %s".formatted(statuses.get(i - 1), statuses.get(i)));
        }
        check(statuses.getLast() == saga.status(), "its events end with " + statuses.getLast());
        check(!saga.stuck() || saga.events().contains(ObservedSaga.STUCK), "no event says that it is stuck");
    }

    private void checkAttempts(Step step, StepAction action) {
        var rows = saga.rows(step.index(), action);
        for (int i = 0; i < rows.size(); i++) {
            var row = rows.get(i);
            boolean last = i == rows.size() - 1;
            var name = action + " " + step.name();
            check(row.attempt() == i + 1, "attempt %d of %s is missing".formatted(i + 1, name));
            check(
                    last || row.status() == StepStatus.FAILED || row.status() == StepStatus.TIMEOUT,
                    name + " was done, and then tried again");
            if (row.status() == StepStatus.SUCCESS && step.isCall()) {
                check(key(step, action).equals(row.key()), name + " was given the answer to " + row.key());
            }
        }
    }

    private void checkCondition(Step step) {
        boolean skipped = saga.rows(step.index(), StepAction.EXECUTE).stream()
                .anyMatch(row -> row.status() == StepStatus.SKIPPED);
        if (step.isExecuted(saga.number())) {
            check(!skipped, step.name() + " was skipped, though its condition is true");
        } else {
            check(call(step, StepAction.EXECUTE).isEmpty(), step.name() + " was called, though its condition is false");
        }
    }

    private void checkEffects(Step step) {
        for (var action : StepAction.values()) {
            var method = (action == StepAction.EXECUTE ? "do-" : "undo-") + step.name();
            var keys = serviceLog.stream()
                    .filter(entry ->
                            entry.kind() == Kind.EFFECT && entry.method().equals(method))
                    .map(Entry::key)
                    .toList();
            check(keys.size() <= 1, method + " took effect under the keys " + keys);
            check(
                    keys.isEmpty() || keys.getFirst().equals(key(step, action)),
                    method + " took effect under the key " + keys);
            if (step.isCall() && saga.succeeded(step.index(), action)) {
                check(keys.size() == 1, method + " is logged as done and had no effect");
            }
        }
    }

    private void checkCompleted(Step step) {
        check(
                saga.succeeded(step.index(), StepAction.EXECUTE) == step.isExecuted(saga.number())
                        && !saga.rows(step.index(), StepAction.EXECUTE).isEmpty(),
                "is completed without " + step.name());
        check(saga.rows(step.index(), StepAction.COMPENSATE).isEmpty(), "is completed, and undid " + step.name());
        check(effect(step, StepAction.COMPENSATE).isEmpty(), "is completed, and the service undid " + step.name());
    }

    private void checkCompensated(Step step) {
        if (step.child() != null) {
            return;
        }
        var rows = saga.rows(step.index(), StepAction.COMPENSATE);
        boolean undone = effect(step, StepAction.COMPENSATE).isPresent();
        if (!saga.isToBeUndone(step)) {
            check(rows.isEmpty() && !undone, step.name() + " was undone, though it was not done");
            if (effect(step, StepAction.EXECUTE).isPresent()) {
                remaining++;
                // Nothing undoes a step without compensation, and it is not called again to find out (ADR 22).
                check(!step.hasCompensation(), step.name() + " had an effect that was not undone");
            }
            return;
        }
        int next = nextToCompensate(saga).map(Step::index).orElse(-1);
        if (step.index() > next) {
            var wanted = step.hasCompensation() ? StepStatus.SUCCESS : StepStatus.SKIPPED;
            check(!rows.isEmpty() && rows.getLast().status() == wanted, step.name() + " was not undone");
        } else {
            check(saga.stuck(), step.name() + " was not undone");
            check(step.index() == next || (rows.isEmpty() && !undone), step.name() + " was undone before its turn");
        }
    }

    /** Stages run one after the other; compensations run from the last step to the first. */
    private void checkOrder() {
        var steps = saga.workflow().steps();
        long later = Long.MAX_VALUE;
        for (var step : steps) {
            var undone = effect(step, StepAction.COMPENSATE);
            if (undone.isPresent()) {
                check(undone.get().order() < later, step.name() + " was undone before what came after it");
                later = undone.get().order();
            }
            // The call of a step that may have taken effect can do so until it is undone.
            var compensating = saga.succeeded(step.index(), StepAction.EXECUTE)
                    ? call(step, StepAction.COMPENSATE)
                    : effect(step, StepAction.COMPENSATE);
            var done = effect(step, StepAction.EXECUTE);
            if (compensating.isPresent() && done.isPresent()) {
                check(
                        done.get().order() < compensating.get().order(),
                        step.name() + " took effect after it began to be undone");
            }
            call(step, StepAction.EXECUTE)
                    .ifPresent(call -> steps.stream()
                            .filter(other ->
                                    other.isCall() && other.isExecuted(saga.number()) && other.stage() < step.stage())
                            .forEach(other -> check(
                                    effect(other, StepAction.EXECUTE)
                                            .filter(before -> before.order() < call.order())
                                            .isPresent(),
                                    step.name() + " was begun before " + other.name() + " was done")));
        }
    }

    private Optional<Entry> effect(Step step, StepAction action) {
        return first(step, action, Kind.EFFECT);
    }

    private Optional<Entry> call(Step step, StepAction action) {
        return first(step, action, Kind.CALL);
    }

    private Optional<Entry> first(Step step, StepAction action, Kind kind) {
        var key = key(step, action);
        return serviceLog.stream()
                .filter(entry -> entry.kind() == kind && entry.key().equals(key))
                .findFirst();
    }

    private String key(Step step, StepAction action) {
        return saga.id() + ":" + step.index() + ":" + action;
    }
}
