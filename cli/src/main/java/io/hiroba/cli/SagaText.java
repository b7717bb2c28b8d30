package io.hiroba.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Formats a saga: a line per step, and a line per attempt with a bar of its time. */
final class SagaText {

    private static final int BAR = 30;

    private final JsonNode saga;
    private final Instant from;
    private final Duration whole;

    private SagaText(JsonNode saga) {
        this.saga = saga;
        this.from = time(saga, "createdAt");
        var to = Stream.concat(
                        Stream.of(time(saga, "updatedAt")),
                        tries(saga).stream().map(each -> time(each.attempt(), "completedAt")))
                .max(Comparator.naturalOrder())
                .orElse(from);
        this.whole = Duration.between(from, to);
    }

    static String whole(JsonNode saga) {
        return new SagaText(saga).text();
    }

    /** Each attempt on a line, in the order in which they ended. */
    static Stream<String> attempts(JsonNode saga) {
        return tries(saga).stream().map(Try::line);
    }

    private record Try(JsonNode step, JsonNode attempt) {

        boolean undoes() {
            return attempt.path("action").asString("").equals("COMPENSATE");
        }

        String line() {
            return "%s %s: %s"
                    .formatted(undoes() ? "undo" : "do", step.path("name").asString(""), outcome());
        }

        String outcome() {
            var error = attempt.path("error").asString("");
            var retry = attempt.path("retryAt").asString("");
            return "%s in %d ms%s%s%s"
                    .formatted(
                            attempt.path("status").asString(""),
                            Duration.between(time(attempt, "startedAt"), time(attempt, "completedAt"))
                                    .toMillis(),
                            attempt.path("number").asInt(1) == 1
                                    ? ""
                                    : ", attempt " + attempt.path("number").asInt(1),
                            error.isEmpty() ? "" : ": " + error,
                            retry.isEmpty() ? "" : "; again at " + retry);
        }
    }

    private static List<Try> tries(JsonNode saga) {
        var all = new ArrayList<Try>();
        for (var step : saga.path("steps")) {
            step.path("attempts").forEach(attempt -> all.add(new Try(step, attempt)));
        }
        all.sort(Comparator.comparing(each -> time(each.attempt(), "completedAt")));
        return all;
    }

    private String text() {
        var text = new StringBuilder(Description.of(saga)
                .line("id", "id")
                .line(
                        "workflow",
                        node -> "%s, version %d"
                                .formatted(
                                        node.path("workflowName").asString(""),
                                        node.path("workflowVersion").asInt(0)))
                .line("status", SagaCommands::status)
                .line("error", "errorMessage")
                .line("known by", "correlationId")
                .line("started by", "initiatedBy")
                .line("started at", "createdAt")
                .toString());
        saga.path("waits")
                .forEach(wait -> text.append("waits for   ").append(wait(wait)).append('\n'));
        text.append('\n');
        for (var step : saga.path("steps")) {
            text.append("%s %s%n".formatted(mark(step.path("phase").asString("")), heading(step)));
            step.path("attempts")
                    .forEach(attempt -> text.append("    %s %s%n".formatted(bar(attempt), outcome(step, attempt))));
        }
        return text.toString();
    }

    private static String outcome(JsonNode step, JsonNode attempt) {
        var each = new Try(step, attempt);
        return (each.undoes() ? "undo " : "") + each.outcome();
    }

    private static String heading(JsonNode step) {
        var signal = step.path("waitForSignal").asString("");
        return "%s  %s  (%s)"
                .formatted(
                        step.path("name").asString(""),
                        step.path("phase").asString(""),
                        signal.isEmpty()
                                ? step.path("service").asString("?") + " "
                                        + step.path("method").asString("?")
                                : "waits for the signal " + signal);
    }

    private static String wait(JsonNode wait) {
        var until = wait.path("until").asString("");
        var step = wait.path("stepName").asString("");
        var what = switch (wait.path("cause").asString("")) {
            case "RETRY" -> "the next try of " + step;
            case "SIGNAL" ->
                "the signal %s (step %s)".formatted(wait.path("signal").asString(""), step);
            case "OPERATOR" -> "somebody: mend what is wrong, then ./hiroba saga retry";
            default -> "a node to take it up";
        };
        return what + (until.isEmpty() ? "" : " until " + until);
    }

    private static String mark(String phase) {
        return switch (phase) {
            case "DONE" -> "✓";
            case "FAILED", "STUCK" -> "✗";
            case "COMPENSATED", "COMPENSATING" -> "↶";
            case "EXECUTING" -> "▶";
            case "RETRYING" -> "…";
            default -> "·";
        };
    }

    private String bar(JsonNode attempt) {
        int start = column(time(attempt, "startedAt"));
        int end = Math.max(start + 1, column(time(attempt, "completedAt")));
        boolean undoes = attempt.path("action").asString("").equals("COMPENSATE");
        return "|" + " ".repeat(start) + (undoes ? "▒" : "█").repeat(end - start) + " ".repeat(BAR - end) + "|";
    }

    private int column(Instant time) {
        long all = Math.max(1, whole.toMillis());
        return Math.clamp(Duration.between(from, time).toMillis() * BAR / all, 0, BAR - 1);
    }

    private static Instant time(JsonNode node, String field) {
        var text = node.path(field).asString("");
        return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
    }
}
