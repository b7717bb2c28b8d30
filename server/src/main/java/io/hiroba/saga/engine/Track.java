package io.hiroba.saga.engine;

import io.hiroba.saga.StepStatus;
import org.jspecify.annotations.Nullable;

/** How far the execution, or the compensation, of one step has come. */
final class Track {

    private int attempts;
    private @Nullable StepStatus last;
    private boolean retrying;
    private long retryAt;

    /** An attempt has ended. {@code retryAt} is when the next is due, by the driver's clock; null if there is none. */
    void ended(int attempt, StepStatus status, @Nullable Long retryAt) {
        attempts = attempt;
        last = status;
        retrying = retryAt != null;
        this.retryAt = retryAt == null ? 0 : retryAt;
    }

    int attempts() {
        return attempts;
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
