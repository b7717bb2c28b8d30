package io.hiroba.saga;

/** The result of an attempt. */
public enum StepStatus {
    SUCCESS,
    FAILED,
    TIMEOUT,
    SKIPPED
}
