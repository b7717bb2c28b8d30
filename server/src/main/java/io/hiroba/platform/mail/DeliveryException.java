package io.hiroba.platform.mail;

import org.jspecify.annotations.Nullable;

/** A mail did not get out. */
final class DeliveryException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean permanent;

    private DeliveryException(String message, boolean permanent, @Nullable Throwable cause) {
        super(message, cause);
        this.permanent = permanent;
    }

    static DeliveryException transientFailure(String message, Throwable cause) {
        return new DeliveryException(message, false, cause);
    }

    static DeliveryException refusal(String message, Throwable cause) {
        return new DeliveryException(message, true, cause);
    }

    /** Whether trying again cannot help. */
    boolean isPermanent() {
        return permanent;
    }
}
