package io.hiroba.platform.mail;

import org.jspecify.annotations.Nullable;

/** Thrown when a mail could not be sent. */
final class MailTransportException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean permanent;

    private MailTransportException(String message, boolean permanent, @Nullable Throwable cause) {
        super(message, cause);
        this.permanent = permanent;
    }

    static MailTransportException transientFailure(String message, Throwable cause) {
        return new MailTransportException(message, false, cause);
    }

    static MailTransportException refusal(String message, Throwable cause) {
        return new MailTransportException(message, true, cause);
    }

    /** Whether a retry is of no use. */
    boolean isPermanent() {
        return permanent;
    }
}
