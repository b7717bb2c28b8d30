package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides for steps that wait for signals, for people or for sagas that they started. What it remembers saves looking again: a
 * driver that claims the saga later finds it out anew.
 */
final class WaitRules {

    private final ClaimedSaga saga;
    private final ToLongFunction<Step> reachedAt;

    /** The steps whose assignees were asked, and whether they were reminded. */
    private final Map<Integer, Boolean> asked = new HashMap<>();

    /** The steps that wait for children of theirs. */
    private final Set<Integer> waiting = new HashSet<>();

    /** The steps that were found to have no children. */
    private final Set<Integer> childless = new HashSet<>();

    /** @param reachedAt when the turn of a step came, by the driver's clock */
    WaitRules(ClaimedSaga saga, ToLongFunction<Step> reachedAt) {
        this.saga = saga;
        this.reachedAt = reachedAt;
    }

    /** The assignees of a step have been asked; {@code reminded} if that was done too. */
    void asked(Step step, boolean reminded) {
        asked.put(step.index(), reminded);
    }

    /** There is nothing to do for this step until one of its children ends. */
    void waitsForChildren(Step step) {
        waiting.add(step.index());
    }

    boolean isWaiting(Step step) {
        return waiting.contains(step.index());
    }

    /** The step has started no children, so that there are none to undo. */
    void hasNoChildren(Step step) {
        childless.add(step.index());
    }

    boolean isChildless(Step step) {
        return childless.contains(step.index());
    }

    /** The saga is undone from now on: children that were waited for are to be cancelled. */
    void turned() {
        waiting.clear();
    }

    /** How long a step still has; null for no limit. */
    @Nullable
    Duration timeLeft(Step step, long now) {
        return step.timeout() == null ? null : Duration.ofNanos(Math.max(0, end(step) - now));
    }

    /** The next action for a step whose turn has come; null while it waits. */
    @Nullable
    Decision decide(Step step, long now) {
        return switch (step.work()) {
            case Step.Signal signal -> signal(step, signal, now);
            case Step.Approval approval -> approval(step, approval, now);
            case Step.Children _ -> children(step, now);
            case Step.Continuation _ -> new Decision.Continue(step);
            case Step.Timer _, Step.Call _ -> null;
        };
    }

    private @Nullable Decision signal(Step step, Step.Signal signal, long now) {
        var payload = saga.signalPayloads().get(signal.name());
        if (payload != null) {
            return new Decision.Signalled(step, payload);
        }
        return isOverdue(step, now)
                ? new Decision.Expire(
                        step,
                        Text.of("saga.journal.signal-late", "signal", signal.name(), "time", time(step.timeout())))
                : null;
    }

    private @Nullable Decision approval(Step step, Step.Approval approval, long now) {
        var outcome = saga.signalPayloads().get(Step.Approval.signal(step.index()));
        if (outcome != null) {
            return new Decision.Signalled(step, outcome);
        }
        if (isOverdue(step, now)) {
            return new Decision.Expire(step, Text.of("saga.journal.approval-late", "time", time(step.timeout())));
        }
        var reminded = asked.get(step.index());
        boolean remind = approval.reminder() != null && remindAt(step, approval.reminder()) - now <= 0;
        return reminded == null || (remind && !reminded) ? new Decision.Ask(step, remind) : null;
    }

    private @Nullable Decision children(Step step, long now) {
        if (isOverdue(step, now)) {
            return new Decision.Overdue(step, Text.of("saga.journal.children-late", "time", time(step.timeout())));
        }
        return isWaiting(step) ? null : new Decision.RunChildren(step);
    }

    /** The moments at which a waiting step has to be looked at again. */
    List<Long> ends(Step step) {
        var ends = new ArrayList<Long>();
        if (step.timeout() != null && (step.waits() || step.work() instanceof Step.Children)) {
            ends.add(end(step));
            if (step.work() instanceof Step.Approval approval
                    && approval.reminder() != null
                    && Boolean.FALSE.equals(asked.get(step.index()))) {
                ends.add(remindAt(step, approval.reminder()));
            }
        }
        return ends;
    }

    private boolean isOverdue(Step step, long now) {
        return step.timeout() != null && end(step) - now <= 0;
    }

    private long remindAt(Step step, Duration reminder) {
        return end(step) - reminder.toNanos();
    }

    private long end(Step step) {
        return reachedAt.applyAsLong(step)
                + (step.timeout() == null ? 0 : step.timeout().toNanos());
    }

    static Text time(@Nullable Duration timeout) {
        return DurationText.text(timeout == null ? Duration.ZERO : timeout);
    }
}
