package io.hiroba.saga.workflow;

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
 * Reads a workflow as it is written down. What is wrong with it is a problem that says every line and reason; nothing
 * else is ever thrown, whatever the text.
 */
final class WorkflowReader {

    static final int LARGEST = 256 * 1024;
    static final int MOST_STEPS = 200;
    static final int MOST_SIDE_BY_SIDE = 50;
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");
    static final String NAME_RULE =
            "must have 1 to 255 letters, digits, dots, dashes and underscores," + " and begin with a letter or a digit";
    static final Range TIMEOUT = new Range(Duration.ofMillis(1), Duration.ofDays(30));

    /** Where the page stands on which a workflow is registered. */
    private static final String FORM = "new";

    private static final Duration DEFAULT_TOTAL = Duration.ofMinutes(5);

    private final ValidationErrors mistakes = new ValidationErrors();
    private final List<Step> steps = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> signals = new HashSet<>();

    private WorkflowReader() {}

    /** The workflow that {@code text} describes, or a problem {@code saga.bad-workflow}. */
    static WorkflowDefinition read(String text, WorkflowFormat format) {
        return new WorkflowReader().definition(text, format);
    }

    static SourceNode parse(String text, WorkflowFormat format, ValidationErrors mistakes) {
        if (text.length() > LARGEST) {
            throw ValidationErrors.unreadable(SourcePosition.START, "is larger than 256 KB");
        }
        if (!StorableJson.isStorable(text)) {
            throw ValidationErrors.unreadable(SourcePosition.START, "holds a character that cannot be kept");
        }
        return switch (format) {
            case YAML -> YamlParser.parse(text, mistakes);
            case JSON -> JsonText.parse(text, mistakes);
        };
    }

    private WorkflowDefinition definition(String text, WorkflowFormat format) {
        var root = parse(text, format, mistakes);
        if (!(root instanceof Fields fields)) {
            throw ValidationErrors.unreadable(root.place(), "must be an object with `name` and `steps`");
        }
        var keys = new FieldReader(fields, "", mistakes);
        var name = keys.requiredText("name", NAME, NAME_RULE);
        if (name.equals(FORM)) {
            keys.mistake("name", "must not be `%s`: a page has that address".formatted(FORM));
        }
        var version = keys.whole("version", "version", 1, Integer.MAX_VALUE);
        var enabled = keys.truth("enabled");
        var total = keys.duration("totalTimeout", "total_timeout_secs", Duration.ofSeconds(1), TIMEOUT);
        int stage = 0;
        var items = keys.items("steps", MOST_STEPS);
        for (int i = 0; i < items.size(); i++) {
            stage(items.get(i), "steps[%d]".formatted(i), stage++);
        }
        if (steps.size() > MOST_STEPS) {
            keys.mistake("steps", "must not be more than %d with those side by side".formatted(MOST_STEPS));
        }
        keys.refuseOthers();
        mistakes.check();
        return new WorkflowDefinition(name, version, enabled, steps, total == null ? defaultTotal() : total);
    }

    /** Whoever waits for a person should not be timed out by a limit that nobody set. */
    private @Nullable Duration defaultTotal() {
        return steps.stream().anyMatch(step -> step.work() instanceof Step.Signal) ? null : DEFAULT_TOTAL;
    }

    private void stage(SourceNode item, String path, int stage) {
        if (!(item instanceof Fields fields)) {
            mistakes.add(item.place(), path, "must be a step: an object with keys");
            return;
        }
        var keys = new FieldReader(fields, path, mistakes);
        var earlier = Set.copyOf(names);
        if (!keys.has("parallel")) {
            add(keys, stage, earlier);
            return;
        }
        var group = keys.items("parallel", MOST_SIDE_BY_SIDE);
        for (int i = 0; i < group.size(); i++) {
            var place = "%s.parallel[%d]".formatted(path, i);
            if (!(group.get(i) instanceof Fields member)) {
                mistakes.add(group.get(i).place(), place, "must be a step: an object with keys");
                continue;
            }
            var inner = new FieldReader(member, place, mistakes);
            if (inner.has("parallel")) {
                inner.mistake("parallel", "must not stand in another `parallel`");
            }
            add(inner, stage, earlier);
        }
        keys.refuseOthers();
    }

    private void add(FieldReader keys, int stage, Set<String> earlier) {
        var step = new StepReader(keys, earlier).read(steps.size(), stage);
        keys.refuseOthers();
        if (!step.name().isEmpty() && !names.add(step.name())) {
            keys.mistake("name", "is the name of another step too");
        }
        if (step.work() instanceof Step.Signal signal && !signal.name().isEmpty() && !signals.add(signal.name())) {
            keys.mistake("waitForSignal", "is what another step waits for");
        }
        steps.add(step);
    }
}
