package io.hiroba.saga.call;

/** The purpose of a call. */
public enum TaskKind {
    EXECUTE,
    COMPENSATE,
    /** Asks whether an execution took effect. */
    STATUS
}
