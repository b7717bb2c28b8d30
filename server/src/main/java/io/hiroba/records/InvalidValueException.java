package io.hiroba.records;

import io.hiroba.platform.i18n.Text;

/** A value that an attribute cannot have; in English the reason completes "`name` …". */
public final class InvalidValueException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Text reason;

    public InvalidValueException(Text reason) {
        super(null, null, false, false);
        this.reason = reason;
    }

    public Text reason() {
        return reason;
    }

    /** The reason in English, for logs. */
    @Override
    public String getMessage() {
        return reason.toString();
    }
}
