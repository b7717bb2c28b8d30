package io.hiroba.agents.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call of a model that gave no turn. */
public final class ModelFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean retryable;
    private final transient @Nullable Duration retryAfter;
    private final boolean begun;
    private final transient @Nullable Tokens tokens;

    /** The tokens that a service reported of a call. */
    public record Tokens(long in, long out) {}

    public ModelFailure(String message, boolean retryable, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        this(message, retryable, retryAfter, cause, false, null);
    }

    private ModelFailure(
            String message,
            boolean retryable,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause,
            boolean begun,
            @Nullable Tokens tokens) {
        super(message, cause);
        this.retryable = retryable;
        this.retryAfter = retryAfter;
        this.begun = begun;
        this.tokens = tokens;
    }

    /** The same failure of a call that the service may have begun to answer. */
    public ModelFailure afterItBegan() {
        return begun
                ? this
                : new ModelFailure(String.valueOf(getMessage()), retryable, retryAfter, getCause(), true, tokens);
    }

    /** The same failure of a call that was answered to its end and took these tokens. */
    public ModelFailure having(Tokens taken) {
        return new ModelFailure(String.valueOf(getMessage()), retryable, retryAfter, getCause(), true, taken);
    }

    /** What the call took, if the service reported it. */
    public @Nullable Tokens tokens() {
        return tokens;
    }

    /** Whether the service may have begun to answer, so that the call is paid for. */
    public boolean begun() {
        return begun;
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
