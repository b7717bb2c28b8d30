package io.hiroba.platform;

import org.jspecify.annotations.Nullable;

/** A start that cannot go on: one sentence for the operator. */
public final class StartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StartException(String message) {
        this(message, null);
    }

    public StartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
