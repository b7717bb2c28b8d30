package io.hiroba.records;

/** A value that an attribute cannot have; the message completes "`name` …". */
public final class InvalidValueException extends Exception {

    private static final long serialVersionUID = 1L;

    public InvalidValueException(String message) {
        super(message, null, false, false);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
