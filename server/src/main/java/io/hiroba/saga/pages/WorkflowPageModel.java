package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.saga.pages.WorkflowPages.WorkflowRow;
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
 * @param isNewest whether new sagas get this version
 * @param mayStart whether the reader may start a saga, and the workflow is switched on
 * @param mayAdminister whether the reader may change it; nobody may change built-in ones
 */
public record WorkflowPageModel(
        WorkflowRow version,
        String source,
        @Nullable Graph graph,
        List<StepRow> steps,
        @Nullable String totalTimeout,
        List<WorkflowRow> versions,
        boolean isNewest,
        boolean mayStart,
        boolean mayAdminister) {

    public WorkflowPageModel {
        steps = List.copyOf(steps);
        versions = List.copyOf(versions);
    }

    /** A step in words, for those who do not see the drawing. */
    public record StepRow(
            String number,
            String name,
            String does,
            @Nullable String undo,
            String limits) {

        static StepRow of(Step step) {
            var number = Integer.toString(step.stage() + 1);
            return switch (step.work()) {
                case Step.Call call ->
                    new StepRow(
                            number,
                            step.name(),
                            call.service() + " · " + call.method(),
                            call.compensate(),
                            limits(step));
                case Step.Signal signal ->
                    new StepRow(
                            number, step.name(), "waits for the signal " + signal.name(), null, waits(step.timeout()));
            };
        }

        private static String limits(Step step) {
            var retry = step.retry();
            var timeout = step.timeout();
            var each = timeout == null ? "" : DurationText.text(timeout) + " each, ";
            return each + (retry.maxAttempts() == 1 ? "1 attempt" : retry.maxAttempts() + " attempts" + delays(retry));
        }

        private static String delays(RetryPolicy retry) {
            return switch (retry.backoff()) {
                case NONE -> "";
                case FIXED -> ", " + DurationText.text(retry.initialInterval()) + " apart";
                case EXPONENTIAL ->
                    ", " + DurationText.text(retry.initialInterval()) + " to " + DurationText.text(retry.maxInterval())
                            + " apart";
            };
        }

        private static String waits(@Nullable Duration timeout) {
            return timeout == null ? "no time limit" : "for up to " + DurationText.text(timeout);
        }
    }

    /** The rights of the reader. */
    record Rights(boolean start, boolean administer) {}

    static WorkflowPageModel of(
            Workflows.Details details, List<WorkflowVersion> versions, Rights rights, Reader when) {
        var version = details.version();
        var workflow = details.workflow();
        boolean isBuiltIn = Workflow.isBuiltIn(version.name());
        var total = workflow == null ? null : workflow.totalTimeout();
        return new WorkflowPageModel(
                WorkflowRow.of(version, when),
                details.definition(),
                workflow == null ? null : Graph.of(workflow),
                workflow == null
                        ? List.of()
                        : workflow.steps().stream().map(StepRow::of).toList(),
                total == null ? null : DurationText.text(total),
                versions.stream().map(each -> WorkflowRow.of(each, when)).toList(),
                version.version() == versions.getFirst().version(),
                rights.start() && version.enabled() && !isBuiltIn,
                rights.administer() && !isBuiltIn);
    }
}
