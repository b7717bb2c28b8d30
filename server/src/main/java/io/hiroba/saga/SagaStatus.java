package io.hiroba.saga;

/** The status of a saga. {@link Transitions} says how it gets there. */
public enum SagaStatus {
    STARTED,
    RUNNING,
    COMPLETED,
    COMPENSATING,
    FAILED,
    CANCELLED;

    /** Nothing happens to it any more. */
    public boolean isTerminal() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }

    /** Its steps are being executed, not undone. */
    public boolean isForward() {
        return this == STARTED || this == RUNNING;
    }
}
