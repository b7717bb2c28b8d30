package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepLog;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.pages.Timeline.Attempt;
import io.hiroba.saga.pages.Timeline.Bar;
import io.hiroba.saga.pages.Timeline.Bar.Kind;
import io.hiroba.saga.pages.Timeline.Lane;
import io.hiroba.saga.pages.Timeline.Lane.State;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Builds the lanes of a timeline: attempts, waits and running calls. */
final class TimelineBuilder {

    private final Saga saga;
    private final List<StepLog> log;
    private final Set<String> leftDone;
    private final Optional<Workflow> workflow;
    private final TimeAxis scale;
    private final Reader reader;

    TimelineBuilder(
            Saga saga,
            List<StepLog> log,
            Set<String> leftDone,
            Optional<Workflow> workflow,
            TimeAxis scale,
            Reader reader) {
        this.saga = saga;
        this.log = log;
        this.leftDone = leftDone;
        this.workflow = workflow;
        this.scale = scale;
        this.reader = reader;
    }

    List<Lane> forward() {
        if (workflow.isPresent()) {
            return workflow.get().steps().stream().map(this::forward).toList();
        }
        var names = new TreeMap<Integer, String>();
        log.forEach(each -> names.put(each.stepIndex(), each.stepName()));
        return names.entrySet().stream()
                .map(step -> {
                    var tries = Timeline.attempts(log, step.getKey(), StepAction.EXECUTE);
                    return lane("step", step.getKey(), step.getValue(), "", tries, state(tries), between(tries));
                })
                .toList();
    }

    List<Lane> undoing() {
        var begun = log.stream()
                .filter(each -> each.action() == StepAction.COMPENSATE)
                .sorted(Comparator.comparing(StepLog::startedAt))
                .map(StepLog::stepIndex);
        var now = isBeingUndone(saga.currentStep()) ? Stream.of(saga.currentStep()) : Stream.<Integer>empty();
        return Stream.concat(begun, now).distinct().map(this::backward).toList();
    }

    private boolean isBeingUndone(int step) {
        return saga.status() == SagaStatus.COMPENSATING
                && saga.running()
                && Timeline.attempts(log, step, StepAction.EXECUTE).stream()
                        .anyMatch(each -> each.status() == StepStatus.SUCCESS)
                && Timeline.attempts(log, step, StepAction.COMPENSATE).stream()
                        .noneMatch(each -> each.status() == StepStatus.SUCCESS || each.status() == StepStatus.SKIPPED);
    }

    private Lane forward(Step step) {
        var tries = Timeline.attempts(log, step.index(), StepAction.EXECUTE);
        var due = due(step);
        var bars = new ArrayList<Bar>();
        if (step.waits()) {
            var until = tries.isEmpty() ? scale.end() : tries.getFirst().startedAt();
            if (!tries.isEmpty() || isUnderWay(step)) {
                bars.add(bar(due, until, Kind.WAITING, reader.text(waited(step))));
            }
        }
        if (step.work() instanceof Step.Timer && (isDone(tries) ? state(tries) == State.DONE : isUnderWay(step))) {
            var until = tries.isEmpty() ? scale.end() : tries.getFirst().startedAt();
            bars.add(bar(due, until, Kind.WAITING, reader.text("saga.bar.waited-for-time")));
        }
        bars.addAll(between(tries));
        var state = state(tries);
        if (isUnderWay(step) && !isDone(tries)) {
            state = now(step, tries);
            if (state == State.UNDER_WAY) {
                var since = tries.isEmpty() ? due : retryAt(tries.getLast());
                bars.add(underWay(since, tries));
            }
        }
        return lane("step", step.index(), step.name(), about(step), tries, state, bars);
    }

    /** A step that was not executed has nothing to be undone, which the other direction calls skipped. */
    private static State state(List<StepLog> tries) {
        var state = ended(tries);
        return state == State.SKIPPED ? State.CONDITION_FALSE : state;
    }

    private Lane backward(int index) {
        var tries = Timeline.attempts(log, index, StepAction.COMPENSATE);
        var bars = new ArrayList<>(between(tries));
        var state = undone(tries);
        if (isBeingUndone(index)
                && (tries.isEmpty() || !retryAt(tries.getLast()).isAfter(reader.now()))) {
            state = State.UNDER_WAY;
            var since = tries.isEmpty() ? last() : retryAt(tries.getLast());
            bars.add(underWay(since, tries));
        }
        return lane(
                "undo",
                index,
                name(index),
                step(index).map(TimelineBuilder::undoes).orElse(""),
                tries,
                state,
                bars);
    }

    private State undone(List<StepLog> tries) {
        if (tries.isEmpty()) {
            return State.NOT_BEGUN;
        }
        return switch (tries.getLast().status()) {
            case SUCCESS -> State.UNDONE;
            case SKIPPED -> leftDone.contains(tries.getLast().stepName()) ? State.SKIPPED_BY_HAND : State.SKIPPED;
            case FAILED, TIMEOUT -> tries.getLast().retryAt() != null ? State.WAITING_FOR_RETRY : State.STUCK;
        };
    }

    private Instant last() {
        return log.stream()
                .map(StepLog::completedAt)
                .max(Comparator.naturalOrder())
                .orElse(saga.createdAt());
    }

    private Optional<Step> step(int index) {
        return workflow.map(Workflow::steps)
                .filter(steps -> index < steps.size())
                .map(steps -> steps.get(index));
    }

    private String name(int index) {
        return log.stream()
                .filter(each -> each.stepIndex() == index)
                .map(StepLog::stepName)
                .findFirst()
                .orElse("");
    }

    private static String undoes(Step step) {
        return step.work() instanceof Step.Call call && call.compensate() != null
                ? call.service() + " · " + call.compensate()
                : "";
    }

    /** The attempts, and the waits between them. */
    private List<Bar> between(List<StepLog> tries) {
        var bars = new ArrayList<Bar>();
        for (int i = 0; i < tries.size(); i++) {
            var each = tries.get(i);
            bars.add(bar(
                    each.startedAt(),
                    each.completedAt(),
                    kind(each.status()),
                    reader.text(
                            "saga.bar.attempt",
                            "number",
                            Integer.toString(each.attempt()),
                            "outcome",
                            Attempt.outcome(each.status()),
                            "took",
                            DurationText.text(Duration.between(each.startedAt(), each.completedAt())))));
            boolean isLast = i == tries.size() - 1;
            if (!isLast || (each.retryAt() != null && !saga.status().isTerminal())) {
                var until = isLast
                        ? earlier(scale.end(), retryAt(each))
                        : tries.get(i + 1).startedAt();
                var next = Integer.toString(each.attempt() + 1);
                bars.add(bar(
                        each.completedAt(),
                        until,
                        Kind.WAITING,
                        reader.text("saga.bar.waited-before", "number", next)));
            }
        }
        return bars;
    }

    /** The time at which the step could begin: the end of all earlier stages. */
    private Instant due(Step step) {
        return workflow.stream()
                .flatMap(each -> each.steps().stream())
                .filter(other -> other.stage() < step.stage())
                .flatMap(other -> Timeline.attempts(log, other.index(), StepAction.EXECUTE).stream())
                .map(StepLog::completedAt)
                .max(Comparator.naturalOrder())
                .orElse(saga.createdAt());
    }

    private boolean isUnderWay(Step step) {
        if (!saga.status().isForward() || saga.stuck()) {
            return false;
        }
        return workflow.stream()
                .flatMap(each -> each.steps().stream())
                .anyMatch(current -> current.index() == saga.currentStep() && current.stage() == step.stage());
    }

    private State now(Step step, List<StepLog> tries) {
        if (step.waits()) {
            return step.work() instanceof Step.Approval ? State.WAITING_FOR_APPROVAL : State.WAITING_FOR_SIGNAL;
        }
        if (step.work() instanceof Step.Timer) {
            return State.WAITING_FOR_TIME;
        }
        boolean waits = !tries.isEmpty() && retryAt(tries.getLast()).isAfter(reader.now());
        return waits || (!saga.running() && !tries.isEmpty()) ? State.WAITING_FOR_RETRY : State.UNDER_WAY;
    }

    private static State ended(List<StepLog> tries) {
        if (tries.isEmpty()) {
            return State.NOT_BEGUN;
        }
        return switch (tries.getLast().status()) {
            case SUCCESS -> State.DONE;
            case FAILED -> State.FAILED;
            case TIMEOUT -> State.TIMED_OUT;
            case SKIPPED -> State.SKIPPED;
        };
    }

    private static boolean isDone(List<StepLog> tries) {
        return !tries.isEmpty()
                && (tries.getLast().status() == StepStatus.SUCCESS
                        || tries.getLast().retryAt() == null);
    }

    private static Instant retryAt(StepLog attempt) {
        var at = attempt.retryAt();
        return at == null ? attempt.completedAt() : at;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static Kind kind(StepStatus status) {
        return switch (status) {
            case SUCCESS -> Kind.DONE;
            case FAILED, TIMEOUT -> Kind.FAILED;
            case SKIPPED -> Kind.SKIPPED;
        };
    }

    private String about(Step step) {
        return switch (step.work()) {
            case Step.Call call -> StepWords.brief(call);
            case Step.Signal signal -> reader.text("saga.lane.signal", "signal", signal.name());
            case Step.Approval _ -> reader.text("saga.lane.approval");
            case Step.Timer timer -> reader.text(TimerText.of(timer));
            case Step.Children children -> StepWords.brief(children, reader);
            case Step.Continuation _ -> reader.text("saga.workflow.box-continues");
        };
    }

    private static Text waited(Step step) {
        return step.work() instanceof Step.Signal signal
                ? Text.of("saga.bar.waited-for-signal", "signal", signal.name())
                : Text.of("saga.bar.waited-for-approval");
    }

    private Bar underWay(Instant since, List<StepLog> tries) {
        var number = Integer.toString(tries.size() + 1);
        return bar(since, scale.end(), Kind.UNDER_WAY, reader.text("saga.bar.running", "number", number));
    }

    private Bar bar(Instant from, Instant to, Kind kind, String title) {
        return Bar.of(scale.place(from, to), kind, title);
    }

    private Lane lane(
            String id, int index, String name, String about, List<StepLog> tries, State state, List<Bar> bars) {
        return new Lane(
                id + "-" + index,
                step(index).map(Step::stage).orElse(index) + 1,
                name,
                about,
                state,
                bars,
                tries.stream().map(each -> Attempt.of(each, reader)).toList(),
                state != State.NOT_BEGUN && step(index).map(Step::asksAgent).orElse(false)
                        ? "/agents/steps/%s/%d".formatted(saga.id(), index)
                        : "");
    }
}
