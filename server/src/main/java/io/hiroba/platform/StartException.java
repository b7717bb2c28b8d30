package io.hiroba.platform;

import org.jspecify.annotations.Nullable;

/** Thrown when the program cannot start; its message is a sentence for the operator. */
public final class StartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StartException(String message) {
        this(message, null);
    }

    public StartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
