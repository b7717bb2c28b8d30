package io.hiroba.platform.db;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * A connection to read through. Outside a {@link Tx} each statement sees its own snapshot, so what must agree is one
 * statement.
 */
public sealed class Reads permits Tx {

    final Handle handle;

    Reads(Handle handle) {
        this.handle = handle;
    }

    public Query query(String sql) {
        return handle.createQuery(sql);
    }
}
