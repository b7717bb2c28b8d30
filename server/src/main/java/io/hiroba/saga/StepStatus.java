package io.hiroba.saga;

/** How an attempt at a step ended. */
public enum StepStatus {
    SUCCESS,
    FAILED,
    TIMEOUT,
    SKIPPED
}
