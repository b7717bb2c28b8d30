package io.hiroba.saga.pages;

import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.saga.Saga;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepLog;
import io.hiroba.saga.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A saga along the time that it took so far.
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

    /** @param workflow nothing where the definition is gone: then only steps with attempts are known */
    static Timeline of(Saga saga, List<StepLog> log, Optional<Workflow> workflow, ReaderClock when) {
        var scale = new TimeScale(saga.createdAt(), end(saga, log, when.now()));
        var lanes = new Lanes(saga, log, workflow, scale, when);
        return new Timeline(
                lanes.forward(),
                lanes.undoing(),
                scale.ticks(),
                Took.text(Duration.between(scale.start(), scale.end())));
    }

    /** The last thing that happened; as long as something may still happen, now. */
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
}
