package io.hiroba.saga;

/** A role in sagas; each includes the rights of those before it. */
public enum SagaRole {
    NONE,
    AUDITOR,
    OPERATOR,
    ADMIN;

    boolean covers(SagaRole other) {
        return compareTo(other) >= 0;
    }
}
