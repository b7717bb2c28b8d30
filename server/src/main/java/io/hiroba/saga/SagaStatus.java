package io.hiroba.saga;

/** The status of a saga. {@link Transitions} says how it gets there. */
public enum SagaStatus {
    STARTED,
    RUNNING,
    COMPLETED,
    COMPENSATING,
    FAILED,
    CANCELLED;

    /** Whether the saga has ended. */
    public boolean isTerminal() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }

    /** Whether its steps are executed, not compensated. */
    public boolean isForward() {
        return this == STARTED || this == RUNNING;
    }
}
