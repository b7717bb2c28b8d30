package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.workflow.FieldReader.Range;
import io.hiroba.saga.workflow.SourceNode.Fields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and validates a workflow. Its errors are one problem with every line and reason; nothing else is thrown, whatever
 * the text.
 */
final class WorkflowReader {

    static final int MAX_TEXT_LENGTH = 256 * 1024;
    static final int MAX_STEPS = 200;
    static final int MAX_PARALLEL = 50;
    private static final int MAX_CASES = 20;
    private static final int MAX_RUNNING = 100_000;
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
    private String name = "";

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
        name = keys.requiredText("name", NAME, NAME_RULE);
        if (name.equals(RESERVED_NAME)) {
            keys.error("name", Text.of("saga.definition.reserved-name", "name", RESERVED_NAME));
        }
        var version = keys.integer("version", "version", 1, Integer.MAX_VALUE);
        var enabled = keys.flag("enabled");
        var total = keys.duration("totalTimeout", "total_timeout_secs", Duration.ofSeconds(1), TIMEOUT);
        var running = keys.integer("maxRunning", "max_running", 1, MAX_RUNNING);
        var attributes = AttributesReader.read(keys);
        var payload = FormFieldReader.payload(keys);
        int stage = 0;
        var items = keys.items("steps", MAX_STEPS);
        for (int i = 0; i < items.size(); i++) {
            stage += stages(items.get(i), new Place("steps[%d]".formatted(i), stage, Set.copyOf(names), null));
        }
        var result = keys.find("output");
        var output = result == null ? null : new InputReader(keys, "output", names, "").read(result);
        if (steps.size() > MAX_STEPS) {
            keys.error("steps", Text.of("saga.definition.too-many-steps", "max", MAX_STEPS));
        }
        keys.rejectUnknown();
        errors.check();
        return new WorkflowDefinition(
                name,
                version,
                enabled,
                inOrder(),
                total == null ? defaultTotal() : total,
                attributes,
                output,
                running,
                payload);
    }

    /** No default where a step waits for people, agents or a set time, which may take any time. */
    private @Nullable Duration defaultTotal() {
        return steps.stream().allMatch(step -> step.work() instanceof Step.Call && !step.asksAgent())
                ? DEFAULT_TOTAL
                : null;
    }

    /** The saga ends with its continuation, so nothing may come after or beside it. */
    private void checkContinuation(FieldReader keys, Step step) {
        steps.stream()
                .filter(earlier -> earlier.work() instanceof Step.Continuation)
                .findFirst()
                .ifPresent(
                        last -> keys.error("name", Text.of("saga.definition.after-continuation", "step", last.name())));
        if (step.work() instanceof Step.Continuation
                && steps.stream().anyMatch(other -> other.stage() >= step.stage())) {
            keys.error("continueAsNew", Text.of("saga.definition.parallel-continuation"));
        }
    }

    /** By stage: those of the cases of a switch lie beside each other. */
    private List<Step> inOrder() {
        var sorted = steps.stream().sorted(Comparator.comparingInt(Step::stage)).toList();
        return IntStream.range(0, sorted.size())
                .mapToObj(index -> sorted.get(index).at(index))
                .toList();
    }

    /**
     * The place of steps in a workflow.
     *
     * @param stage the first that they belong to
     * @param earlier the names of the steps that are completed when they begin
     * @param when the condition of the case that they belong to; null where they belong to none
     */
    private record Place(
            String path,
            int stage,
            Set<String> earlier,
            @Nullable StepCondition when) {}

    /** Reads a step or a group of steps and returns how many stages they take. */
    private int stages(SourceNode item, Place place) {
        var path = place.path();
        if (!(item instanceof Fields fields)) {
            errors.add(item.position(), path, Text.of("saga.definition.step"));
            return 1;
        }
        var keys = new FieldReader(fields, path, errors);
        if (keys.has("switch")) {
            return cases(keys, place);
        }
        if (!keys.has("parallel")) {
            add(keys, place);
            return 1;
        }
        var group = keys.items("parallel", MAX_PARALLEL);
        for (int i = 0; i < group.size(); i++) {
            var position = "%s.parallel[%d]".formatted(path, i);
            if (!(group.get(i) instanceof Fields member)) {
                errors.add(group.get(i).position(), position, Text.of("saga.definition.step"));
                continue;
            }
            var inner = new FieldReader(member, position, errors);
            for (var nested : List.of("parallel", "switch")) {
                if (inner.has(nested)) {
                    inner.error(nested, Text.of("saga.definition.nested-parallel"));
                }
            }
            add(inner, place);
        }
        keys.rejectUnknown();
        return 1;
    }

    /**
     * The cases of a switch begin at the same stage. Their conditions refer only to steps before the switch, so that the
     * decision is the same whenever it is made.
     */
    private int cases(FieldReader keys, Place place) {
        var group = keys.items("switch", MAX_CASES);
        keys.rejectUnknown();
        var before = place.when() == null ? new StepCondition(List.of()) : place.when();
        int longest = 1;
        for (int i = 0; i < group.size(); i++) {
            var position = "%s.switch[%d]".formatted(place.path(), i);
            if (!(group.get(i) instanceof Fields member)) {
                errors.add(group.get(i).position(), position, Text.of("saga.definition.case"));
                continue;
            }
            var inner = new FieldReader(member, position, errors);
            var term = caseOf(inner, place.earlier(), i == group.size() - 1);
            var when = term == null ? before : before.and(term);
            var inside = new Place(
                    position, place.stage(), place.earlier(), when.terms().isEmpty() ? null : when);
            longest = Math.max(longest, steps(inner, inside));
            inner.rejectUnknown();
            before = term == null ? before : before.and(new StepCondition.Term(term.expression(), false));
        }
        return longest;
    }

    /** The condition of a case; null for the one that is otherwise executed. */
    private StepCondition.@Nullable Term caseOf(FieldReader keys, Set<String> earlier, boolean isLast) {
        if (!Boolean.TRUE.equals(keys.flag("otherwise"))) {
            if (!keys.has("when")) {
                keys.error("when", Text.of("saga.definition.missing"));
            }
            return new StepReader(keys, earlier, name).condition("when");
        }
        if (keys.has("when") || !isLast) {
            keys.error("otherwise", Text.of("saga.definition.otherwise"));
        }
        return null;
    }

    private int steps(FieldReader keys, Place place) {
        int stages = 0;
        var earlier = new HashSet<>(place.earlier());
        var items = keys.items("steps", MAX_STEPS);
        for (int i = 0; i < items.size(); i++) {
            int known = steps.size();
            var position = "%s.steps[%d]".formatted(place.path(), i);
            stages += stages(
                    items.get(i), new Place(position, place.stage() + stages, Set.copyOf(earlier), place.when()));
            steps.subList(known, steps.size()).forEach(step -> earlier.add(step.name()));
        }
        return stages;
    }

    private void add(FieldReader keys, Place place) {
        var step = new StepReader(keys, place.earlier(), name).read(steps.size(), place.stage(), place.when());
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
