package io.hiroba.bench.chaos.saga;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A workflow of a run, written as {@code a [ b c! ] ?ok~2 d}: steps in order, those in brackets in parallel; {@code !} is a
 * step without compensation, {@code ?ok} waits for a signal, {@code ~2} for 2 s at most; {@code #300} is a timer of 300 ms, and
 * {@code e%0} is executed for sagas with even numbers only, {@code e%1} for those with odd ones; {@code *leaf} is a saga of the
 * workflow {@code leaf} for each of {@link #CHILDREN} items; {@code @2~3} asks for the approval of 2 people within 3 s; {@code a^}
 * calls the service that has a limit.
 *
 * @param totalSeconds the total timeout; null for none
 */
record ChaosWorkflow(String name, @Nullable Integer totalSeconds, List<Step> steps) {

    static final String SERVICE = "world";

    /** The service that takes {@link #MAX_CONCURRENT} calls at once. */
    static final String LIMITED_SERVICE = "narrow";

    static final int MAX_CONCURRENT = 3;

    /** The users who are asked for approvals. */
    static final List<Long> APPROVERS = List.of(11L, 12L, 13L);

    static final int ATTEMPTS = 4;

    /** How many sagas a step with children starts. */
    static final int CHILDREN = 3;

    /** The timeout of a call. */
    static final int TIMEOUT_MILLIS = 1000;

    static final List<ChaosWorkflow> ALL = List.of(
            of("line", null, "a b c! d"),
            of("fan", null, "a [ b c! d ] e"),
            of("approval", null, "a ?ok b"),
            of("hurry", 2, "a [ b c ] d"),
            of("patience", null, "a [ b c ] ?ok~2 d"),
            of("beside", null, "a [ b ?ok~3 c ] d"),
            of("branch", null, "a b%0 [ c%1 d ] e%0"),
            of("timer", null, "a #300 b [ c%0 #700 d ] e"),
            of("single", null, "a"),
            of("leaf", null, "a b"),
            of("family", null, "a *leaf b"),
            of("hurried", 3, "a [ b *leaf ] c"),
            of("consent", null, "a @1 b"),
            of("council", null, "a [ b @2~3 ] c"),
            of("narrow", null, "a^ [ b^ c^ ] d"),
            of("nightly", null, "a #1500 b"));

    /**
     * A step.
     *
     * @param service the one that it calls; null for those that call none
     * @param signal the signal it waits for; null for others
     * @param quorum how many have to approve; null for others
     * @param waitSeconds how long it waits for the signal or the approval; null for no limit
     * @param sleepMillis the duration of a timer; null for others
     * @param remainder of the saga's number divided by 2, where it is executed; null where it always is
     * @param child the workflow of its children; null for others
     */
    record Step(
            int index,
            int stage,
            String name,
            boolean compensated,
            @Nullable String service,
            @Nullable String signal,
            @Nullable Integer quorum,
            @Nullable Integer waitSeconds,
            @Nullable Integer sleepMillis,
            @Nullable Integer remainder,
            @Nullable String child) {

        boolean isCall() {
            return service != null;
        }

        boolean isExecuted(long number) {
            return remainder == null || number % 2 == remainder;
        }

        boolean hasCompensation() {
            return isCall() && compensated;
        }
    }

    static ChaosWorkflow of(String name, @Nullable Integer totalSeconds, String text) {
        var steps = new ArrayList<Step>();
        int stage = 0;
        boolean parallel = false;
        for (var word : text.split(" ", -1)) {
            if (word.equals("[") || word.equals("]")) {
                parallel = word.equals("[");
                stage += parallel ? 0 : 1;
                continue;
            }
            steps.add(step(word, steps.size(), stage));
            stage += parallel ? 0 : 1;
        }
        return new ChaosWorkflow(name, totalSeconds, steps);
    }

    private static Step step(String word, int index, int stage) {
        var text = word.substring(1);
        return switch (word.charAt(0)) {
            case '#' -> waiting(index, stage, "rest-" + index, null, null, null, Integer.valueOf(text), null);
            case '*' -> waiting(index, stage, "each-" + text, null, null, null, null, text);
            case '?' -> {
                var signal = text.split("~", -1);
                yield waiting(index, stage, "wait-" + signal[0], signal[0], null, seconds(signal), null, null);
            }
            case '@' -> {
                var quorum = text.split("~", -1);
                yield waiting(
                        index, stage, "ask-" + index, null, Integer.valueOf(quorum[0]), seconds(quorum), null, null);
            }
            default -> call(word, index, stage);
        };
    }

    private static @Nullable Integer seconds(String[] limited) {
        return limited.length == 1 ? null : Integer.valueOf(limited[1]);
    }

    private static Step waiting(
            int index,
            int stage,
            String name,
            @Nullable String signal,
            @Nullable Integer quorum,
            @Nullable Integer waitSeconds,
            @Nullable Integer sleepMillis,
            @Nullable String child) {
        return new Step(index, stage, name, false, null, signal, quorum, waitSeconds, sleepMillis, null, child);
    }

    private static Step call(String word, int index, int stage) {
        var parts = word.split("%", -1);
        var remainder = parts.length == 1 ? null : Integer.valueOf(parts[1]);
        var name = parts[0].substring(0, 1);
        var service = parts[0].contains("^") ? LIMITED_SERVICE : SERVICE;
        return new Step(index, stage, name, !parts[0].contains("!"), service, null, null, null, null, remainder, null);
    }

    static ChaosWorkflow named(String name) {
        return ALL.stream()
                .filter(workflow -> workflow.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
    }

    List<String> signals() {
        return steps.stream().map(Step::signal).flatMap(Stream::ofNullable).toList();
    }

    /** The workflow definition in YAML. */
    String definition() {
        var text = new StringBuilder("name: " + name + "\n");
        if (totalSeconds != null) {
            text.append("totalTimeout: ").append(totalSeconds).append("s\n");
        }
        text.append("steps:\n");
        int stages = steps.getLast().stage() + 1;
        for (int stage : IntStream.range(0, stages).toArray()) {
            var group = steps.stream().filter(step -> step.stage() == stage).toList();
            if (group.size() > 1) {
                text.append("  - parallel:\n");
            }
            for (var step : group) {
                text.append(group.size() > 1 ? "      - " : "  - ")
                        .append(definition(step))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String definition(Step step) {
        if (step.child() != null) {
            return "{name: %s, workflow: %s, forEach: $.payload.items, maxParallel: 2, input: {number: $.item}}"
                    .formatted(step.name(), step.child());
        }
        if (step.signal() != null) {
            return "{name: %s, waitForSignal: %s%s}"
                    .formatted(
                            step.name(),
                            step.signal(),
                            step.waitSeconds() == null ? "" : ", timeout: " + step.waitSeconds() + "s");
        }
        if (step.quorum() != null) {
            return "{name: %s, approval: {assignees: %s, title: \"Number {{$.payload.number}}\", quorum: %d%s}}"
                    .formatted(
                            step.name(),
                            APPROVERS.stream().map("'%016X'"::formatted).toList(),
                            step.quorum(),
                            step.waitSeconds() == null ? "" : ", deadline: " + step.waitSeconds() + "s");
        }
        if (step.sleepMillis() != null) {
            return "{name: %s, sleep: %dms}".formatted(step.name(), step.sleepMillis());
        }
        return "{name: %s, service: %s, method: do-%s%s%s, timeout: %ds, retry: {maxAttempts: %d, initialInterval: 100ms}}"
                .formatted(
                        step.name(),
                        step.service(),
                        step.name(),
                        step.compensated() ? ", compensate: undo-" + step.name() : "",
                        step.remainder() == null
                                ? ""
                                : ", when: \"payload.number %% 2 == %d\"".formatted(step.remainder()),
                        TIMEOUT_MILLIS / 1000,
                        ATTEMPTS);
    }
}
