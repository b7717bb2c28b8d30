package io.hiroba.saga;

import io.hiroba.platform.config.Durations;
import io.hiroba.saga.workflow.InputMapping;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A version of a workflow as JSON, with its text.
 *
 * @param steps null, like {@code stages}, if the text can no longer be read
 * @param stages the names of the steps of each stage, in order
 */
record WorkflowView(
        String name,
        int version,
        boolean enabled,
        String format,
        String createdBy,
        Instant createdAt,
        String definition,
        @Nullable String totalTimeout,
        @Nullable List<StepView> steps,
        @Nullable List<List<String>> stages) {

    static WorkflowView of(Workflows.Details details) {
        var version = details.version();
        var workflow = details.workflow();
        return new WorkflowView(
                version.name(),
                version.version(),
                version.enabled(),
                version.format().code(),
                version.createdBy(),
                version.createdAt(),
                details.definition(),
                workflow == null ? null : text(workflow.totalTimeout()),
                workflow == null
                        ? null
                        : workflow.steps().stream().map(StepView::of).toList(),
                workflow == null
                        ? null
                        : workflow.stages().stream()
                                .map(stage -> stage.stream().map(Step::name).toList())
                                .toList());
    }

    private static @Nullable String text(@Nullable Duration duration) {
        return duration == null ? null : Durations.text(duration);
    }

    /** A version in a list. */
    record Item(String name, int version, boolean enabled, String format, String createdBy, Instant createdAt) {

        static Item of(WorkflowVersion version) {
            return new Item(
                    version.name(),
                    version.version(),
                    version.enabled(),
                    version.format().code(),
                    version.createdBy(),
                    version.createdAt());
        }
    }

    /** A step with its defaults filled in. */
    record StepView(
            int index,
            int stage,
            String name,
            @Nullable String service,
            @Nullable String method,
            @Nullable String compensate,
            @Nullable String waitForSignal,
            @Nullable String timeout,
            @Nullable RetryView retry,
            @Nullable JsonNode input,
            @Nullable JsonNode compensateInput,
            @Nullable String workflow,
            @Nullable JsonNode forEach,
            @Nullable Integer maxParallel,
            @Nullable ContinuationView continueAsNew) {

        static StepView of(Step step) {
            return switch (step.work()) {
                case Step.Signal signal ->
                    new StepView(
                            step.index(),
                            step.stage(),
                            step.name(),
                            null,
                            null,
                            null,
                            signal.name(),
                            text(step.timeout()),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null);
                case Step.Children children -> ofChildren(step, children);
                case Step.Continuation next -> ofContinuation(step, next);
                case Step.Call call ->
                    new StepView(
                            step.index(),
                            step.stage(),
                            step.name(),
                            call.service(),
                            call.method(),
                            call.compensate(),
                            null,
                            text(step.timeout()),
                            RetryView.of(step.retry()),
                            template(call.input()),
                            template(call.compensateInput()),
                            null,
                            null,
                            null,
                            null);
            };
        }

        private static StepView ofChildren(Step step, Step.Children children) {
            return new StepView(
                    step.index(),
                    step.stage(),
                    step.name(),
                    null,
                    null,
                    null,
                    null,
                    text(step.timeout()),
                    null,
                    template(children.input()),
                    null,
                    children.workflow(),
                    template(children.forEach()),
                    children.forEach() == null ? null : children.maxParallel(),
                    null);
        }

        private static StepView ofContinuation(Step step, Step.Continuation next) {
            return new StepView(
                    step.index(),
                    step.stage(),
                    step.name(),
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    new ContinuationView(next.workflow(), template(next.payload())));
        }

        private static @Nullable JsonNode template(@Nullable InputMapping mapping) {
            return mapping == null ? null : mapping.template();
        }
    }

    /** The successor of a saga; null stands for the same workflow and payload. */
    record ContinuationView(
            @Nullable String workflow, @Nullable JsonNode payload) {}

    record RetryView(int maxAttempts, String backoff, String initialInterval, String maxInterval, double jitter) {

        static RetryView of(RetryPolicy retry) {
            return new RetryView(
                    retry.maxAttempts(),
                    retry.backoff().name().toLowerCase(Locale.ROOT),
                    Durations.text(retry.initialInterval()),
                    Durations.text(retry.maxInterval()),
                    retry.jitter());
        }
    }
}
