package io.hiroba.saga;

import io.hiroba.saga.Approvals.Approval;
import io.hiroba.saga.Transitions.StepPhase;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A saga with its steps, their attempts and the reasons why it waits.
 *
 * @param workflow null if its definition is deleted or can no longer be read
 * @param steps in the order of the workflow; without it, only those with attempts
 * @param waits empty while a node works on it, and once it has ended
 * @param attemptsLeftOut how many earlier attempts are left out because there are too many
 * @param resolvable the names of the steps that an operator may skip or mark as done now
 * @param resolutions the decisions of operators, the newest first
 * @param initiatedByName the nickname of who started it; null once the account is gone
 * @param attributes its search attributes by name, as texts
 * @param result what the output of its workflow makes of it, once it is completed; null where there is none
 * @param approvals what people are asked for and have not decided
 * @param family the sagas that it belongs to, started and goes on as
 */
public record SagaDetails(
        Saga saga,
        @Nullable Workflow workflow,
        List<StepDetails> steps,
        List<Wait> waits,
        int attemptsLeftOut,
        List<String> resolvable,
        List<Resolved> resolutions,
        @Nullable String initiatedByName,
        Map<String, String> attributes,
        @Nullable JsonNode result,
        List<Approval> approvals,
        Family family) {

    public SagaDetails(
            Saga saga, @Nullable Workflow workflow, List<StepDetails> steps, List<Wait> waits, int attemptsLeftOut) {
        this(
                saga,
                workflow,
                steps,
                waits,
                attemptsLeftOut,
                List.of(),
                List.of(),
                null,
                Map.of(),
                null,
                List.of(),
                Family.NONE);
    }

    public SagaDetails {
        steps = List.copyOf(steps);
        waits = List.copyOf(waits);
        resolvable = List.copyOf(resolvable);
        resolutions = List.copyOf(resolutions);
        approvals = List.copyOf(approvals);
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /**
     * The sagas that a saga belongs to, started and goes on as.
     *
     * @param children those of each step that has started some
     */
    public record Family(
            @Nullable Parent parent,
            @Nullable SagaId continuedFrom,
            @Nullable SagaId continuedAs,
            List<ChildGroup> children) {

        public static final Family NONE = new Family(null, null, null, List.of());

        public Family {
            children = List.copyOf(children);
        }
    }

    /**
     * The saga whose step another one is.
     *
     * @param workflowName null if it is archived
     * @param step the index of that step
     * @param index the position of the child among those of the step, from 0 on
     * @param count how many children the step has
     */
    public record Parent(SagaId id, @Nullable String workflowName, int step, int index, int count) {}

    /**
     * The children of one step.
     *
     * @param count how many there are to be
     * @param undone how many failed or were cancelled
     * @param stuck how many of the others need an operator
     */
    public record ChildGroup(int step, int count, int started, int completed, int undone, int stuck) {

        /** How many have not ended. */
        public int open() {
            return started - completed - undone;
        }
    }

    /**
     * A step of a saga with its phase and its attempts.
     *
     * @param step as the workflow defines it; null if that is unknown
     */
    public record StepDetails(
            int index, String name, @Nullable Step step, StepPhase phase, List<StepLog> attempts) {

        public StepDetails {
            attempts = List.copyOf(attempts);
        }

        /** Whether it was executed, or skipped. */
        public boolean isDone() {
            return attempts.stream()
                    .filter(each -> each.action() == StepAction.EXECUTE)
                    .reduce((earlier, later) -> later)
                    .filter(last -> last.status() == StepStatus.SUCCESS || last.status() == StepStatus.SKIPPED)
                    .isPresent();
        }
    }

    /** The names of the steps whose compensation an operator skipped. */
    public Set<String> leftDone() {
        return resolutions.stream()
                .filter(each ->
                        !each.undone() && each.action().equals("skip") && each.stepAction() == StepAction.COMPENSATE)
                .flatMap(each -> Stream.ofNullable(each.stepName()))
                .collect(Collectors.toSet());
    }

    /**
     * A decision that an operator took by hand.
     *
     * @param action skip, complete, fail, payload, undo or migrate
     * @param stepName the step that it is about; null for the saga
     * @param stepAction which of its directions it ended; null for the saga
     * @param by the id of the operator
     * @param byName their nickname; null once the account is gone
     * @param undone whether it was undone since
     * @param formerPayload the payload before it was changed
     */
    public record Resolved(
            String action,
            @Nullable String stepName,
            @Nullable StepAction stepAction,
            @Nullable String reason,
            String by,
            @Nullable String byName,
            Instant at,
            boolean undone,
            @Nullable JsonNode formerPayload) {}

    /** The reason why a saga that has not ended is not being worked on. */
    public enum Cause {
        /** An attempt is retried at a set time. */
        RETRY,
        /** A step waits for a signal. */
        SIGNAL,
        /** A step waits for people who approve it. */
        APPROVAL,
        /** A step waits for a set time. */
        TIMER,
        /** A step waits for the sagas that it started. */
        CHILDREN,
        /** A step waits for a worker, or for a service that answers later. */
        WORKER,
        /** It needs an operator. */
        OPERATOR,
        /** It is due and waits for a node. */
        NODE,
        /** As many sagas of its workflow run as may. */
        PLACE
    }

    /**
     * A condition that a saga waits for.
     *
     * @param stepName the step that waits, if it is one
     * @param signal the signal, if it waits for one
     * @param until when it stops waiting; null for no limit
     */
    public record Wait(
            Cause cause,
            @Nullable String stepName,
            @Nullable String signal,
            @Nullable Instant until) {}
}
