package io.hiroba.agents.model;

import io.hiroba.agents.model.ModelTurn.StandIn;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call of a model that gave no turn. Its message holds no secret. */
public final class ModelFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean retryable;
    private final transient @Nullable Duration retryAfter;
    private final int status;
    private final transient @Nullable Tokens tokens;

    /**
     * The tokens that a call took, as reported or else estimated.
     *
     * @param standIn the model that took them in place of the one that was asked; null if that one did
     */
    public record Tokens(long in, long out, @Nullable StandIn standIn) {

        public Tokens(long in, long out) {
            this(in, out, null);
        }
    }

    public ModelFailure(String message, boolean retryable, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        this(message, retryable, retryAfter, cause, 0, null);
    }

    private ModelFailure(
            String message,
            boolean retryable,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause,
            int status,
            @Nullable Tokens tokens) {
        super(message, cause);
        this.retryable = retryable;
        this.retryAfter = retryAfter;
        this.status = status;
        this.tokens = tokens;
    }

    /** The same failure of a call that was answered with this status of HTTP. */
    public ModelFailure having(int itsStatus) {
        return new ModelFailure(String.valueOf(getMessage()), retryable, retryAfter, getCause(), itsStatus, tokens);
    }

    /** The same failure of a call that the model had begun to answer, and that took these tokens. */
    public ModelFailure having(@Nullable Tokens taken) {
        return new ModelFailure(String.valueOf(getMessage()), retryable, retryAfter, getCause(), status, taken);
    }

    /** What the call took; null if no answer had begun, so that nothing is paid for. */
    public @Nullable Tokens tokens() {
        return tokens;
    }

    /** The status that the service refused the call with; 0 if it did not. */
    public int status() {
        return status;
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
