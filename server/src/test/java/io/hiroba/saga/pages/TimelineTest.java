package io.hiroba.saga.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepLog;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.pages.Timeline.Attempt;
import io.hiroba.saga.pages.Timeline.Bar;
import io.hiroba.saga.pages.Timeline.Bar.Kind;
import io.hiroba.saga.pages.Timeline.Lane;
import io.hiroba.saga.pages.Timeline.Lane.State;
import io.hiroba.saga.pages.Timeline.Tick;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class TimelineTest {

    private static final Instant START = Instant.parse("2026-01-02T10:00:00Z");

    /** Two steps, of which the second waits for somebody. */
    private static final Workflow ORDER =
            new Workflow("order", 1, List.of(call(0, "reserve"), signal(1, "approval")), null);

    @Test
    void attemptsAreBarsAndTheTimeBetweenThemIsWaiting() {
        var log = List.of(
                log(0, "reserve", StepAction.EXECUTE, 1, StepStatus.FAILED, 0, 10, 20),
                log(0, "reserve", StepAction.EXECUTE, 2, StepStatus.SUCCESS, 20, 30, null));
        var lane =
                timeline(saga(SagaStatus.RUNNING, 1, false), log, 100).lanes().getFirst();
        assertThat(lane.state()).isEqualTo(State.DONE);
        assertThat(lane.bars()).extracting(Bar::kind).containsExactly(Kind.FAILED, Kind.WAITING, Kind.DONE);
        assertThat(lane.bars()).extracting(Bar::x).containsExactly("0.00%", "10.00%", "20.00%");
        assertThat(lane.bars()).extracting(Bar::width).containsExactly("10.00%", "10.00%", "10.00%");
        assertThat(lane.bars()).extracting(Bar::title).startsWith("Attempt 1: Failed, 10 s");
        assertThat(lane.attempts()).extracting(Attempt::retry).containsExactly("10 s", null);
    }

    @Test
    void aStepThatWaitsForASignalWaitsFromTheEndOfTheOneBeforeItUntilNow() {
        var log = List.of(log(0, "reserve", StepAction.EXECUTE, 1, StepStatus.SUCCESS, 0, 25, null));
        var lane =
                timeline(saga(SagaStatus.RUNNING, 1, false), log, 100).lanes().getLast();
        assertThat(lane.state()).isEqualTo(State.WAITING_FOR_SIGNAL);
        assertThat(lane.bars()).singleElement().satisfies(bar -> {
            assertThat(bar.kind()).isEqualTo(Kind.WAITING);
            assertThat(bar.x()).isEqualTo("25.00%");
            assertThat(bar.width()).isEqualTo("75.00%");
        });
    }

    @Test
    void whatGoesOnNowIsUnderWayAndWhatComesLaterHasNotBegun() {
        var lanes = timeline(saga(SagaStatus.STARTED, 0, true), List.of(), 10).lanes();
        assertThat(lanes).extracting(Lane::state).containsExactly(State.UNDER_WAY, State.NOT_BEGUN);
        assertThat(lanes.getFirst().bars()).extracting(Bar::kind).containsExactly(Kind.UNDER_WAY);
        assertThat(lanes.getLast().bars()).isEmpty();
    }

    @Test
    void anAttemptSaysWhyTheAnswerIsNotKept() {
        var log = log(0, "reserve", StepAction.EXECUTE, 1, StepStatus.SUCCESS, 0, 30, null, "TOO_LARGE");
        var attempt = timeline(saga(SagaStatus.RUNNING, 1, false), List.of(log), 60)
                .lanes()
                .getFirst()
                .attempts()
                .getFirst();
        assertThat(attempt.head()).isEqualTo("200");
        assertThat(attempt.missing()).hasToString("The answer is not kept: it is larger than 1 MB.");
    }

    @Test
    void aStepThatIsToBeTriedAgainWaitsForThat() {
        var log = List.of(log(0, "reserve", StepAction.EXECUTE, 1, StepStatus.TIMEOUT, 0, 30, 90));
        var lane = timeline(saga(SagaStatus.STARTED, 0, false), log, 60).lanes().getFirst();
        assertThat(lane.state()).isEqualTo(State.WAITING_FOR_RETRY);
        assertThat(lane.bars()).extracting(Bar::kind).containsExactly(Kind.FAILED, Kind.WAITING);
        assertThat(lane.bars().getLast().width()).isEqualTo("50.00%");
    }

    @Test
    void whatWasUndoneStandsBeneathTheLastOneFirst() {
        var log = List.of(
                log(0, "reserve", StepAction.EXECUTE, 1, StepStatus.SUCCESS, 0, 10, null),
                log(1, "approval", StepAction.EXECUTE, 1, StepStatus.SUCCESS, 20, 20, null),
                log(1, "approval", StepAction.COMPENSATE, 1, StepStatus.SKIPPED, 30, 30, null),
                log(0, "reserve", StepAction.COMPENSATE, 1, StepStatus.FAILED, 30, 40, null));
        var timeline = timeline(saga(SagaStatus.COMPENSATING, 0, false), log, 50);
        assertThat(timeline.undoing()).extracting(Lane::name).containsExactly("approval", "reserve");
        assertThat(timeline.undoing()).extracting(Lane::state).containsExactly(State.SKIPPED, State.STUCK);
        assertThat(timeline.lanes()).extracting(Lane::state).containsExactly(State.DONE, State.DONE);
    }

    @Test
    void whatAnOperatorSkippedIsNotSaidToHaveNothingToUndo() {
        var log = List.of(
                log(0, "reserve", StepAction.EXECUTE, 1, StepStatus.SUCCESS, 0, 10, null),
                log(0, "reserve", StepAction.COMPENSATE, 1, StepStatus.FAILED, 20, 30, null),
                log(0, "reserve", StepAction.COMPENSATE, 2, StepStatus.SKIPPED, 40, 40, null));
        var lane =
                timeline(saga(SagaStatus.FAILED, 0, false), log, 50).undoing().getFirst();
        assertThat(lane.state()).isEqualTo(State.SKIPPED_BY_HAND);
        assertThat(lane.state().label()).hasToString("Skipped by hand, not undone");
    }

    @Test
    void onlyWhatTheFilterFindsIsCalledWaiting() {
        assertThat(StatusLabel.of(saga(SagaStatus.RUNNING, 1, false)).label()).hasToString("Running");
        assertThat(StatusLabel.of(saga(SagaStatus.RUNNING, 1, false, "approve")).label())
                .hasToString("Waiting");
    }

    @Test
    void aSagaWhoseDefinitionIsGoneShowsWhatItsLogKnows() {
        var log = List.of(log(0, "reserve", StepAction.EXECUTE, 1, StepStatus.SUCCESS, 0, 10, null));
        var timeline = Timeline.of(saga(SagaStatus.RUNNING, 1, false), log, Set.of(), Optional.empty(), when(20));
        assertThat(timeline.lanes()).extracting(Lane::name).containsExactly("reserve");
    }

    @Test
    void theAxisHasTicksAndShortBarsCanStillBeSeen() {
        var log = List.of(log(0, "reserve", StepAction.EXECUTE, 1, StepStatus.SUCCESS, 0, 0, null));
        var timeline = timeline(saga(SagaStatus.RUNNING, 1, false), log, 3600);
        assertThat(timeline.ticks()).extracting(Tick::label).containsExactly("0", "15 min", "30 min", "45 min", "1 h");
        assertThat(timeline.lanes().getFirst().bars().getFirst().width()).isEqualTo("0.60%");
        assertThat(timeline.length()).isEqualTo("1 h");
    }

    private static Timeline timeline(Saga saga, List<StepLog> log, int now) {
        return Timeline.of(saga, log, Set.of("reserve"), Optional.of(ORDER), when(now));
    }

    private static Reader when(int seconds) {
        return new Reader(Language.ENGLISH, ZoneOffset.UTC, START.plusSeconds(seconds));
    }

    private static Step call(int index, String name) {
        return new Step(index, index, name, new Step.Call("shop", name, null, null, null), null, RetryPolicy.DEFAULT);
    }

    private static Step signal(int index, String name) {
        return new Step(index, index, name, new Step.Signal("approve"), null, RetryPolicy.DEFAULT);
    }

    private static Saga saga(SagaStatus status, int currentStep, boolean running) {
        return saga(status, currentStep, running, null);
    }

    private static Saga saga(SagaStatus status, int currentStep, boolean running, @Nullable String waitingFor) {
        return new Saga(
                new SagaId(new UuidV7(Clock.systemUTC()).next()),
                "order",
                1,
                currentStep,
                status,
                JsonMapper.shared().createObjectNode(),
                null,
                null,
                null,
                false,
                running,
                null,
                START,
                START,
                waitingFor,
                5);
    }

    private static StepLog log(
            int step,
            String name,
            StepAction action,
            int attempt,
            StepStatus status,
            int from,
            int to,
            @Nullable Integer retryAt) {
        return log(step, name, action, attempt, status, from, to, retryAt, null);
    }

    private static StepLog log(
            int step,
            String name,
            StepAction action,
            int attempt,
            StepStatus status,
            int from,
            int to,
            @Nullable Integer retryAt,
            @Nullable String notKept) {
        return new StepLog(
                step,
                name,
                action,
                attempt,
                status,
                null,
                null,
                null,
                START.plusSeconds(from),
                START.plusSeconds(to),
                retryAt == null ? null : START.plusSeconds(retryAt),
                false,
                notKept == null
                        ? null
                        : JsonMapper.shared()
                                .createObjectNode()
                                .put("status", "200")
                                .put("notKept", notKept),
                false);
    }
}
