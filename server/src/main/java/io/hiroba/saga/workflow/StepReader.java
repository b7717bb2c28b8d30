package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.FieldReader.Range;
import io.hiroba.saga.workflow.RetryPolicy.Backoff;
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
    private static final Text BACKOFF_RULE = Text.of("saga.definition.backoff");
    private static final Pattern ANY = Pattern.compile(".*", Pattern.DOTALL);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Range INTERVAL = new Range(Duration.ZERO, Duration.ofDays(1));
    private static final int MAX_ATTEMPTS = 1000;
    private static final List<String> OF_CALLS =
            List.of("service", "method", "compensate", "retry", "input", "compensateInput");

    private static final int MAX_PARALLEL_CHILDREN = 100;
    private static final int DEFAULT_PARALLEL_CHILDREN = 10;

    private final FieldReader keys;
    private final Set<String> earlier;

    /** @param earlier the names of the steps that are completed when this one begins */
    StepReader(FieldReader keys, Set<String> earlier) {
        this.keys = keys;
        this.earlier = earlier;
    }

    /** The step; its errors are collected, and invalid texts are empty. */
    Step read(int index, int stage) {
        var name = keys.requiredText("name", STEP_NAME, STEP_NAME_RULE);
        var timeout = keys.duration("timeout", "timeout_secs", Duration.ofSeconds(1), WorkflowReader.TIMEOUT);
        if (keys.has("waitForSignal")) {
            return new Step(index, stage, name, signal(), timeout, RetryPolicy.DEFAULT);
        }
        if (keys.has("workflow")) {
            return new Step(index, stage, name, children(), timeout, RetryPolicy.DEFAULT);
        }
        if (keys.has("continueAsNew")) {
            return new Step(index, stage, name, continuation(), timeout, RetryPolicy.DEFAULT);
        }
        return new Step(index, stage, name, call(name), timeout == null ? DEFAULT_TIMEOUT : timeout, retry());
    }

    private Step.Signal signal() {
        for (var key : OF_CALLS) {
            if (keys.has(key)) {
                keys.error(key, Text.of("saga.definition.not-with-signal"));
            }
        }
        return new Step.Signal(keys.requiredText("waitForSignal", WorkflowReader.NAME, WorkflowReader.NAME_RULE));
    }

    private Step.Children children() {
        refuse("workflow", "service", "method", "compensate", "retry", "compensateInput", "continueAsNew");
        var workflow = keys.requiredText("workflow", WorkflowReader.NAME, WorkflowReader.NAME_RULE);
        var list = keys.text("forEach", ANY, Text.of("saga.definition.for-each"));
        if (list != null && !list.startsWith("$.")) {
            keys.error("forEach", Text.of("saga.definition.for-each"));
        }
        if (list == null && keys.has("maxParallel")) {
            keys.error("maxParallel", Text.of("saga.definition.needs-for-each"));
        }
        var parallel = keys.integer("maxParallel", "max_parallel", 1, MAX_PARALLEL_CHILDREN);
        var node = keys.find("input");
        if (node == null && keys.isPresent("input")) {
            keys.error("input", Text.of("saga.definition.null-input"));
        }
        var inputs = new InputReader(keys, "input", earlier, "");
        return new Step.Children(
                workflow,
                node == null ? null : (list == null ? inputs : inputs.ofItems()).read(node),
                mapping("forEach", ""),
                parallel == null ? DEFAULT_PARALLEL_CHILDREN : parallel);
    }

    private Step.Continuation continuation() {
        refuse("continueAsNew", "service", "method", "compensate", "retry", "input", "compensateInput", "timeout");
        var next = keys.object("continueAsNew");
        if (next == null) {
            return new Step.Continuation(null, null);
        }
        var workflow = next.text("workflow", WorkflowReader.NAME, WorkflowReader.NAME_RULE);
        var node = next.find("payload");
        if (node == null && next.isPresent("payload")) {
            next.error("payload", Text.of("saga.definition.null-input"));
        }
        var payload = node == null ? null : new InputReader(next, "payload", earlier, "").read(node);
        next.rejectUnknown();
        return new Step.Continuation(workflow, payload);
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
        return new Step.Call(service, method, compensate, mapping("input", ""), mapping("compensateInput", name));
    }

    private @Nullable InputMapping mapping(String key, String own) {
        var node = keys.find(key);
        if (node == null && keys.isPresent(key)) {
            keys.error(key, Text.of("saga.definition.null-input"));
        }
        return node == null ? null : new InputReader(keys, key, earlier, own).read(node);
    }

    private RetryPolicy retry() {
        var retry = keys.object("retry");
        if (retry == null) {
            return RetryPolicy.DEFAULT;
        }
        var attempts = retry.integer("maxAttempts", "max_attempts", 1, MAX_ATTEMPTS);
        var backoff = backoff(retry);
        var initial = retry.duration("initialInterval", "initial_interval_ms", MILLISECOND, INTERVAL);
        var longest = retry.duration("maxInterval", "max_interval_ms", MILLISECOND, INTERVAL);
        var jitter = retry.fraction("jitter");
        if (initial != null && longest != null && longest.compareTo(initial) < 0) {
            retry.error("maxInterval", Text.of("saga.definition.interval"));
        }
        retry.rejectUnknown();
        var first = initial == null ? least(RetryPolicy.DEFAULT.initialInterval(), longest) : initial;
        return new RetryPolicy(
                attempts == null ? RetryPolicy.DEFAULT.maxAttempts() : attempts,
                backoff,
                first,
                longest == null ? most(RetryPolicy.DEFAULT.maxInterval(), first) : longest,
                jitter == null ? RetryPolicy.DEFAULT.jitter() : jitter);
    }

    private static Backoff backoff(FieldReader retry) {
        var text = retry.text("backoff", ANY, BACKOFF_RULE);
        if (text == null) {
            return RetryPolicy.DEFAULT.backoff();
        }
        for (var backoff : Backoff.values()) {
            if (backoff.name().toLowerCase(Locale.ROOT).equals(text)) {
                return backoff;
            }
        }
        retry.error("backoff", BACKOFF_RULE);
        return RetryPolicy.DEFAULT.backoff();
    }

    private static Duration least(Duration one, @Nullable Duration other) {
        return other == null || one.compareTo(other) < 0 ? one : other;
    }

    private static Duration most(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
