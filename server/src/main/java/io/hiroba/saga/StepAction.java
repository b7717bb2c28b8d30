package io.hiroba.saga;

/** The direction of an attempt. */
public enum StepAction {
    EXECUTE,
    COMPENSATE
}
