package io.hiroba.platform.db;

import java.sql.SQLException;

/** Thrown when a statement or connection failed; {@link SqlState} classifies it. */
public class DbException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With the message of the cause only: bound values, such as codes, addresses and hashes, must not be logged. */
    public DbException(SQLException cause) {
        super(cause.getMessage(), cause);
    }
}
