package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.saga.SagaReport.Difference;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.schedule.Schedule.CatchUp;
import io.hiroba.saga.schedule.Schedule.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Checks the runs of a schedule: each due time was started once, or left out for a reason that its settings allow. */
final class ScheduleCheck {

    /** The delay of what is due while a node is there. */
    static final Duration MAX_DELAY = Duration.ofSeconds(45);

    private final ChaosSchedule schedule;
    private final Instant begin;
    private final Instant end;
    private final Duration maxDelay;
    private final List<Outage> outages;
    private final List<Run> runs;
    private final Set<Instant> started;
    private final List<String> violations = new ArrayList<>();

    /**
     * A saga that a schedule started.
     *
     * @param first the id of the event of its start
     * @param last the id of its last event
     * @param changedAt when it was written last; its end, if it has ended
     */
    record Run(
            String saga,
            long number,
            Instant dueAt,
            Instant startedAt,
            SagaStatus status,
            long first,
            long last,
            Instant changedAt) {

        boolean wasOpen(Instant from, Instant until) {
            return !startedAt.isAfter(until) && !(status.isTerminal() && changedAt.isBefore(from));
        }
    }

    /** A time in which no node did what clients asked for. */
    record Outage(Instant from, Instant until) {

        Duration length() {
            return Duration.between(from, until);
        }

        boolean overlaps(Instant begin, Instant end) {
            return !from.isAfter(end) && !until.isBefore(begin);
        }
    }

    /**
     * Checks these runs.
     *
     * @param begin when the nodes were started
     * @param end the last moment at which a run may be due
     * @param outages the times in which no node did what clients asked for
     * @param runs in the order of their starts
     */
    ScheduleCheck(ChaosSchedule schedule, Instant begin, Instant end, List<Outage> outages, List<Run> runs) {
        this.schedule = schedule;
        this.begin = begin;
        this.end = end;
        this.outages = outages;
        // On a busy machine it takes minutes to start a node.
        this.maxDelay = MAX_DELAY.plus(outages.stream()
                .map(Outage::length)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO)
                .multipliedBy(2));
        this.runs = runs;
        this.started = runs.stream().map(Run::dueAt).collect(Collectors.toSet());
    }

    static List<Difference> all(Handle handle, Instant begin, Instant end) {
        var outages = outages(handle, begin);
        return ChaosSchedule.ALL.stream()
                .map(schedule -> new ScheduleCheck(schedule, begin, end, outages, runs(handle, schedule)))
                .flatMap(check -> check.differences().stream())
                .toList();
    }

    private static List<Outage> outages(Handle handle, Instant begin) {
        return handle.createQuery("""
                        SELECT before, created_at
                        FROM (
                            SELECT created_at, lag(created_at, 1, :begin) OVER (ORDER BY created_at) AS before
                            FROM saga.saga_states
                            WHERE correlation_id NOT LIKE 'schedule:%') AS started
                        WHERE created_at - before > INTERVAL '5 seconds'
                        """)
                .bind("begin", begin)
                .map((row, ctx) -> new Outage(
                        row.getTimestamp("before").toInstant(),
                        row.getTimestamp("created_at").toInstant()))
                .list();
    }

    private static List<Run> runs(Handle handle, ChaosSchedule schedule) {
        return handle.createQuery("""
                        SELECT r.saga_id::text AS saga, r.due_at, s.created_at, s.updated_at, s.status, e.first, e.last,
                               (s.payload ->> 'schedule')::bigint
                                   + 100 * extract(epoch FROM (s.payload ->> 'scheduledAt')::timestamptz)::bigint AS number
                        FROM saga.schedule_runs AS r
                        JOIN saga.saga_states AS s ON s.id = r.saga_id
                        CROSS JOIN LATERAL (
                            SELECT min(event_id) AS first, max(event_id) AS last FROM platform.event_logs
                            WHERE partition_id = get_byte(uuid_send(s.id), 15)
                              AND payload ->> 'sagaId' = s.id::text) AS e
                        WHERE r.schedule_id = :id
                        ORDER BY e.first
                        """)
                .bind("id", schedule.id())
                .map((row, ctx) -> new Run(
                        row.getString("saga"),
                        row.getLong("number"),
                        row.getTimestamp("due_at").toInstant(),
                        row.getTimestamp("created_at").toInstant(),
                        SagaStatus.valueOf(row.getString("status")),
                        row.getLong("first"),
                        row.getLong("last"),
                        row.getTimestamp("updated_at").toInstant()))
                .list();
    }

    private List<Difference> differences() {
        var found = violations();
        return found.isEmpty()
                ? List.of()
                : List.of(new Difference(
                        schedule + " from " + begin + " to " + end,
                        found,
                        runs.stream().map(Run::toString).toList()));
    }

    /** Returns the violations. */
    List<String> violations() {
        checkTimes();
        checkOnce();
        if (schedule.overlap() == Overlap.ALLOW) {
            checkNoneLeftOut();
        } else {
            checkOverlap();
            checkGoesOn();
        }
        return violations;
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }

    private void checkTimes() {
        var earliest = begin.minus(schedule.window());
        var possible = new HashSet<>(schedule.dueTimes(begin.minus(schedule.missed()), end));
        for (var run : runs) {
            check(possible.contains(run.dueAt()), "was started for %s, which is no due time".formatted(run.dueAt()));
            check(!run.dueAt().isBefore(earliest), "was started for %s, which was missed".formatted(run.dueAt()));
            check(!run.startedAt().isBefore(run.dueAt()), "was started before it was due at " + run.dueAt());
            check(
                    run.number() == schedule.number(run.dueAt()),
                    "the saga for %s has another due time in its payload".formatted(run.dueAt()));
        }
    }

    private void checkOnce() {
        check(
                started.size() == runs.size(),
                "%d due times were started %d times".formatted(started.size(), runs.size()));
        if (schedule.catchUp() == CatchUp.LAST) {
            long caughtUp =
                    runs.stream().filter(run -> run.dueAt().isBefore(begin)).count();
            check(caughtUp <= 1, "%d due times from before the run were caught up with".formatted(caughtUp));
        }
    }

    /** Where runs may overlap, a due time is left out by the rules of catching up only. */
    private void checkNoneLeftOut() {
        var missed = begin.minus(schedule.missed());
        var earliest = begin.plus(maxDelay).minus(schedule.window());
        var wanted = schedule.dueTimes(missed, end).stream()
                .filter(time -> !time.isBefore(earliest))
                .toList();
        for (var time : wanted) {
            boolean last = schedule.catchUp() == CatchUp.ALL
                    || (schedule.dueTimes(time, time.plus(maxDelay)).isEmpty() && !time.isBefore(begin));
            check(!last || mayBeMissed(time) || started.contains(time), "was not started for " + time);
        }
        if (schedule.catchUp() == CatchUp.LAST && !schedule.missed().isZero()) {
            check(
                    started.stream().anyMatch(time -> !time.isAfter(begin.plus(maxDelay))),
                    "the last due time before the run was not caught up with");
        }
    }

    /** Whether no node may have been there in time for one that is not caught up with. */
    private boolean mayBeMissed(Instant time) {
        return schedule.catchUp() == CatchUp.NONE
                && outages.stream().anyMatch(each -> each.overlaps(time, time.plus(ChaosSchedule.GRACE)));
    }

    private void checkOverlap() {
        for (int i = 1; i < runs.size(); i++) {
            var before = runs.get(i - 1);
            var run = runs.get(i);
            check(
                    before.status().isTerminal() && before.last() < run.first(),
                    "was started for %s while the saga of %s was open".formatted(run.dueAt(), before.dueAt()));
            check(
                    before.dueAt().isBefore(run.dueAt()),
                    "was started for %s after %s".formatted(run.dueAt(), before.dueAt()));
        }
    }

    /** A due time is left out while a saga is open, which nodes that are always killed may take minutes for. */
    private void checkGoesOn() {
        for (var time : schedule.dueTimes(begin, end.minus(maxDelay))) {
            var until = time.plus(maxDelay);
            check(
                    started.stream().anyMatch(other -> !other.isBefore(time) && !other.isAfter(until))
                            || runs.stream().anyMatch(run -> run.wasOpen(time, until)),
                    "nothing was started between %s and %s".formatted(time, until));
        }
    }
}
