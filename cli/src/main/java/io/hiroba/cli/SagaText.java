package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

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
        return new SagaText(saga).lines();
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
            var name = step.path("name").asString("");
            return undoes() ? text("saga.undo", name, outcome()) : text("saga.do", name, outcome());
        }

        String outcome() {
            var error = attempt.path("error").asString("");
            var retry = attempt.path("retryAt").asString("");
            var status = attempt.path("status").asString("");
            long took = Duration.between(time(attempt, "startedAt"), time(attempt, "completedAt"))
                    .toMillis();
            int number = attempt.path("number").asInt(1);
            var result =
                    number == 1 ? text("saga.attempt", status, took) : text("saga.attempt-again", status, took, number);
            var reason = error.isEmpty() ? result : text("saga.attempt-error", result, error);
            return retry.isEmpty() ? reason : text("saga.attempt-retry", reason, retry);
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

    private String lines() {
        var head = Description.of(saga)
                .line(text("saga.id"), "id")
                .line(
                        text("saga.workflow"),
                        node -> text(
                                "saga.workflow-version",
                                node.path("workflowName").asString(""),
                                node.path("workflowVersion").asInt(0)))
                .line(text("saga.status"), SagaCommands::status)
                .line(text("saga.error"), "errorMessage")
                .line(text("saga.known-by"), "correlationId")
                .line(text("saga.started-by"), "initiatedBy")
                .line(text("saga.started-at"), "createdAt");
        saga.path("waits").forEach(wait -> head.line(text("saga.waits-for"), node -> wait(wait)));
        var text = new StringBuilder(head.toString()).append('\n');
        for (var step : saga.path("steps")) {
            text.append("%s %s%n".formatted(mark(step.path("phase").asString("")), heading(step)));
            step.path("attempts")
                    .forEach(attempt -> text.append("    %s %s%n".formatted(bar(attempt), outcome(step, attempt))));
        }
        return text.toString();
    }

    private static String outcome(JsonNode step, JsonNode attempt) {
        var each = new Try(step, attempt);
        return each.undoes() ? text("saga.undo-attempt", each.outcome()) : each.outcome();
    }

    private static String heading(JsonNode step) {
        return "%s  %s  (%s)"
                .formatted(step.path("name").asString(""), step.path("phase").asString(""), work(step));
    }

    private static String work(JsonNode step) {
        var signal = step.path("waitForSignal").asString("");
        var workflow = step.path("workflow").asString("");
        var timer = step.path("sleep").asString("") + step.path("until").asString("");
        if (!timer.isEmpty()) {
            return text("saga.timer", timer);
        }
        if (step.path("approval").asBoolean(false)) {
            return text("saga.waits-for-approval");
        }
        if (step.path("continueAsNew").asBoolean(false)) {
            return text("saga.continues");
        }
        if (!workflow.isEmpty()) {
            return text("saga.starts", workflow);
        }
        return signal.isEmpty()
                ? step.path("service").asString("?") + " " + step.path("method").asString("?")
                : text("saga.waits-for-signal", signal);
    }

    private static String wait(JsonNode wait) {
        var until = wait.path("until").asString("");
        var step = wait.path("stepName").asString("");
        var what = switch (wait.path("cause").asString("")) {
            case "RETRY" -> text("saga.wait-retry", step);
            case "SIGNAL" -> text("saga.wait-signal", wait.path("signal").asString(""), step);
            case "TIMER" -> text("saga.wait-timer", step);
            case "APPROVAL" -> text("saga.wait-approval", step);
            case "CHILDREN" -> text("saga.wait-children", step);
            case "OPERATOR" -> text("saga.wait-operator");
            case "PLACE" -> text("saga.wait-place");
            default -> text("saga.wait-node");
        };
        return until.isEmpty() ? what : text("saga.wait-until", what, until);
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
