package io.hiroba.platform.expression;

import io.hiroba.platform.i18n.Text;

/** Thrown where an expression is not valid, or cannot be evaluated with the values that it is given. */
public final class ExpressionException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Text reason;

    ExpressionException(Text reason) {
        super(reason.key(), null, false, false);
        this.reason = reason;
    }

    /** The reason, as a clause that follows the name of what holds the expression. */
    public Text reason() {
        return reason;
    }
}
