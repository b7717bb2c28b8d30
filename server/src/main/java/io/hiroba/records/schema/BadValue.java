package io.hiroba.records.schema;

/** A value that an attribute cannot have; the message completes "`name` …". */
public final class BadValue extends Exception {

    private static final long serialVersionUID = 1L;

    public BadValue(String message) {
        super(message, null, false, false);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
