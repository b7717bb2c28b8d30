package io.hiroba.platform.db;

/** Thrown when the database cannot be used; its message is a sentence for the operator. */
public final class DatabaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DatabaseException(String message) {
        super(message);
    }

    DatabaseException(String message, Throwable cause) {
        super(message, cause);
    }
}
