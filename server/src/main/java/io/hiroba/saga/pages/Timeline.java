package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.Saga;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepLog;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The timeline of a saga.
 *
 * @param lanes the steps, in their order
 * @param undoing those that were or are being undone, the last one first
 * @param length how long it took, or has taken
 */
public record Timeline(List<Lane> lanes, List<Lane> undoing, List<Tick> ticks, String length) {

    public Timeline {
        lanes = List.copyOf(lanes);
        undoing = List.copyOf(undoing);
        ticks = List.copyOf(ticks);
    }

    /**
     * The timeline of a saga.
     *
     * @param leftDone the steps whose compensation an operator skipped
     * @param workflow empty if the definition is deleted: then only steps with attempts are shown
     */
    static Timeline of(Saga saga, List<StepLog> log, Set<String> leftDone, Optional<Workflow> workflow, Reader reader) {
        var scale = new TimeAxis(saga.createdAt(), end(saga, log, reader.now()));
        var lanes = new TimelineBuilder(saga, log, leftDone, workflow, scale, reader);
        return new Timeline(
                lanes.forward(),
                lanes.undoing(),
                scale.ticks(reader),
                reader.text(DurationText.text(Duration.between(scale.start(), scale.end()))));
    }

    /** The end of the last attempt; now, while the saga has not ended. */
    private static Instant end(Saga saga, List<StepLog> log, Instant now) {
        var last = log.stream().map(StepLog::completedAt);
        var until = saga.status().isTerminal() || saga.stuck() ? saga.updatedAt() : now;
        return Stream.concat(last, Stream.of(until))
                .max(Comparator.naturalOrder())
                .orElse(until);
    }

    /** The attempts at one step, the first one first. */
    static List<StepLog> attempts(List<StepLog> log, int step, StepAction action) {
        return log.stream()
                .filter(each -> each.stepIndex() == step && each.action() == action)
                .sorted(Comparator.comparingInt(StepLog::attempt))
                .toList();
    }

    /**
     * An attempt at a step.
     *
     * @param leftOut whether what was sent and answered is too much to be shown
     * @param request as JSON; null where the saga's payload was sent
     * @param answer as JSON, if there is one
     * @param head the status and headers of a service that refused, or whose answer is not kept; else empty
     * @param missing why the answer is not kept, or not all of it; null if it is
     */
    public record Attempt(
            int number,
            StepStatus status,
            String outcome,
            String started,
            String took,
            @Nullable Text error,
            @Nullable String retry,
            boolean leftOut,
            @Nullable String request,
            @Nullable String answer,
            String head,
            @Nullable Text missing) {

        static Attempt of(StepLog log, Reader reader) {
            var retryAt = log.retryAt();
            return new Attempt(
                    log.attempt(),
                    log.status(),
                    reader.text(outcome(log.status())),
                    reader.exact(log.startedAt()),
                    reader.text(DurationText.text(Duration.between(log.startedAt(), log.completedAt()))),
                    log.error(),
                    retryAt == null
                            ? null
                            : reader.text(DurationText.text(Duration.between(log.completedAt(), retryAt))),
                    log.leftOut(),
                    pretty(log.request()),
                    pretty(log.answer()),
                    head(log.responseHead(), reader),
                    missing(log.responseHead()));
        }

        private static @Nullable Text missing(@Nullable JsonNode head) {
            if (head == null) {
                return null;
            }
            return switch (head.path("notKept").asString("")) {
                case "TOO_LARGE" -> Text.of("saga.lane.answer-too-large");
                case "NO_JSON" -> Text.of("saga.lane.answer-no-json");
                case "NOT_STORABLE" -> Text.of("saga.lane.answer-not-storable");
                default -> head.path("cut").asBoolean(false) ? Text.of("saga.lane.cut") : null;
            };
        }

        private static String head(@Nullable JsonNode head, Reader reader) {
            if (head == null) {
                return "";
            }
            var parts = new ArrayList<String>();
            for (var name : List.of("status", "contentType")) {
                parts.add(head.path(name).asString(""));
            }
            var request = head.path("requestId").asString("");
            parts.add(request.isEmpty() ? "" : reader.text("saga.lane.request-id", "id", request));
            return parts.stream().filter(part -> !part.isEmpty()).collect(Collectors.joining(" · "));
        }

        /** The name of its style. */
        public String word() {
            return switch (status) {
                case SUCCESS -> "done";
                case FAILED, TIMEOUT -> "failed";
                case SKIPPED -> "skipped";
            };
        }

        static Text outcome(StepStatus status) {
            return Text.of("saga.outcome." + status.name().toLowerCase(Locale.ROOT));
        }

        static @Nullable String pretty(@Nullable JsonNode json) {
            return json == null ? null : json.toPrettyString();
        }
    }

    /**
     * A bar of the timeline.
     *
     * @param x where it begins, as a part of the axis
     * @param title the tooltip, also for screen readers
     */
    public record Bar(String x, String width, Kind kind, String title) {

        /** The kind of a bar; the word is the name of its style. */
        public enum Kind {
            DONE("done"),
            FAILED("failed"),
            SKIPPED("skipped"),
            WAITING("waiting"),
            UNDER_WAY("under-way");

            private final String word;

            Kind(String word) {
                this.word = word;
            }

            public String word() {
                return word;
            }
        }

        static Bar of(TimeAxis.Place place, Kind kind, String title) {
            return new Bar(place.x(), place.width(), kind, title);
        }
    }

    /** A tick of the axis, with its distance from the start. */
    public record Tick(String at, String label) {}

    /**
     * The lane of a step that is executed or undone.
     *
     * @param id its name on the page
     * @param number its stage, from 1 on
     * @param about the method or signal
     * @param state its phase
     * @param agentRun the address of the run of the agent that it asks; empty if it asks none
     */
    public record Lane(
            String id,
            int number,
            String name,
            String about,
            State state,
            List<Bar> bars,
            List<Attempt> attempts,
            String agentRun) {

        public Lane {
            bars = List.copyOf(bars);
            attempts = List.copyOf(attempts);
        }

        /** The state of a step with an icon, since not everybody sees colours. */
        public enum State {
            NOT_BEGUN("more"),
            UNDER_WAY("flow"),
            WAITING_FOR_SIGNAL("clock"),
            WAITING_FOR_APPROVAL("clock"),
            WAITING_FOR_RETRY("clock"),
            DONE("check"),
            FAILED("alert"),
            TIMED_OUT("alert"),
            SKIPPED("more"),
            SKIPPED_BY_HAND("more"),
            WAITING_FOR_TIME("clock"),
            CONDITION_FALSE("more"),
            UNDONE("reply"),
            STUCK("alert");

            private final String icon;

            State(String icon) {
                this.icon = icon;
            }

            public Text label() {
                return Text.of("saga.state." + word());
            }

            public String icon() {
                return icon;
            }

            /** The name of its style. */
            public String word() {
                return name().toLowerCase(Locale.ROOT).replace('_', '-');
            }
        }
    }
}
