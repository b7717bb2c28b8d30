package io.hiroba.saga.engine;

import io.hiroba.saga.StepStatus;
import org.jspecify.annotations.Nullable;

/** How far the execution, or the compensation, of one step has come. */
final class AttemptHistory {

    private int attempts;
    private int round;
    private boolean roundOver;
    private @Nullable StepStatus last;
    private boolean retrying;
    private long retryAt;

    /** An attempt has ended. */
    void ended(Attempt attempt) {
        attempts = attempt.number();
        round = roundOver ? 1 : round + 1;
        roundOver = attempt.gaveUp();
        last = attempt.status();
        var retryAt = attempt.retryAt();
        retrying = retryAt != null;
        this.retryAt = retryAt == null ? 0 : retryAt;
    }

    int attempts() {
        return attempts;
    }

    /** How many of them there were since a person last asked for a retry. */
    int attemptsInRound() {
        return roundOver ? 0 : round;
    }

    boolean is(StepStatus status) {
        return last == status;
    }

    /** Neither done nor given up. */
    boolean isOpen() {
        return last == null || retrying;
    }

    boolean isDue(long now) {
        return last == null || (retrying && retryAt - now <= 0);
    }

    /** When the next attempt is due; only where one is. */
    long retryAt() {
        return retryAt;
    }

    boolean isRetrying() {
        return retrying;
    }
}
