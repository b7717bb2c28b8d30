package io.hiroba.platform.vault;

import java.io.IOException;

/** Thrown when Vault gives no answer, or another than was asked for. */
final class VaultException extends IOException {

    private static final long serialVersionUID = 1L;

    /** The status of a request that was not answered at all. */
    static final int NONE = 0;

    static final int BAD_REQUEST = 400;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;

    private final int status;

    VaultException(int status, String message) {
        super(message);
        this.status = status;
    }

    VaultException(String message, Throwable cause) {
        super(message, cause);
        this.status = NONE;
    }

    int status() {
        return status;
    }
}
