package io.hiroba.saga.engine;

import io.hiroba.saga.StepStatus;
import org.jspecify.annotations.Nullable;

/** The attempts at executing, or at compensating, one step. */
final class AttemptHistory {

    private int attempts;
    private int round;
    private boolean roundOver;
    private @Nullable StepStatus last;
    private boolean maybeDone;
    private boolean retrying;
    private long retryAt;

    /** Adds an ended attempt. */
    void ended(Attempt attempt) {
        attempts = attempt.number();
        round = roundOver ? 1 : round + 1;
        roundOver = attempt.gaveUp();
        last = attempt.status();
        maybeDone |= attempt.maybeDone();
        var retryAt = attempt.retryAt();
        retrying = retryAt != null;
        this.retryAt = retryAt == null ? 0 : retryAt;
    }

    int attempts() {
        return attempts;
    }

    /** The attempts since an operator last asked for a retry. */
    int attemptsInRound() {
        return roundOver ? 0 : round;
    }

    boolean is(StepStatus status) {
        return last == status;
    }

    /** Whether it is completed, by a call or by hand, or was skipped. */
    boolean isDone() {
        return last == StepStatus.SUCCESS || last == StepStatus.SKIPPED;
    }

    /** Whether an attempt failed in a way that does not tell whether it took effect, and none succeeded since. */
    boolean isMaybeDone() {
        return maybeDone && last != StepStatus.SUCCESS;
    }

    /** Whether it is neither completed nor given up. */
    boolean isOpen() {
        return last == null || retrying;
    }

    boolean isDue(long now) {
        return last == null || (retrying && retryAt - now <= 0);
    }

    /** The time of the next attempt, if it is {@link #isRetrying() retrying}. */
    long retryAt() {
        return retryAt;
    }

    boolean isRetrying() {
        return retrying;
    }
}
