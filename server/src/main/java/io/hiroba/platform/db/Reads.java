package io.hiroba.platform.db;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.postgresql.PGStatement;

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

    /** As {@link #query}, for a statement whose best plan depends on its values: it is never kept prepared. */
    public Query queryPlannedAnew(String sql) {
        return query(sql).addCustomizer(new PlannedAnew());
    }

    private static final class PlannedAnew implements StatementCustomizer {

        @Override
        public void beforeExecution(PreparedStatement statement, StatementContext ctx) throws SQLException {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
    }
}
