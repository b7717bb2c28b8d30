package io.hiroba.bench.chaos.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.bench.chaos.saga.ScheduleCheck.Run;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.schedule.Schedule.CatchUp;
import io.hiroba.saga.schedule.Schedule.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plants faults in the runs of schedules and has them found. */
class ScheduleCheckTest {

    private static final Instant BEGIN = Instant.parse("2030-01-01T00:01:30Z");
    private static final Instant END = BEGIN.plusSeconds(60);

    private final List<Run> runs = new ArrayList<>();

    private static ChaosSchedule every10s(Overlap overlap, CatchUp catchUp) {
        return new ChaosSchedule(0, null, Duration.ofSeconds(10), overlap, catchUp, Duration.ZERO);
    }

    private static ChaosSchedule afterOutage(CatchUp catchUp) {
        return new ChaosSchedule(0, null, Duration.ofMinutes(5), Overlap.ALLOW, catchUp, Duration.ofHours(1));
    }

    /** A run of the due time that is so many seconds after the begin. */
    private void ran(int seconds, long first, long last) {
        var due = BEGIN.plusSeconds(seconds);
        var started = due.isBefore(BEGIN) ? BEGIN : due;
        runs.add(new Run(
                "saga",
                every10s(Overlap.ALLOW, CatchUp.ALL).number(due),
                due,
                started,
                SagaStatus.COMPLETED,
                first,
                last,
                started.plusSeconds(5)));
    }

    private List<String> violations(ChaosSchedule schedule) {
        return new ScheduleCheck(schedule, BEGIN, END, List.of(), runs).violations();
    }

    @Test
    void aDueTimeThatIsLeftOutOrStartedTwiceIsSeen() {
        var schedule = every10s(Overlap.ALLOW, CatchUp.ALL);
        for (int seconds = 10; seconds <= 60; seconds += 10) {
            ran(seconds, seconds, seconds + 15);
        }
        assertThat(violations(schedule)).isEmpty();
        ran(20, 100, 101);
        assertThat(violations(schedule)).containsExactly("6 due times were started 7 times");
        runs.removeIf(run -> run.dueAt().equals(BEGIN.plusSeconds(20)));
        assertThat(violations(schedule)).containsExactly("was not started for 2030-01-01T00:01:50Z");
    }

    @Test
    void aRunBesideAnotherIsSeen() {
        ran(10, 1, 5);
        ran(20, 6, 9);
        assertThat(violations(every10s(Overlap.SKIP, CatchUp.NONE))).isEmpty();
        ran(30, 8, 12);
        assertThat(violations(every10s(Overlap.QUEUE, CatchUp.LAST)))
                .containsExactly(
                        "was started for 2030-01-01T00:02:00Z while the saga of 2030-01-01T00:01:50Z was open");
    }

    @Test
    void aScheduleThatStopsIsSeen() {
        assertThat(violations(every10s(Overlap.SKIP, CatchUp.NONE)))
                .containsExactly("nothing was started between 2030-01-01T00:01:40Z and 2030-01-01T00:02:25Z");
        ran(0, 1, 2);
        assertThat(violations(every10s(Overlap.SKIP, CatchUp.NONE)))
                .contains("nothing was started between 2030-01-01T00:01:40Z and 2030-01-01T00:02:25Z");
        var run = runs.removeFirst();
        runs.add(new Run(
                run.saga(),
                run.number(),
                run.dueAt(),
                run.startedAt(),
                run.status(),
                run.first(),
                run.last(),
                BEGIN.plusSeconds(20)));
        assertThat(violations(every10s(Overlap.SKIP, CatchUp.NONE)))
                .noneMatch(violation -> violation.startsWith("nothing was started"));
    }

    @Test
    void whatIsCaughtUpWithAgainstTheSettingsIsSeen() {
        assertThat(violations(afterOutage(CatchUp.NONE))).isEmpty();
        assertThat(violations(afterOutage(CatchUp.LAST)))
                .containsExactly("the last due time before the run was not caught up with");
        ran(-90, 1, 2);
        assertThat(violations(afterOutage(CatchUp.LAST))).isEmpty();
        assertThat(violations(afterOutage(CatchUp.NONE)))
                .containsExactly("was started for 2030-01-01T00:00:00Z, which was missed");
        assertThat(violations(afterOutage(CatchUp.ALL))).contains("was not started for 2029-12-31T23:40:00Z");
        ran(-390, 3, 4);
        assertThat(violations(afterOutage(CatchUp.LAST)))
                .containsExactly("2 due times from before the run were caught up with");
    }

    @Test
    void aDueTimeWithoutCatchingUpIsMissedWhileNoNodeIsThereOnly() {
        var end = BEGIN.plusSeconds(300);
        var due = Instant.parse("2030-01-01T00:05:00Z");
        var during = new ScheduleCheck.Outage(due.minusSeconds(10), due.plusSeconds(20));
        var before = new ScheduleCheck.Outage(due.minusSeconds(90), due.minusSeconds(20));
        assertThat(new ScheduleCheck(afterOutage(CatchUp.NONE), BEGIN, end, List.of(before), runs).violations())
                .containsExactly("was not started for " + due);
        assertThat(new ScheduleCheck(afterOutage(CatchUp.NONE), BEGIN, end, List.of(before, during), runs).violations())
                .isEmpty();
    }

    @Test
    void aRunBeforeItsTimeAndOneOfNoTimeAreSeen() {
        var due = BEGIN.plusSeconds(10);
        runs.add(new Run("saga", 1, due, due.minusSeconds(1), SagaStatus.COMPLETED, 1, 2, due));
        ran(15, 3, 4);
        assertThat(violations(every10s(Overlap.SKIP, CatchUp.NONE)))
                .containsExactly(
                        "was started before it was due at 2030-01-01T00:01:40Z",
                        "the saga for 2030-01-01T00:01:40Z has another due time in its payload",
                        "was started for 2030-01-01T00:01:45Z, which is no due time");
    }
}
