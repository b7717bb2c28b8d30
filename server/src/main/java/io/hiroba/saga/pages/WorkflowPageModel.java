package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Form;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.pages.WorkflowPages.WorkflowRow;
import io.hiroba.saga.workflow.PayloadSchema.PayloadField;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The model of the page of one version of a workflow.
 *
 * @param graph null where the text cannot be read any more
 * @param payload the fields of the form that starts a saga; none where the payload is JSON
 * @param isNewest whether new sagas get this version
 * @param mayStart whether the reader may start a saga, this is the version that it gets, and the workflow is switched on
 * @param mayAdminister whether the reader may change it; nobody may change built-in ones
 */
public record WorkflowPageModel(
        WorkflowRow version,
        String source,
        @Nullable Graph graph,
        List<StepRow> steps,
        @Nullable String totalTimeout,
        @Nullable Integer maxRunning,
        List<PayloadField> payload,
        boolean isNewest,
        boolean mayStart,
        boolean mayAdminister) {

    public WorkflowPageModel {
        steps = List.copyOf(steps);
        payload = List.copyOf(payload);
    }

    /** Whether the payload is typed as JSON, and not in the fields of the form. */
    public boolean isJson(Form form) {
        return payload.isEmpty() || form.value(WorkflowPages.INPUT).equals("json");
    }

    /** A step in words, for those who do not see the drawing. */
    public record StepRow(
            String number,
            String name,
            String does,
            @Nullable String undo,
            String limits,
            @Nullable String when) {

        static StepRow of(Step step, Reader reader) {
            var number = Integer.toString(step.stage() + 1);
            var when = step.when() == null ? null : step.when().text();
            return switch (step.work()) {
                case Step.Timer timer ->
                    new StepRow(number, step.name(), reader.text(TimerText.of(timer)), null, "", when);
                case Step.Call call ->
                    new StepRow(
                            number,
                            step.name(),
                            StepWords.brief(call),
                            call.compensate(),
                            reader.text(limits(step)),
                            when);
                case Step.Signal signal ->
                    new StepRow(
                            number,
                            step.name(),
                            reader.text("saga.workflow.step-signal", "signal", signal.name()),
                            null,
                            reader.text(waits(step.timeout())),
                            when);
                case Step.Approval _ ->
                    new StepRow(
                            number,
                            step.name(),
                            reader.text("saga.workflow.step-approval"),
                            null,
                            reader.text(waits(step.timeout())),
                            when);
                case Step.Children children ->
                    new StepRow(
                            number,
                            step.name(),
                            StepWords.does(children, reader),
                            step.call().map(Step.Call::compensate).orElse(null),
                            reader.text(children.each() == null ? waits(step.timeout()) : limits(children.each())),
                            when);
                case Step.Continuation next ->
                    new StepRow(number, step.name(), StepWords.does(next, reader), null, "", when);
            };
        }

        private static Text limits(Step step) {
            var timeout = step.timeout();
            var attempts = attempts(step.retry());
            return timeout == null
                    ? attempts
                    : Text.of("saga.workflow.step-limits", "timeout", DurationText.text(timeout), "attempts", attempts);
        }

        private static Text attempts(RetryPolicy retry) {
            var attempts = Text.of("saga.workflow.step-attempts", "count", retry.maxAttempts());
            if (retry.maxAttempts() == 1) {
                return attempts;
            }
            var initial = DurationText.text(retry.initialInterval());
            return switch (retry.backoff()) {
                case NONE -> attempts;
                case FIXED -> Text.of("saga.workflow.step-apart", "attempts", attempts, "interval", initial);
                case EXPONENTIAL ->
                    Text.of(
                            "saga.workflow.step-growing",
                            "attempts",
                            attempts,
                            "min",
                            initial,
                            "max",
                            DurationText.text(retry.maxInterval()));
            };
        }

        private static Text waits(@Nullable Duration timeout) {
            return timeout == null
                    ? Text.of("saga.workflow.step-no-limit")
                    : Text.of("saga.workflow.step-up-to", "duration", DurationText.text(timeout));
        }
    }

    /** The rights of the reader. */
    record Rights(boolean start, boolean administer) {}

    static WorkflowPageModel of(Workflows.Details details, WorkflowVersion newest, Rights rights, Reader reader) {
        var version = details.version();
        var workflow = details.workflow();
        boolean isBuiltIn = Workflow.isBuiltIn(version.name());
        var total = workflow == null ? null : workflow.totalTimeout();
        boolean isNewest = version.version() == newest.version();
        return new WorkflowPageModel(
                WorkflowRow.of(version, reader),
                details.definition(),
                workflow == null ? null : Graph.of(workflow, reader),
                workflow == null
                        ? List.of()
                        : workflow.steps().stream()
                                .map(step -> StepRow.of(step, reader))
                                .toList(),
                total == null ? null : reader.text(DurationText.text(total)),
                workflow == null ? null : workflow.maxRunning(),
                workflow == null ? List.of() : workflow.payload().fields(),
                isNewest,
                isNewest && rights.start() && version.enabled() && !isBuiltIn,
                rights.administer() && !isBuiltIn);
    }
}
