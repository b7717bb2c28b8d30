package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.saga.Ledger.Entry;
import io.hiroba.bench.chaos.saga.Ledger.Kind;
import io.hiroba.bench.chaos.saga.Shape.Part;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.Transitions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One saga, held against what the service did for it and what people were told. */
final class Trial {

    private final Story story;
    private final List<Entry> ledger;
    private final Asked asked;
    private final long seed;
    private final List<String> wrong = new ArrayList<>();
    private int remaining;

    Trial(Story story, List<Entry> ledger, Asked asked, long seed) {
        this.story = story;
        this.ledger = ledger;
        this.asked = asked;
        this.seed = seed;
    }

    /** What is wrong. */
    List<String> run() {
        rest();
        requests();
        events();
        for (var part : story.shape().parts()) {
            attempts(part, StepAction.EXECUTE);
            attempts(part, StepAction.COMPENSATE);
            effects(part);
            if (story.status() == SagaStatus.COMPLETED) {
                completed(part);
            } else if (story.hasEnded() || story.stuck()) {
                undone(part);
            }
        }
        order();
        return wrong;
    }

    /** Effects of which the orchestrator was not told, and which it gave up asking for. */
    int remaining() {
        return remaining;
    }

    List<String> evidence() {
        return Stream.concat(Stream.of(asked.toString()), ledger.stream().map(Entry::toString))
                .toList();
    }

    private void check(boolean right, String complaint) {
        if (!right) {
            wrong.add(complaint);
        }
    }

    private void rest() {
        check(story.hasEnded() || story.stuck(), "has not come to an end");
        check(story.resting(), "is not at rest: somebody has it, or it is due");
        check(!story.stuck() || isStuckByPlan(story, seed), "is stuck, though what it is to undo can be undone");
    }

    /** Whether the service refuses for ever to undo what is to be undone next. */
    static boolean isStuckByPlan(Story story, long seed) {
        return story.stuck()
                && toUndo(story)
                        .filter(part -> Manner.of(seed, story.number(), part.index(), false, 1) == Manner.REFUSING)
                        .isPresent();
    }

    private static Optional<Part> toUndo(Story story) {
        return story.shape().parts().reversed().stream()
                .filter(part -> story.succeeded(part.index(), StepAction.EXECUTE)
                        && story.rows(part.index(), StepAction.COMPENSATE).stream()
                                .noneMatch(row ->
                                        row.status() == StepStatus.SUCCESS || row.status() == StepStatus.SKIPPED))
                .findFirst();
    }

    private void requests() {
        if (asked.was("cancel")) {
            check(story.stuck() || story.status() == SagaStatus.CANCELLED, "was cancelled, and is not");
        }
        if (asked.was("compensate")) {
            check(story.stuck() || story.status() == SagaStatus.FAILED, "was to be undone, and is not");
        }
        if (story.status() == SagaStatus.CANCELLED) {
            check(asked.mayHave("cancel"), "nobody cancelled it");
        }
        if (story.status() == SagaStatus.FAILED && !asked.mayHave("compensate")) {
            check(
                    story.log().stream()
                            .anyMatch(row -> row.action() == StepAction.EXECUTE
                                    && row.status() != StepStatus.SUCCESS
                                    && !row.retried()),
                    "failed without a step that did");
        }
    }

    private void events() {
        var statuses = story.told().stream()
                .filter(told -> !told.equals(Story.STUCK))
                .map(SagaStatus::valueOf)
                .toList();
        if (statuses.isEmpty() || statuses.getFirst() != SagaStatus.STARTED) {
            wrong.add("its events do not begin with its start");
            return;
        }
        check(new HashSet<>(statuses).size() == statuses.size(), "its events tell of a status twice");
        for (int i = 1; i < statuses.size(); i++) {
            check(
                    Transitions.allowed(statuses.get(i - 1), statuses.get(i)),
                    "its events tell of a change from %s to %s".formatted(statuses.get(i - 1), statuses.get(i)));
        }
        check(statuses.getLast() == story.status(), "its events end with " + statuses.getLast());
        check(!story.stuck() || story.told().contains(Story.STUCK), "no event tells that it is stuck");
    }

    private void attempts(Part part, StepAction action) {
        var rows = story.rows(part.index(), action);
        for (int i = 0; i < rows.size(); i++) {
            var row = rows.get(i);
            boolean last = i == rows.size() - 1;
            var name = action + " " + part.name();
            check(row.attempt() == i + 1, "attempt %d of %s is missing".formatted(i + 1, name));
            check(
                    last || row.status() == StepStatus.FAILED || row.status() == StepStatus.TIMEOUT,
                    name + " was done, and then tried again");
            if (row.status() == StepStatus.SUCCESS && part.isCall()) {
                check(key(part, action).equals(row.key()), name + " was given the answer to " + row.key());
            }
        }
    }

    private void effects(Part part) {
        for (var action : StepAction.values()) {
            var method = (action == StepAction.EXECUTE ? "do-" : "undo-") + part.name();
            var keys = ledger.stream()
                    .filter(entry -> entry.kind() == Kind.DONE && entry.method().equals(method))
                    .map(Entry::key)
                    .toList();
            check(keys.size() <= 1, method + " took effect under the keys " + keys);
            check(
                    keys.isEmpty() || keys.getFirst().equals(key(part, action)),
                    method + " took effect under the key " + keys);
            if (part.isCall() && story.succeeded(part.index(), action)) {
                check(keys.size() == 1, method + " is logged as done and had no effect");
            }
        }
    }

    private void completed(Part part) {
        check(story.succeeded(part.index(), StepAction.EXECUTE), "is completed without " + part.name());
        check(story.rows(part.index(), StepAction.COMPENSATE).isEmpty(), "is completed, and undid " + part.name());
        check(effect(part, StepAction.COMPENSATE).isEmpty(), "is completed, and the service undid " + part.name());
    }

    private void undone(Part part) {
        var rows = story.rows(part.index(), StepAction.COMPENSATE);
        boolean undone = effect(part, StepAction.COMPENSATE).isPresent();
        if (!story.succeeded(part.index(), StepAction.EXECUTE)) {
            check(rows.isEmpty() && !undone, part.name() + " was undone, though it was not done");
            if (effect(part, StepAction.EXECUTE).isPresent()) {
                remaining++;
                // What nothing undoes is not called again to find out (ADR 22).
                check(
                        !part.hasCompensation()
                                || !story.rows(part.index(), StepAction.EXECUTE).isEmpty(),
                        part.name() + " had an effect that the log knows nothing of");
            }
            return;
        }
        int next = toUndo(story).map(Part::index).orElse(-1);
        if (part.index() > next) {
            var wanted = part.hasCompensation() ? StepStatus.SUCCESS : StepStatus.SKIPPED;
            check(!rows.isEmpty() && rows.getLast().status() == wanted, part.name() + " was not undone");
        } else {
            check(story.stuck(), part.name() + " was not undone");
            check(part.index() == next || (rows.isEmpty() && !undone), part.name() + " was undone before its turn");
        }
    }

    /** Stages one after the other, and back from the last step to the first. */
    private void order() {
        var parts = story.shape().parts();
        long later = Long.MAX_VALUE;
        for (var part : parts) {
            var undone = effect(part, StepAction.COMPENSATE);
            if (undone.isPresent()) {
                check(undone.get().order() < later, part.name() + " was undone before what came after it");
                later = undone.get().order();
            }
            var begun = asked(part, StepAction.COMPENSATE);
            var done = effect(part, StepAction.EXECUTE);
            if (begun.isPresent() && done.isPresent()) {
                check(
                        done.get().order() < begun.get().order(),
                        part.name() + " took effect after it began to be undone");
            }
            asked(part, StepAction.EXECUTE)
                    .ifPresent(call -> parts.stream()
                            .filter(other -> other.isCall() && other.stage() < part.stage())
                            .forEach(other -> check(
                                    effect(other, StepAction.EXECUTE)
                                            .filter(before -> before.order() < call.order())
                                            .isPresent(),
                                    part.name() + " was begun before " + other.name() + " was done")));
        }
    }

    private Optional<Entry> effect(Part part, StepAction action) {
        return first(part, action, Kind.DONE);
    }

    private Optional<Entry> asked(Part part, StepAction action) {
        return first(part, action, Kind.ASKED);
    }

    private Optional<Entry> first(Part part, StepAction action, Kind kind) {
        var key = key(part, action);
        return ledger.stream()
                .filter(entry -> entry.kind() == kind && entry.key().equals(key))
                .findFirst();
    }

    private String key(Part part, StepAction action) {
        return story.id() + ":" + part.index() + ":" + action;
    }
}
