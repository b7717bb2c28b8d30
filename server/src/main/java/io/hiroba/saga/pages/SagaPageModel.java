package io.hiroba.saga.pages;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.saga.Approvals;
import io.hiroba.saga.SagaDetails;
import io.hiroba.saga.SagaDetails.StepDetails;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The model of the page of one saga.
 *
 * @param attempts how many there are, after which its stream goes on
 * @param leftOut how many of the earliest attempts are not shown
 * @param seen the time of the state that is shown, in milliseconds since 1970
 * @param payload as JSON
 * @param waits the reasons why it waits, in sentences
 * @param signals those that can be sent to it, in the order of their steps, each with whether a step waits for it already
 * @param attributes what it can be found by, by name
 * @param graph its workflow with the states of its steps; null where that is gone
 */
public record SagaPageModel(
        String id,
        String workflow,
        int version,
        StatusLabel status,
        boolean isOver,
        boolean isStuck,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable Text error,
        String started,
        String exact,
        int attempts,
        int leftOut,
        long seen,
        String payload,
        List<String> waits,
        Timeline timeline,
        boolean mayUndo,
        boolean mayRetry,
        Map<String, Boolean> signals,
        Resolving resolving,
        Map<String, String> attributes,
        boolean mayRunAgain,
        int priority,
        @Nullable Graph graph) {

    /**
     * The decisions that operators can take and have taken by hand.
     *
     * @param may whether the reader can take one
     * @param steps those that can be skipped or marked as done
     * @param mayUndo whether the last one can be undone, if nothing followed
     */
    public record Resolving(boolean may, List<String> steps, boolean mayUndo, List<Decision> decisions) {

        public Resolving {
            steps = List.copyOf(steps);
            decisions = List.copyOf(decisions);
        }

        static Resolving of(SagaDetails details, boolean operator, Reader reader) {
            boolean may = operator
                    && !details.saga().status().isTerminal()
                    && !Workflow.isBuiltIn(details.saga().workflowName());
            var last = details.resolutions().stream()
                    .filter(each -> !each.undone()
                            && !each.action().equals("undo")
                            && !each.action().equals("migrate"))
                    .findFirst();
            return new Resolving(
                    may,
                    may ? details.resolvable() : List.of(),
                    may && last.isPresent() && !details.saga().running(),
                    details.resolutions().stream()
                            .map(each -> Decision.of(each, reader))
                            .toList());
        }

        /** A decision in words. */
        public record Decision(Text words, @Nullable String reason, String by, String at, boolean undone) {

            static Decision of(SagaDetails.Resolved resolved, Reader reader) {
                var name = resolved.byName();
                var step = resolved.stepName();
                var key = "saga.decision." + resolved.action() + (step == null ? "" : "-step");
                return new Decision(
                        step == null ? Text.of(key) : Text.of(key, "step", step),
                        resolved.reason(),
                        name == null ? resolved.by() : name,
                        reader.exact(resolved.at()),
                        resolved.undone());
            }
        }
    }

    public SagaPageModel {
        waits = List.copyOf(waits);
        signals = Collections.unmodifiableMap(new LinkedHashMap<>(signals));
    }

    /**
     * A request for approval with its form.
     *
     * @param action where the form is sent
     * @param mayDecide whether the reader is asked and has not decided
     * @param own the decision of the reader, if they have decided
     * @param saga its id; null for readers who may not see it
     * @param assignees those who are asked; empty for readers who may not see the saga, as {@code decisions}
     */
    public record ApprovalCard(
            String id,
            String action,
            String title,
            SafeHtml text,
            List<Step.Field> form,
            Approvals.State state,
            boolean mayDecide,
            @Nullable Text own,
            int quorum,
            int approved,
            @Nullable String deadline,
            @Nullable String saga,
            String sagaId,
            String workflow,
            String requestedBy,
            String stepName,
            List<String> assignees,
            List<DecisionRow> decisions) {

        /** Before the name of a field in the form. */
        public static final String PREFIX = "answers.";

        public ApprovalCard {
            form = List.copyOf(form);
            assignees = List.copyOf(assignees);
            decisions = List.copyOf(decisions);
        }

        static ApprovalCard of(
                Approvals.Approval approval, String action, boolean mayDecide, UserId viewer, Reader reader) {
            var deadline = approval.deadline();
            return new ApprovalCard(
                    Ids.hex(approval.id()),
                    action,
                    approval.title(),
                    SafeHtml.ofMarkdown(approval.text()),
                    approval.form(),
                    approval.state(),
                    mayDecide,
                    approval.decisions().stream()
                            .filter(each -> viewer.equals(each.user()))
                            .findFirst()
                            .map(each -> Text.of(
                                    each.approved() ? "saga.approval.you-approved" : "saga.approval.you-rejected"))
                            .orElse(null),
                    approval.quorum(),
                    approval.approvals(),
                    deadline == null ? null : reader.exact(deadline),
                    approval.saga().toString(),
                    approval.saga().toString(),
                    Objects.requireNonNullElse(approval.workflowName(), ""),
                    Objects.requireNonNullElse(approval.requestedBy(), ""),
                    approval.stepName(),
                    approval.assignees().stream()
                            .map(each -> each.suspended()
                                    ? reader.text("saga.approval.suspended-assignee", "name", each.nickname())
                                    : each.nickname())
                            .toList(),
                    approval.decisions().stream()
                            .map(each -> DecisionRow.of(each, approval.form(), reader))
                            .toList());
        }

        /** As those see it who may not see sagas. */
        ApprovalCard withoutSaga() {
            return new ApprovalCard(
                    id,
                    action,
                    title,
                    text,
                    form,
                    state,
                    mayDecide,
                    own,
                    quorum,
                    approved,
                    deadline,
                    null,
                    sagaId,
                    workflow,
                    requestedBy,
                    "",
                    List.of(),
                    List.of());
        }

        /** As one sees it who comes by a mail after it was closed: the state and one's own decision. */
        ApprovalCard closed(Reader reader) {
            var title = reader.text("saga.approval.closed-link");
            var none = SafeHtml.ofMarkdown("");
            return new ApprovalCard(
                    id, action, title, none, List.of(), state, false, own, 1, 0, null, null, "", "", "", "", List.of(),
                    List.of());
        }

        /** Changes whenever one of the cards does: they are replaced only then. */
        public static String can(List<ApprovalCard> cards) {
            return cards.stream()
                    .map(card -> card.id + card.state + card.decisions.size() + card.mayDecide)
                    .collect(Collectors.joining(" "));
        }

        /** The state in words. */
        public Text label() {
            return Text.of("saga.approval.state." + state.name().toLowerCase(Locale.ROOT));
        }

        /** The style of the state, as that of a saga's status. */
        public StatusLabel status() {
            return switch (state) {
                case OPEN -> new StatusLabel("waiting", "clock");
                case APPROVED -> new StatusLabel("completed", "check");
                case REJECTED, OVERDUE -> new StatusLabel("failed", "alert");
                case WITHDRAWN -> new StatusLabel("cancelled", "block");
            };
        }
    }

    /** A decision of an assignee; the name is empty once the account is deleted. */
    public record DecisionRow(boolean approved, String name, String comment, List<String> answers, String at) {

        public DecisionRow {
            answers = List.copyOf(answers);
        }

        static DecisionRow of(Approvals.Verdict verdict, List<Step.Field> form, Reader reader) {
            return new DecisionRow(
                    verdict.approved(),
                    verdict.name(),
                    verdict.comment(),
                    form.stream()
                            .filter(field -> verdict.answers().has(field.name()))
                            .map(field -> reader.text(
                                    "saga.approval.answer",
                                    "name",
                                    field.label(),
                                    "value",
                                    value(verdict.answers().path(field.name()), reader)))
                            .toList(),
                    reader.ago(verdict.at()));
        }

        private static String value(JsonNode answer, Reader reader) {
            return answer.isBoolean()
                    ? reader.text(answer.booleanValue() ? "saga.approval.yes" : "saga.approval.no")
                    : answer.asString("");
        }
    }

    static SagaPageModel of(SagaDetails details, SagaRole role, Reader reader) {
        var saga = details.saga();
        var log = details.steps().stream()
                .flatMap(step -> step.attempts().stream())
                .toList();
        boolean operator = role == SagaRole.OPERATOR || role == SagaRole.ADMIN;
        boolean forward = saga.status().isForward();
        var timeline = Timeline.of(saga, log, details.leftDone(), Optional.ofNullable(details.workflow()), reader);
        return new SagaPageModel(
                saga.id().toString(),
                saga.workflowName(),
                saga.workflowVersion(),
                StatusLabel.of(saga),
                saga.status().isTerminal(),
                saga.stuck(),
                saga.correlationId(),
                details.initiatedByName() == null ? saga.initiatedBy() : details.initiatedByName(),
                saga.errorMessage(),
                reader.ago(saga.createdAt()),
                reader.exact(saga.createdAt()),
                log.size() + details.attemptsLeftOut(),
                details.attemptsLeftOut(),
                saga.updatedAt().toEpochMilli(),
                String.valueOf(Timeline.Attempt.pretty(saga.payload())),
                waits(details, reader),
                timeline,
                operator && forward && !Workflow.isBuiltIn(saga.workflowName()),
                operator && saga.stuck(),
                operator && forward ? signals(details) : Map.of(),
                Resolving.of(details, operator, reader),
                details.attributes(),
                operator
                        && saga.status().isTerminal()
                        && !Workflow.isBuiltIn(saga.workflowName())
                        && !Workflow.isOfStep(saga.workflowName()),
                saga.priority(),
                details.workflow() == null ? null : Graph.of(details.workflow(), timeline.lanes(), reader));
    }

    /** The actions that are possible now: the buttons are replaced only when this changes. */
    public String can() {
        return (mayRunAgain ? "again " : "")
                + (mayUndo ? "undo " : "")
                + (mayRetry ? "retry " : "")
                + signals
                + (resolving.may() ? " resolve " + String.join(" ", resolving.steps()) : "")
                + (resolving.mayUndo() ? " undo-resolution" : "");
    }

    /** The workflow that has a page. */
    public String registeredWorkflow() {
        return Workflow.registeredName(workflow);
    }

    public boolean mayAct() {
        return mayRunAgain || mayUndo || mayRetry || resolving.may() || !signals.isEmpty();
    }

    /** The button of a signal: Approve for {@code approve}. */
    public String label(String signal) {
        var words = signal.replaceAll("[._-]+", " ");
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private static List<String> waits(SagaDetails details, Reader reader) {
        var sentences = new ArrayList<String>();
        for (var wait : details.waits()) {
            var step = String.valueOf(wait.stepName());
            var until = wait.until();
            var time = until == null ? "" : reader.exact(until);
            switch (wait.cause()) {
                case SIGNAL -> sentences.add(signal(step, String.valueOf(wait.signal()), time, reader));
                case APPROVAL ->
                    sentences.add(
                            time.isEmpty()
                                    ? reader.text("saga.wait.approval", "step", step)
                                    : reader.text("saga.wait.approval-until", "step", step, "time", time));
                case RETRY -> sentences.add(reader.text("saga.wait.retry", "step", step, "time", time));
                case TIMER -> sentences.add(reader.text("saga.wait.timer", "step", step, "time", time));
                case CHILDREN -> sentences.add(reader.text("saga.wait.children", "step", step));
                case WORKER -> sentences.add(reader.text("saga.wait.worker", "step", step));
                case NODE -> sentences.add(reader.text("saga.wait.node"));
                case PLACE -> sentences.add(reader.text("saga.wait.place"));
                case OPERATOR -> {
                    // The alert above says so.
                }
            }
        }
        return sentences;
    }

    private static String signal(String step, String signal, String until, Reader reader) {
        return until.isEmpty()
                ? reader.text("saga.wait.signal", "step", step, "signal", signal)
                : reader.text("saga.wait.signal-until", "step", step, "signal", signal, "time", until);
    }

    private static Map<String, Boolean> signals(SagaDetails details) {
        var open = details.steps().stream()
                .filter(step -> !step.isDone())
                .map(StepDetails::step)
                .filter(Objects::nonNull)
                .toList();
        int stage = open.stream().mapToInt(Step::stage).min().orElse(0);
        var signals = new LinkedHashMap<String, Boolean>();
        for (var step : open) {
            if (step.work() instanceof Step.Signal signal) {
                signals.put(signal.name(), step.stage() == stage);
            }
        }
        return signals;
    }
}
