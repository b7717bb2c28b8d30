package io.hiroba.client;

/** Thrown where the server refuses a request, or cannot be reached. */
public final class HirobaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    HirobaException(int status, String code, String detail) {
        super(detail);
        this.status = status;
        this.code = code;
    }

    HirobaException(String detail, Throwable cause) {
        super(detail, cause);
        this.status = 0;
        this.code = "";
    }

    /** The HTTP status; 0 if there was no answer. */
    public int status() {
        return status;
    }

    /** The stable code of the problem, such as {@code saga.not-found}; empty if there is none. */
    public String code() {
        return code;
    }

    /** Whether the same request may succeed later. */
    public boolean isTransient() {
        return status == 0 || status == 408 || status == 429 || status >= 500;
    }
}
