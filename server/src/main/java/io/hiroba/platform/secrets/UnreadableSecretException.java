package io.hiroba.platform.secrets;

/** Thrown where a secret was not encrypted for its row, or with no key of this node's file. */
public final class UnreadableSecretException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadableSecretException(String message, Throwable cause) {
        super(message, cause);
    }

    UnreadableSecretException(String message) {
        super(message);
    }
}
