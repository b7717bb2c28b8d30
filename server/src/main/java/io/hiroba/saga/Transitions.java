package io.hiroba.saga;

import static io.hiroba.saga.SagaStatus.CANCELLED;
import static io.hiroba.saga.SagaStatus.COMPENSATING;
import static io.hiroba.saga.SagaStatus.COMPLETED;
import static io.hiroba.saga.SagaStatus.FAILED;
import static io.hiroba.saga.SagaStatus.RUNNING;
import static io.hiroba.saga.SagaStatus.STARTED;

import java.util.List;
import java.util.function.Predicate;

/** The transition tables of sagas and of their steps. */
public final class Transitions {

    /** A transition between two states and its cause. */
    public record Transition<S>(S from, String cause, S to) {}

    public static final List<Transition<SagaStatus>> SAGA = List.of(
            new Transition<>(STARTED, "a node takes it up", RUNNING),
            new Transition<>(STARTED, "somebody asked before that", COMPENSATING),
            new Transition<>(RUNNING, "a step is done", RUNNING),
            new Transition<>(RUNNING, "the last step is done", COMPLETED),
            new Transition<>(RUNNING, "a step failed, a time limit passed, or somebody asked", COMPENSATING),
            new Transition<>(COMPLETED, "the saga that started it is undone", COMPENSATING),
            new Transition<>(COMPENSATING, "a step is undone", COMPENSATING),
            new Transition<>(COMPENSATING, "all that was done is undone", FAILED),
            new Transition<>(COMPENSATING, "all that was done is undone, after a cancellation", CANCELLED));

    /** The endings that operators choose by hand, whatever is done or undone by then. */
    public static final List<Transition<SagaStatus>> BY_HAND = List.of(
            new Transition<>(STARTED, "an operator completes it", COMPLETED),
            new Transition<>(STARTED, "an operator fails it", FAILED),
            new Transition<>(RUNNING, "an operator completes it", COMPLETED),
            new Transition<>(RUNNING, "an operator fails it", FAILED),
            new Transition<>(COMPENSATING, "an operator completes it", COMPLETED),
            new Transition<>(COMPENSATING, "an operator fails it", FAILED));

    /** The phase of a step; its log has a row for each attempt that ended. */
    public enum StepPhase {
        PENDING,
        EXECUTING,
        RETRYING,
        DONE,
        FAILED,
        COMPENSATING,
        COMPENSATED,
        STUCK,
        SKIPPED
    }

    public static final List<Transition<StepPhase>> STEP = List.of(
            new Transition<>(StepPhase.PENDING, "its turn, the signal or the time comes", StepPhase.EXECUTING),
            new Transition<>(StepPhase.PENDING, "its condition is false", StepPhase.SKIPPED),
            new Transition<>(StepPhase.EXECUTING, "SUCCESS", StepPhase.DONE),
            new Transition<>(StepPhase.EXECUTING, "FAILED or TIMEOUT, attempts left", StepPhase.RETRYING),
            new Transition<>(StepPhase.EXECUTING, "FAILED or TIMEOUT for good", StepPhase.FAILED),
            new Transition<>(StepPhase.RETRYING, "the delay is over", StepPhase.EXECUTING),
            new Transition<>(StepPhase.RETRYING, "the saga is being undone", StepPhase.FAILED),
            new Transition<>(StepPhase.FAILED, "sagas that it started are undone", StepPhase.COMPENSATING),
            new Transition<>(StepPhase.DONE, "the saga is being undone", StepPhase.COMPENSATING),
            new Transition<>(
                    StepPhase.FAILED, "it may have taken effect, and the saga is being undone", StepPhase.COMPENSATING),
            new Transition<>(StepPhase.COMPENSATING, "FAILED or TIMEOUT, attempts left", StepPhase.COMPENSATING),
            new Transition<>(
                    StepPhase.COMPENSATING, "SUCCESS, or SKIPPED where nothing undoes it", StepPhase.COMPENSATED),
            new Transition<>(StepPhase.COMPENSATING, "FAILED or TIMEOUT for good", StepPhase.STUCK),
            new Transition<>(StepPhase.STUCK, "a person asks for a retry", StepPhase.COMPENSATING),
            new Transition<>(StepPhase.EXECUTING, "an operator skips it or marks it as done", StepPhase.DONE),
            new Transition<>(StepPhase.RETRYING, "an operator skips it or marks it as done", StepPhase.DONE),
            new Transition<>(
                    StepPhase.COMPENSATING, "an operator skips it or marks it as undone", StepPhase.COMPENSATED),
            new Transition<>(StepPhase.STUCK, "an operator skips it or marks it as undone", StepPhase.COMPENSATED));

    private Transitions() {}

    public static boolean allowed(SagaStatus from, SagaStatus to) {
        return SAGA.stream().anyMatch(each -> each.from() == from && each.to() == to);
    }

    /**
     * The table as Mermaid draws it.
     *
     * @param ends whether a saga or a step can stay in that state for good
     */
    public static <S> String diagram(List<Transition<S>> table, Predicate<S> ends) {
        var text = new StringBuilder("stateDiagram-v2\n");
        text.append("    [*] --> ").append(table.getFirst().from()).append('\n');
        for (var each : table) {
            text.append("    %s --> %s: %s\n".formatted(each.from(), each.to(), each.cause()));
        }
        table.stream()
                .map(Transition::to)
                .distinct()
                .filter(ends)
                .forEach(end -> text.append("    ").append(end).append(" --> [*]\n"));
        return text.toString();
    }
}
