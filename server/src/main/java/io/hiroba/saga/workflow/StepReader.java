package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.FieldReader.Range;
import io.hiroba.saga.workflow.RetryPolicy.Backoff;
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
    private static final Text BACKOFF_RULE = Text.of("saga.definition.backoff");
    private static final Text UNKNOWN_OUTCOME_RULE = Text.of("saga.definition.unknown-outcome");
    private static final Pattern ANY = Pattern.compile(".*", Pattern.DOTALL);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Range INTERVAL = new Range(Duration.ZERO, Duration.ofDays(1));
    private static final int MAX_ATTEMPTS = 1000;
    private static final List<String> OF_CALLS =
            List.of("service", "method", "compensate", "retry", "input", "compensateInput", "unknownOutcome", "status");

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
        return new Step.Call(
                service, method, compensate, mapping("input", ""), mapping("compensateInput", name), unknown, status);
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
