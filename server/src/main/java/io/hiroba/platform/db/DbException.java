package io.hiroba.platform.db;

import java.sql.SQLException;

/** What the database refused or could not do. {@link SqlState} says which. */
public class DbException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Has the message of the cause and no more: what was bound, and with it codes, addresses and hashes, goes into no log. */
    public DbException(SQLException cause) {
        super(cause.getMessage(), cause);
    }
}
