package io.hiroba.embedded;

/** The embedded database cannot be had; the message is one sentence that says what to do. */
public final class EmbeddedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EmbeddedException(String message) {
        super(message);
    }

    public EmbeddedException(String message, Throwable cause) {
        super(message, cause);
    }
}
