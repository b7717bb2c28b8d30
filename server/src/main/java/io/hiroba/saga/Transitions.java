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
            new Transition<>(STARTED, "a step is done", RUNNING),
            new Transition<>(STARTED, "its only step is done", COMPLETED),
            new Transition<>(STARTED, "a step failed, a time limit passed, or somebody asked", COMPENSATING),
            new Transition<>(RUNNING, "a step is done", RUNNING),
            new Transition<>(RUNNING, "the last step is done", COMPLETED),
            new Transition<>(RUNNING, "a step failed, a time limit passed, or somebody asked", COMPENSATING),
            new Transition<>(COMPLETED, "the saga that started it is undone", COMPENSATING),
            new Transition<>(COMPENSATING, "a step is undone", COMPENSATING),
            new Transition<>(COMPENSATING, "all that was done is undone", FAILED),
            new Transition<>(COMPENSATING, "all that was done is undone, after a cancellation", CANCELLED));

    /** The phase of a step; its log has a row for each attempt that ended. */
    public enum StepPhase {
        PENDING,
        EXECUTING,
        RETRYING,
        DONE,
        FAILED,
        COMPENSATING,
        COMPENSATED,
        STUCK
    }

    public static final List<Transition<StepPhase>> STEP = List.of(
            new Transition<>(StepPhase.PENDING, "its turn, or the signal, comes", StepPhase.EXECUTING),
            new Transition<>(StepPhase.EXECUTING, "SUCCESS", StepPhase.DONE),
            new Transition<>(StepPhase.EXECUTING, "FAILED or TIMEOUT, attempts left", StepPhase.RETRYING),
            new Transition<>(StepPhase.EXECUTING, "FAILED or TIMEOUT for good", StepPhase.FAILED),
            new Transition<>(StepPhase.RETRYING, "the delay is over", StepPhase.EXECUTING),
            new Transition<>(StepPhase.RETRYING, "the saga is being undone", StepPhase.FAILED),
            new Transition<>(StepPhase.FAILED, "sagas that it started are undone", StepPhase.COMPENSATING),
            new Transition<>(StepPhase.DONE, "the saga is being undone", StepPhase.COMPENSATING),
            new Transition<>(StepPhase.COMPENSATING, "FAILED or TIMEOUT, attempts left", StepPhase.COMPENSATING),
            new Transition<>(
                    StepPhase.COMPENSATING, "SUCCESS, or SKIPPED where nothing undoes it", StepPhase.COMPENSATED),
            new Transition<>(StepPhase.COMPENSATING, "FAILED or TIMEOUT for good", StepPhase.STUCK),
            new Transition<>(StepPhase.STUCK, "a person asks for a retry", StepPhase.COMPENSATING));

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
