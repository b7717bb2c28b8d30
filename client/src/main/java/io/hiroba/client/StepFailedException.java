package io.hiroba.client;

/**
 * Thrown by a step to say that it did not succeed and had no effect. Any other exception means that it may have had one: the step is
 * tried again by its rules, and undone if it does not succeed.
 */
public final class StepFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean retryable;
    private final boolean notFound;

    private StepFailedException(String reason, boolean retryable, boolean notFound) {
        super(reason);
        this.retryable = retryable;
        this.notFound = notFound;
    }

    /** A failure that may pass: the step is tried again by its rules. */
    public static StepFailedException retryable(String reason) {
        return new StepFailedException(reason, true, false);
    }

    /** A failure for good: the saga is undone. */
    public static StepFailedException permanent(String reason) {
        return new StepFailedException(reason, false, false);
    }

    /** The answer to a question about a step that had no effect. */
    public static StepFailedException notFound(String reason) {
        return new StepFailedException(reason, false, true);
    }

    boolean isRetryable() {
        return retryable;
    }

    boolean isNotFound() {
        return notFound;
    }
}
