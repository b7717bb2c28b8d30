package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.workflow.FieldReader.Range;
import io.hiroba.saga.workflow.SourceNode.Fields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and validates a workflow. Its errors are one problem with every line and reason; nothing else is thrown, whatever
 * the text.
 */
final class WorkflowReader {

    static final int MAX_TEXT_LENGTH = 256 * 1024;
    static final int MAX_STEPS = 200;
    static final int MAX_PARALLEL = 50;
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");
    static final Text NAME_RULE = Text.of("saga.definition.name");
    static final Range TIMEOUT = new Range(Duration.ofMillis(1), Duration.ofDays(30));

    /** The name that a page has. */
    private static final String RESERVED_NAME = "new";

    private static final Duration DEFAULT_TOTAL = Duration.ofMinutes(5);

    private final ValidationErrors errors = new ValidationErrors();
    private final List<Step> steps = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> signals = new HashSet<>();

    private WorkflowReader() {}

    /** The workflow that {@code text} describes, or a problem {@code saga.bad-workflow}. */
    static WorkflowDefinition read(String text, WorkflowFormat format) {
        return new WorkflowReader().definition(text, format);
    }

    static SourceNode parse(String text, WorkflowFormat format, ValidationErrors errors) {
        if (text.length() > MAX_TEXT_LENGTH) {
            throw ValidationErrors.unreadable(SourcePosition.START, Text.of("saga.definition.too-large"));
        }
        if (!StorableJson.isStorable(text)) {
            throw ValidationErrors.unreadable(SourcePosition.START, Text.of("saga.field.storable"));
        }
        return switch (format) {
            case YAML -> YamlSourceParser.parse(text, errors);
            case JSON -> JsonSourceParser.parse(text, errors);
        };
    }

    private WorkflowDefinition definition(String text, WorkflowFormat format) {
        var root = parse(text, format, errors);
        if (!(root instanceof Fields fields)) {
            throw ValidationErrors.unreadable(root.position(), Text.of("saga.definition.root"));
        }
        var keys = new FieldReader(fields, "", errors);
        var name = keys.requiredText("name", NAME, NAME_RULE);
        if (name.equals(RESERVED_NAME)) {
            keys.error("name", Text.of("saga.definition.reserved-name", "name", RESERVED_NAME));
        }
        var version = keys.integer("version", "version", 1, Integer.MAX_VALUE);
        var enabled = keys.flag("enabled");
        var total = keys.duration("totalTimeout", "total_timeout_secs", Duration.ofSeconds(1), TIMEOUT);
        int stage = 0;
        var items = keys.items("steps", MAX_STEPS);
        for (int i = 0; i < items.size(); i++) {
            stage(items.get(i), "steps[%d]".formatted(i), stage++);
        }
        if (steps.size() > MAX_STEPS) {
            keys.error("steps", Text.of("saga.definition.too-many-steps", "max", MAX_STEPS));
        }
        keys.rejectUnknown();
        errors.check();
        return new WorkflowDefinition(name, version, enabled, steps, total == null ? defaultTotal() : total);
    }

    /** No default where a step waits for a signal, or for sagas that may: a person may take any time. */
    private @Nullable Duration defaultTotal() {
        return steps.stream()
                        .anyMatch(step -> step.work() instanceof Step.Signal || step.work() instanceof Step.Children)
                ? null
                : DEFAULT_TOTAL;
    }

    /** The saga ends with its continuation, so nothing may come after or beside it. */
    private void checkContinuation(FieldReader keys, Step step) {
        if (!steps.isEmpty() && steps.getLast().work() instanceof Step.Continuation) {
            keys.error(
                    "name",
                    Text.of(
                            "saga.definition.after-continuation",
                            "step",
                            steps.getLast().name()));
        }
        if (step.work() instanceof Step.Continuation
                && !steps.isEmpty()
                && steps.getLast().stage() == step.stage()) {
            keys.error("continueAsNew", Text.of("saga.definition.parallel-continuation"));
        }
    }

    private void stage(SourceNode item, String path, int stage) {
        if (!(item instanceof Fields fields)) {
            errors.add(item.position(), path, Text.of("saga.definition.step"));
            return;
        }
        var keys = new FieldReader(fields, path, errors);
        var earlier = Set.copyOf(names);
        if (!keys.has("parallel")) {
            add(keys, stage, earlier);
            return;
        }
        var group = keys.items("parallel", MAX_PARALLEL);
        for (int i = 0; i < group.size(); i++) {
            var position = "%s.parallel[%d]".formatted(path, i);
            if (!(group.get(i) instanceof Fields member)) {
                errors.add(group.get(i).position(), position, Text.of("saga.definition.step"));
                continue;
            }
            var inner = new FieldReader(member, position, errors);
            if (inner.has("parallel")) {
                inner.error("parallel", Text.of("saga.definition.nested-parallel"));
            }
            add(inner, stage, earlier);
        }
        keys.rejectUnknown();
    }

    private void add(FieldReader keys, int stage, Set<String> earlier) {
        var step = new StepReader(keys, earlier).read(steps.size(), stage);
        keys.rejectUnknown();
        if (!step.name().isEmpty() && !names.add(step.name())) {
            keys.error("name", Text.of("saga.definition.duplicate-step"));
        }
        if (step.work() instanceof Step.Signal signal && !signal.name().isEmpty() && !signals.add(signal.name())) {
            keys.error("waitForSignal", Text.of("saga.definition.duplicate-signal"));
        }
        checkContinuation(keys, step);
        steps.add(step);
    }
}
