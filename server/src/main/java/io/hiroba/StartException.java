package io.hiroba;

import org.jspecify.annotations.Nullable;

/** A start that cannot go on: one sentence for the operator. */
final class StartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StartException(String message) {
        this(message, null);
    }

    StartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
