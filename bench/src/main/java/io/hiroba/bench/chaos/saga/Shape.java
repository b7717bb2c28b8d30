package io.hiroba.bench.chaos.saga;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A workflow of a run, written as {@code a [ b c! ] ?ok~2 d}: steps in order, those in brackets side by side; {@code !}
 * has nothing that undoes it, {@code ?ok} waits for a signal, {@code ~2} for 2 s at most.
 *
 * @param totalSeconds how long it may take altogether; null where it may take for ever
 */
record Shape(String name, @Nullable Integer totalSeconds, List<Part> parts) {

    static final String SERVICE = "world";
    static final int ATTEMPTS = 4;

    /** How long a call may take. */
    static final int TIMEOUT_MILLIS = 1000;

    static final List<Shape> ALL = List.of(
            of("line", null, "a b c! d"),
            of("fan", null, "a [ b c! d ] e"),
            of("approval", null, "a ?ok b"),
            of("hurry", 2, "a [ b c ] d"),
            of("patience", null, "a [ b c ] ?ok~2 d"),
            of("beside", null, "a [ b ?ok~3 c ] d"),
            of("single", null, "a"));

    /**
     * A step of it.
     *
     * @param signal what it waits for; null where it is a call
     */
    record Part(
            int index,
            int stage,
            String name,
            boolean undone,
            @Nullable String signal,
            @Nullable Integer waitSeconds) {

        boolean isCall() {
            return signal == null;
        }

        boolean hasCompensation() {
            return isCall() && undone;
        }
    }

    static Shape of(String name, @Nullable Integer totalSeconds, String text) {
        var parts = new ArrayList<Part>();
        int stage = 0;
        boolean beside = false;
        for (var word : text.split(" ", -1)) {
            if (word.equals("[") || word.equals("]")) {
                beside = word.equals("[");
                stage += beside ? 0 : 1;
                continue;
            }
            parts.add(part(word, parts.size(), stage));
            stage += beside ? 0 : 1;
        }
        return new Shape(name, totalSeconds, parts);
    }

    private static Part part(String word, int index, int stage) {
        if (!word.startsWith("?")) {
            return new Part(index, stage, word.replace("!", ""), !word.endsWith("!"), null, null);
        }
        var signal = word.substring(1).split("~", -1);
        return new Part(
                index,
                stage,
                "wait-" + signal[0],
                false,
                signal[0],
                signal.length == 1 ? null : Integer.valueOf(signal[1]));
    }

    static Shape named(String name) {
        return ALL.stream()
                .filter(shape -> shape.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
    }

    List<String> signals() {
        return parts.stream().map(Part::signal).flatMap(Stream::ofNullable).toList();
    }

    /** It in the language of workflows. */
    String definition() {
        var text = new StringBuilder("name: " + name + "\n");
        if (totalSeconds != null) {
            text.append("totalTimeout: ").append(totalSeconds).append("s\n");
        }
        text.append("steps:\n");
        int stages = parts.getLast().stage() + 1;
        for (int stage : IntStream.range(0, stages).toArray()) {
            var group = parts.stream().filter(part -> part.stage() == stage).toList();
            if (group.size() > 1) {
                text.append("  - parallel:\n");
            }
            for (var part : group) {
                text.append(group.size() > 1 ? "      - " : "  - ")
                        .append(definition(part))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String definition(Part part) {
        if (part.signal() != null) {
            return "{name: %s, waitForSignal: %s%s}"
                    .formatted(
                            part.name(),
                            part.signal(),
                            part.waitSeconds() == null ? "" : ", timeout: " + part.waitSeconds() + "s");
        }
        return "{name: %s, service: %s, method: do-%s%s, timeout: %ds, retry: {maxAttempts: %d, initialInterval: 100ms}}"
                .formatted(
                        part.name(),
                        SERVICE,
                        part.name(),
                        part.undone() ? ", compensate: undo-" + part.name() : "",
                        TIMEOUT_MILLIS / 1000,
                        ATTEMPTS);
    }
}
