package io.hiroba.saga;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hiroba.platform.config.Durations;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.id.Ids;
import io.hiroba.saga.workflow.Step;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A saga with its steps as JSON. */
record SagaView(
        String id,
        String workflowName,
        int workflowVersion,
        SagaStatus status,
        int currentStep,
        @Nullable JsonNode payload,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable String initiatedByName,
        @Nullable String errorMessage,
        boolean stuck,
        boolean running,
        @Nullable Instant wakeAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable String waitingFor,
        int priority,
        List<SagaDetails.Wait> waits,
        List<StepView> steps,
        int attemptsLeftOut,
        List<SagaDetails.Resolved> resolutions,
        Map<String, String> attributes,
        @Nullable JsonNode result,
        List<OpenApprovalView> approvals,
        @Nullable ParentView parent,
        List<ChildrenView> children,
        @Nullable SagaId continuedFrom,
        @Nullable SagaId continuedAs) {

    static SagaView of(SagaDetails details, Language language) {
        var saga = details.saga();
        var error = saga.errorMessage();
        return new SagaView(
                saga.id().toString(),
                saga.workflowName(),
                saga.workflowVersion(),
                saga.status(),
                saga.currentStep(),
                saga.payload(),
                saga.correlationId(),
                saga.initiatedBy(),
                details.initiatedByName(),
                error == null ? null : error.in(language),
                saga.stuck(),
                saga.running(),
                saga.wakeAt(),
                saga.createdAt(),
                saga.updatedAt(),
                saga.waitingFor(),
                saga.priority(),
                details.waits(),
                details.steps().stream()
                        .map(step -> StepView.of(step, language))
                        .toList(),
                details.attemptsLeftOut(),
                details.resolutions(),
                details.attributes(),
                details.result(),
                details.approvals().stream().map(OpenApprovalView::of).toList(),
                ParentView.of(details.family().parent()),
                details.family().children().stream()
                        .map(group -> ChildrenView.of(group, details.steps()))
                        .toList(),
                details.family().continuedFrom(),
                details.family().continuedAs());
    }

    /** An approval that a step waits for, with the decisions so far. */
    record OpenApprovalView(
            String id,
            String step,
            String title,
            List<AssigneeView> assignees,
            int quorum,
            Instant openedAt,
            @Nullable Instant deadline,
            List<DecisionView> decisions) {

        static OpenApprovalView of(Approvals.Approval approval) {
            return new OpenApprovalView(
                    Ids.hex(approval.id()),
                    approval.stepName(),
                    approval.title(),
                    approval.assignees().stream()
                            .map(each -> new AssigneeView(each.user().hex(), each.nickname()))
                            .toList(),
                    approval.quorum(),
                    approval.openedAt(),
                    approval.deadline(),
                    approval.decisions().stream().map(DecisionView::of).toList());
        }
    }

    /** Somebody who is asked for an approval. */
    record AssigneeView(String id, String nickname) {}

    /** The decision of an assignee; without an id once the account is deleted. */
    record DecisionView(@Nullable String userId, String nickname, boolean approved, String comment, Instant at) {

        static DecisionView of(Approvals.Verdict verdict) {
            var user = verdict.user();
            return new DecisionView(
                    user == null ? null : user.hex(),
                    verdict.name(),
                    verdict.approved(),
                    verdict.comment(),
                    verdict.at());
        }
    }

    /** The saga whose step this one is. */
    record ParentView(SagaId id, @Nullable String workflowName, int stepIndex, int index, int count) {

        static @Nullable ParentView of(SagaDetails.@Nullable Parent parent) {
            return parent == null
                    ? null
                    : new ParentView(parent.id(), parent.workflowName(), parent.step(), parent.index(), parent.count());
        }
    }

    /** The sagas that a step started, in numbers. */
    record ChildrenView(
            int stepIndex,
            @Nullable String stepName,
            int count,
            int started,
            int completed,
            int running,
            int undone,
            int stuck) {

        static ChildrenView of(SagaDetails.ChildGroup group, List<SagaDetails.StepDetails> steps) {
            return new ChildrenView(
                    group.step(),
                    steps.stream()
                            .filter(step -> step.index() == group.step())
                            .map(SagaDetails.StepDetails::name)
                            .findFirst()
                            .orElse(null),
                    group.count(),
                    group.started(),
                    group.completed(),
                    group.open(),
                    group.undone(),
                    group.stuck());
        }
    }

    /** A step with its phase and its attempts. */
    record StepView(
            int index,
            @Nullable Integer stage,
            String name,
            Transitions.StepPhase phase,
            @Nullable String service,
            @Nullable String method,
            @Nullable String compensate,
            @Nullable String waitForSignal,
            boolean approval,
            @Nullable String timeout,
            List<AttemptView> attempts,
            @Nullable String when,
            @Nullable String sleep,
            @Nullable String until,
            @Nullable String workflow,
            boolean continueAsNew) {

        static StepView of(SagaDetails.StepDetails details, Language language) {
            var step = details.step();
            var call = step != null && step.work() instanceof Step.Call found ? found : null;
            var timeout = step == null ? null : step.timeout();
            var timer = step != null && step.work() instanceof Step.Timer found ? found : null;
            return new StepView(
                    details.index(),
                    step == null ? null : step.stage(),
                    details.name(),
                    details.phase(),
                    call == null ? null : call.service(),
                    call == null ? null : call.method(),
                    call == null ? null : call.compensate(),
                    step != null && step.work() instanceof Step.Signal signal ? signal.name() : null,
                    step != null && step.work() instanceof Step.Approval,
                    timeout == null ? null : Durations.text(timeout),
                    details.attempts().stream()
                            .map(attempt -> AttemptView.ofStep(attempt, language))
                            .toList(),
                    step == null || step.when() == null ? null : step.when().text(),
                    timer == null || timer.isUntil() ? null : timer.text(),
                    timer == null || !timer.isUntil() ? null : timer.text(),
                    workflow(step),
                    step != null && step.work() instanceof Step.Continuation);
        }

        /** The workflow whose sagas the step starts. */
        private static @Nullable String workflow(@Nullable Step step) {
            if (step != null && step.work() instanceof Step.Children children) {
                return children.workflow();
            }
            return step != null && step.work() instanceof Step.Continuation next ? next.workflow() : null;
        }
    }

    /** A saga without its steps as JSON, in lists also without its payload. */
    record Summary(
            SagaId id,
            String workflowName,
            int workflowVersion,
            int currentStep,
            SagaStatus status,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            JsonNode payload,

            @Nullable String correlationId,
            @Nullable String initiatedBy,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String initiatedByName,

            @Nullable String errorMessage,
            boolean stuck,
            boolean running,
            @Nullable Instant wakeAt,
            Instant createdAt,
            Instant updatedAt,
            @Nullable String waitingFor,
            int priority) {

        static Summary of(Saga saga, Language language) {
            return of(saga, language, Map.of());
        }

        /** @param names the nicknames of initiators by their ids */
        static Summary of(Saga saga, Language language, Map<String, String> names) {
            var initiator = saga.initiatedBy();
            var error = saga.errorMessage();
            return new Summary(
                    saga.id(),
                    saga.workflowName(),
                    saga.workflowVersion(),
                    saga.currentStep(),
                    saga.status(),
                    saga.payload(),
                    saga.correlationId(),
                    initiator,
                    initiator == null ? null : names.get(initiator),
                    error == null ? null : error.in(language),
                    saga.stuck(),
                    saga.running(),
                    saga.wakeAt(),
                    saga.createdAt(),
                    saga.updatedAt(),
                    saga.waitingFor(),
                    saga.priority());
        }
    }
}
