package io.hiroba.saga;

/** What somebody may do with sagas; each may do what those before it may. */
public enum SagaRole {
    NONE,
    AUDITOR,
    OPERATOR,
    ADMIN;

    boolean covers(SagaRole other) {
        return compareTo(other) >= 0;
    }
}
