package io.hiroba.platform.db;

import java.sql.Connection;

/**
 * A connection to read through. Outside a {@link Tx} each statement sees its own snapshot, so what must agree is one
 * statement.
 */
public sealed class Reads permits Tx {

    final Connection connection;

    Reads(Connection connection) {
        this.connection = connection;
    }

    public Query query(String sql) {
        return new Query(connection, sql, false);
    }

    /** As {@link #query}, for a statement whose best plan depends on its values: it is planned for each execution. */
    public Query queryPlannedAnew(String sql) {
        return new Query(connection, sql, true);
    }
}
