package io.hiroba.platform.db;

import java.sql.SQLException;

/** A statement or connection that failed. {@link SqlState} says which. */
public class DbException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Has the message of the cause and no more: what was bound, and with it codes, addresses and hashes, goes into no log. */
    public DbException(SQLException cause) {
        super(cause.getMessage(), cause);
    }
}
