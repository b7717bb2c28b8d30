package io.hiroba.saga;

/** What somebody may do with sagas; each may do what those before it may. */
public enum Role {
    NONE,
    AUDITOR,
    OPERATOR,
    ADMIN;

    boolean covers(Role other) {
        return compareTo(other) >= 0;
    }
}
