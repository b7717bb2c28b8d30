package io.hiroba.agents.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call of a model that gave no turn. */
public final class ModelFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean retryable;
    private final transient @Nullable Duration retryAfter;

    public ModelFailure(String message, boolean retryable, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.retryable = retryable;
        this.retryAfter = retryAfter;
    }

    /** Whether the same call may succeed later. */
    public boolean retryable() {
        return retryable;
    }

    /** The time that the provider asked to wait, if it did. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
