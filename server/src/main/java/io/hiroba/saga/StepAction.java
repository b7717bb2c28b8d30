package io.hiroba.saga;

/** What an attempt at a step was to do. */
public enum StepAction {
    EXECUTE,
    COMPENSATE
}
