package io.hiroba.saga;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hiroba.platform.config.Durations;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.InputMapping;
import io.hiroba.saga.workflow.PayloadSchema;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        @Nullable Integer maxRunning,
        @Nullable List<StepView> steps,
        @Nullable List<List<String>> stages,
        Map<String, AttributeView> attributes,
        List<PayloadFieldView> payload) {

    /** A field of the payload. */
    record PayloadFieldView(
            String name,
            String label,
            String type,
            boolean required,
            List<String> options,

            @JsonProperty("default") @Nullable JsonNode initial) {

        static PayloadFieldView of(PayloadSchema.PayloadField each) {
            var field = each.field();
            var type = field.type().name().toLowerCase(Locale.ROOT);
            return new PayloadFieldView(
                    field.name(), field.label(), type, field.required(), field.options(), each.initial());
        }
    }

    /** A search attribute: its type and what it is made of. */
    record AttributeView(String type, JsonNode value) {

        static Map<String, AttributeView> all(@Nullable Workflow workflow) {
            var all = new LinkedHashMap<String, AttributeView>();
            if (workflow != null) {
                workflow.attributes()
                        .forEach(each -> all.put(
                                each.name(),
                                new AttributeView(
                                        each.type().name().toLowerCase(Locale.ROOT),
                                        each.value().template())));
            }
            return all;
        }
    }

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
                workflow == null ? null : workflow.maxRunning(),
                workflow == null
                        ? null
                        : workflow.steps().stream().map(StepView::of).toList(),
                workflow == null
                        ? null
                        : workflow.stages().stream()
                                .map(stage -> stage.stream().map(Step::name).toList())
                                .toList(),
                AttributeView.all(workflow),
                workflow == null
                        ? List.of()
                        : workflow.payload().fields().stream()
                                .map(PayloadFieldView::of)
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

    /** A version that was registered, with what it names that is not there. */
    record Registered(
            String name,
            int version,
            boolean enabled,
            String format,
            String createdBy,
            Instant createdAt,
            List<String> warnings) {

        static Registered of(WorkflowVersion version, List<Text> warnings, Language language) {
            var item = Item.of(version);
            return new Registered(
                    item.name(),
                    item.version(),
                    item.enabled(),
                    item.format(),
                    item.createdBy(),
                    item.createdAt(),
                    warnings.stream().map(warning -> warning.in(language)).toList());
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
            @Nullable ApprovalView approval,
            @Nullable String when,
            @Nullable JsonNode output,
            @Nullable String sleep,
            @Nullable String until,
            @Nullable String unknownOutcome,
            @Nullable String status,
            @Nullable String workflow,
            @Nullable JsonNode forEach,
            @Nullable Integer maxParallel,
            @Nullable ContinuationView continueAsNew) {

        static StepView of(Step step) {
            var call = step.call().orElse(null);
            var signal = step.work() instanceof Step.Signal is ? is : null;
            var approval = step.work() instanceof Step.Approval is ? is : null;
            var timer = step.work() instanceof Step.Timer is ? is : null;
            var children = step.work() instanceof Step.Children is ? is : null;
            var next = step.work() instanceof Step.Continuation is ? is : null;
            var each = children == null ? null : children.each();
            var of = each == null ? step : each;
            return new StepView(
                    step.index(),
                    step.stage(),
                    step.name(),
                    call == null ? null : call.service(),
                    call == null ? null : call.method(),
                    call == null ? null : call.compensate(),
                    signal == null ? null : signal.name(),
                    timer == null ? text(of.timeout()) : null,
                    call == null ? null : RetryView.of(of.retry()),
                    children != null ? template(children.input()) : call == null ? null : template(call.input()),
                    call == null ? null : template(call.compensateInput()),
                    approval == null ? null : ApprovalView.of(approval),
                    step.when() == null ? null : step.when().text(),
                    template(step.output()),
                    timer == null || timer.isUntil() ? null : timer.text(),
                    timer == null || !timer.isUntil() ? null : timer.text(),
                    call == null || call.compensate() == null
                            ? null
                            : call.unknownOutcome().name().toLowerCase(Locale.ROOT),
                    call == null ? null : call.status(),
                    children == null || each != null ? null : children.workflow(),
                    children == null ? null : template(children.forEach()),
                    children == null || children.forEach() == null ? null : children.maxParallel(),
                    next == null ? null : new ContinuationView(next.workflow(), template(next.payload())));
        }

        private static @Nullable JsonNode template(@Nullable InputMapping mapping) {
            return mapping == null ? null : mapping.template();
        }
    }

    /** An approval; its deadline is the timeout of the step. */
    record ApprovalView(
            JsonNode assignees,
            String title,
            String text,
            List<FieldView> form,
            int quorum,
            @Nullable String reminder,
            @Nullable JsonNode escalateTo) {

        static ApprovalView of(Step.Approval approval) {
            return new ApprovalView(
                    approval.assignees().template(),
                    approval.title(),
                    approval.text(),
                    FieldView.of(approval.form()),
                    approval.quorum(),
                    WorkflowView.text(approval.reminder()),
                    StepView.template(approval.escalateTo()));
        }
    }

    /** A field of a form. */
    record FieldView(String name, String label, String type, boolean required, List<String> options) {

        static List<FieldView> of(List<Step.Field> form) {
            return form.stream()
                    .map(field -> new FieldView(
                            field.name(),
                            field.label(),
                            field.type().name().toLowerCase(Locale.ROOT),
                            field.required(),
                            field.options()))
                    .toList();
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
