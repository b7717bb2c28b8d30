package io.hiroba.platform.problem;

import io.hiroba.platform.i18n.Text;

/** A value that a type refuses when it is made of a request; whoever knows the name of its field makes a problem of it. */
public final class RefusedValueException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final transient Text reason;

    /** @param reason as the message of a {@link Problem.FieldError} */
    public RefusedValueException(Text reason) {
        super(reason.toString());
        this.reason = reason;
    }

    public Text reason() {
        return reason;
    }
}
