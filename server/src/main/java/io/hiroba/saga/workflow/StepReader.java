package io.hiroba.saga.workflow;

import io.hiroba.platform.expression.Expression;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.Step.UnknownOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one step of a workflow. */
final class StepReader {

    /** No dot: it would end the name where an input refers to the step. */
    static final Pattern STEP_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,254}");

    /** Becomes part of a URL's path, and must not lead out of it. */
    static final Pattern METHOD =
            Pattern.compile("(?=.{1,255}$)[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");

    private static final Text STEP_NAME_RULE = Text.of("saga.definition.step-name");
    private static final Text METHOD_RULE = Text.of("saga.definition.method");
    private static final Text UNKNOWN_OUTCOME_RULE = Text.of("saga.definition.unknown-outcome");
    private static final Pattern ANY = Pattern.compile(".*", Pattern.DOTALL);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    /** Longer than a run of an agent may take, with some that wait before it. */
    private static final Duration AGENT_TIMEOUT = Duration.ofMinutes(20);

    /** The service that agents are here. */
    static final String AGENTS = "hiroba.agents";

    private static final List<String> OF_CALLS =
            List.of("service", "method", "compensate", "retry", "input", "compensateInput", "unknownOutcome", "status");
    private static final List<String> OF_OTHERS = List.of("timeout", "timeout_secs", "waitForSignal", "output");

    private static final int MAX_PARALLEL_CHILDREN = 100;
    private static final int DEFAULT_PARALLEL_CHILDREN = 10;

    /** What the name of the workflow of a saga may have. */
    private static final int MAX_NAME_LENGTH = 255;

    private final FieldReader keys;
    private final Set<String> earlier;
    private final String workflow;

    /**
     * @param earlier the names of the steps that are completed when this one begins
     * @param workflow the name of the workflow
     */
    StepReader(FieldReader keys, Set<String> earlier, String workflow) {
        this.keys = keys;
        this.earlier = earlier;
        this.workflow = workflow;
    }

    /**
     * The step; its errors are collected, and invalid texts are empty.
     *
     * @param inherited the condition of the case that it belongs to; null where it belongs to none
     */
    Step read(int index, int stage, @Nullable StepCondition inherited) {
        var step = read(index, stage);
        var own = condition("when");
        var when = own == null ? inherited : inherited == null ? new StepCondition(List.of(own)) : inherited.and(own);
        var output = step.work() instanceof Step.Timer ? null : output();
        return new Step(
                step.index(), step.stage(), step.name(), step.work(), step.timeout(), step.retry(), when, output);
    }

    /** The expression of {@code key} as a term that has to be true; null where there is none, or it is invalid. */
    StepCondition.@Nullable Term condition(String key) {
        var source = keys.text(key, ANY, METHOD_RULE);
        var node = keys.find(key);
        if (source == null || node == null) {
            return null;
        }
        var expression = new InputReader(keys, key, earlier, "").expression(node.position(), source);
        if (expression != null && !expression.mayBeBoolean()) {
            keys.error(node.position(), key, Text.of("expression.not-boolean"));
        }
        return new StepCondition.Term(source, true);
    }

    private @Nullable InputMapping output() {
        var node = keys.find("output");
        if (node == null && keys.isPresent("output")) {
            keys.error("output", Text.of("saga.definition.null-input"));
        }
        return node == null ? null : new InputReader(keys, "output", earlier, "", SagaValues.OUTPUT_SCOPE).read(node);
    }

    private Step read(int index, int stage) {
        var name = keys.requiredText("name", STEP_NAME, STEP_NAME_RULE);
        if (keys.has("sleep") || keys.has("until")) {
            return new Step(index, stage, name, timer(), null, RetryPolicy.DEFAULT);
        }
        var timeout = keys.duration("timeout", "timeout_secs", Duration.ofSeconds(1), WorkflowReader.TIMEOUT);
        if (keys.has("waitForSignal")) {
            return new Step(index, stage, name, signal(), timeout, RetryPolicy.DEFAULT);
        }
        if (keys.has("approval")) {
            return approval(index, stage, name);
        }
        if (keys.has("agent")) {
            return forEach(new Step(
                    index, stage, name, agent(), timeout == null ? AGENT_TIMEOUT : timeout, RetryPolicy.DEFAULT));
        }
        if (keys.has("workflow")) {
            return new Step(index, stage, name, children(), timeout, RetryPolicy.DEFAULT);
        }
        if (keys.has("continueAsNew")) {
            return new Step(index, stage, name, continuation(), timeout, RetryPolicy.DEFAULT);
        }
        return forEach(new Step(
                index, stage, name, call(name), timeout == null ? DEFAULT_TIMEOUT : timeout, RetryReader.read(keys)));
    }

    /** The step, or sagas of it alone for the elements of its list. */
    private Step forEach(Step step) {
        var list = list();
        int parallel = maxParallel();
        if (list == null) {
            return step;
        }
        var each = Workflow.nameOfEach(workflow, step.name());
        if (each.length() > MAX_NAME_LENGTH) {
            keys.error("name", Text.of("saga.definition.name-of-each", "max", MAX_NAME_LENGTH));
        }
        return step.forEach(each, list, parallel);
    }

    private @Nullable InputMapping list() {
        var list = keys.text("forEach", ANY, Text.of("saga.definition.for-each"));
        if (list != null && !list.startsWith("$.")) {
            keys.error("forEach", Text.of("saga.definition.for-each"));
        }
        return mapping("forEach", "");
    }

    private int maxParallel() {
        if (!keys.has("forEach") && keys.has("maxParallel")) {
            keys.error("maxParallel", Text.of("saga.definition.needs-for-each"));
        }
        var parallel = keys.integer("maxParallel", "max_parallel", 1, MAX_PARALLEL_CHILDREN);
        return parallel == null ? DEFAULT_PARALLEL_CHILDREN : parallel;
    }

    /** What inputs may refer to. */
    private Expression.Scope scope() {
        return keys.has("forEach") ? SagaValues.ELEMENT_SCOPE : SagaValues.SCOPE;
    }

    private Step approval(int index, int stage, String name) {
        for (var key : OF_CALLS) {
            if (keys.has(key)) {
                keys.error(key, Text.of("saga.definition.not-with-approval"));
            }
        }
        for (var key : List.of("timeout", "timeout_secs")) {
            if (keys.has(key)) {
                keys.error(key, Text.of("saga.definition.deadline-instead"));
            }
        }
        var approval = new ApprovalReader(keys.object("approval"), earlier);
        return new Step(index, stage, name, approval.read(), approval.deadline(), RetryPolicy.DEFAULT);
    }

    /** A question to an agent: a call of the service that agents are here. */
    private Step.Call agent() {
        refuse("agent", OF_CALLS.toArray(String[]::new));
        refuse("agent", "workflow", "continueAsNew");
        var question = keys.object("agent");
        var node = keys.find("agent");
        if (question == null || node == null) {
            return new Step.Call(AGENTS, "ask", null, null, null, UnknownOutcome.IGNORE, null);
        }
        question.requiredText("nickname", ANY, METHOD_RULE);
        question.requiredText("prompt", ANY, METHOD_RULE);
        if (question.find("data") == null && question.isPresent("data")) {
            question.error("data", Text.of("saga.definition.null-input"));
        }
        FormFieldReader.answer(question);
        question.rejectUnknown();
        return new Step.Call(
                AGENTS,
                "ask",
                null,
                new InputReader(keys, "agent", earlier, "", scope()).read(node),
                null,
                UnknownOutcome.IGNORE,
                null);
    }

    private Step.Signal signal() {
        for (var key : OF_CALLS) {
            if (keys.has(key)) {
                keys.error(key, Text.of("saga.definition.not-with-signal"));
            }
        }
        if (keys.has("approval")) {
            keys.error("approval", Text.of("saga.definition.not-with-signal"));
        }
        return new Step.Signal(keys.requiredText("waitForSignal", WorkflowReader.NAME, WorkflowReader.NAME_RULE));
    }

    private Step.Timer timer() {
        boolean isUntil = !keys.has("sleep");
        var key = isUntil ? "until" : "sleep";
        if (!isUntil && keys.has("until")) {
            keys.error("until", Text.of("saga.definition.not-with-timer", "key", key));
        }
        for (var other : OF_CALLS) {
            notWithTimer(other, key);
        }
        for (var other : OF_OTHERS) {
            notWithTimer(other, key);
        }
        var text = keys.requiredText(key, ANY, METHOD_RULE);
        var node = keys.find(key);
        var mapping = new InputMapping(Scalars.text(text));
        if (node == null || text.isEmpty()) {
            return new Step.Timer(isUntil, mapping);
        }
        var reader = new InputReader(keys, key, earlier, "");
        if (InputMapping.isExpression(text)) {
            var expression = reader.expression(node.position(), text.substring(InputMapping.EXPRESSION.length()));
            if (expression != null && !(isUntil ? expression.mayBeMoment() : expression.mayBeDuration())) {
                keys.error(key, timerRule(isUntil));
            }
        } else if (text.startsWith("$.")) {
            reader.read(node);
        } else if (isUntil ? Step.Timer.moment(text).isEmpty() : !isSleep(text)) {
            keys.error(key, timerRule(isUntil));
        }
        return new Step.Timer(isUntil, mapping);
    }

    private static boolean isSleep(String text) {
        return Step.Timer.duration(text)
                .filter(duration -> !duration.isNegative() && duration.compareTo(Step.Timer.MAX) <= 0)
                .isPresent();
    }

    private static Text timerRule(boolean isUntil) {
        return isUntil ? Text.of("saga.definition.until") : Text.of("saga.definition.sleep");
    }

    private void notWithTimer(String key, String timer) {
        if (keys.has(key)) {
            keys.error(key, Text.of("saga.definition.not-with-timer", "key", timer));
        }
    }

    private Step.Children children() {
        refuse("workflow", "service", "method", "compensate", "retry", "compensateInput", "continueAsNew");
        var child = keys.requiredText("workflow", WorkflowReader.NAME, WorkflowReader.NAME_RULE);
        var list = list();
        int parallel = maxParallel();
        var input = mapping(new InputReader(keys, "input", earlier, "", scope()), "input");
        return new Step.Children(child, input, list, parallel);
    }

    private Step.Continuation continuation() {
        refuse(
                "continueAsNew",
                "service",
                "method",
                "compensate",
                "retry",
                "input",
                "compensateInput",
                "timeout",
                "output");
        var next = keys.object("continueAsNew");
        if (next == null) {
            return new Step.Continuation(null, null);
        }
        var named = next.text("workflow", WorkflowReader.NAME, WorkflowReader.NAME_RULE);
        var node = next.find("payload");
        if (node == null && next.isPresent("payload")) {
            next.error("payload", Text.of("saga.definition.null-input"));
        }
        var payload = node == null ? null : new InputReader(next, "payload", earlier, "").read(node);
        next.rejectUnknown();
        return new Step.Continuation(named, payload);
    }

    /** Reports keys that a step of this kind does not have. */
    private void refuse(String kind, String... others) {
        for (var key : others) {
            if (keys.has(key)) {
                keys.error(key, Text.of("saga.definition.not-with", "key", kind));
            }
        }
    }

    private Step.Call call(String name) {
        var service = keys.requiredText("service", WorkflowReader.NAME, WorkflowReader.NAME_RULE);
        var method = keys.requiredText("method", METHOD, METHOD_RULE);
        var compensate = keys.text("compensate", METHOD, METHOD_RULE);
        if (keys.has("compensateInput") && !keys.has("compensate")) {
            keys.error("compensateInput", Text.of("saga.definition.needs-compensate"));
        }
        var unknown = unknownOutcome();
        var status = keys.text("status", METHOD, METHOD_RULE);
        if (keys.has("unknownOutcome") && !keys.has("compensate")) {
            keys.error("unknownOutcome", Text.of("saga.definition.needs-compensate"));
        }
        if ((unknown == UnknownOutcome.ASK) != keys.has("status")) {
            keys.error("status", Text.of("saga.definition.status-to-ask"));
        }
        var undo = keys.has("forEach")
                ? new InputReader(keys, "compensateInput", Set.of(), name, SagaValues.UNDO_SCOPE)
                : new InputReader(keys, "compensateInput", earlier, name);
        return new Step.Call(
                service,
                method,
                compensate,
                mapping(new InputReader(keys, "input", earlier, "", scope()), "input"),
                mapping(undo, "compensateInput"),
                unknown,
                status);
    }

    private UnknownOutcome unknownOutcome() {
        var text = keys.text("unknownOutcome", ANY, UNKNOWN_OUTCOME_RULE);
        if (text == null) {
            return UnknownOutcome.COMPENSATE;
        }
        for (var each : UnknownOutcome.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
                return each;
            }
        }
        keys.error("unknownOutcome", UNKNOWN_OUTCOME_RULE);
        return UnknownOutcome.COMPENSATE;
    }

    private @Nullable InputMapping mapping(String key, String own) {
        return mapping(new InputReader(keys, key, earlier, own), key);
    }

    private @Nullable InputMapping mapping(InputReader reader, String key) {
        var node = keys.find(key);
        if (node == null && keys.isPresent(key)) {
            keys.error(key, Text.of("saga.definition.null-input"));
        }
        return node == null ? null : reader.read(node);
    }
}
