package io.hiroba.platform.db;

import java.sql.SQLException;

/** A statement that changes something. */
public final class Update extends SqlStatement<Update> {

    Update(Reads reads, String sql) {
        super(reads, sql);
    }

    @Override
    Update self() {
        return this;
    }

    /** Returns the number of changed rows. */
    public int execute() {
        var span = beginSpan();
        try (var statement = prepared()) {
            statement.execute();
            executed(statement);
            return statement.getUpdateCount();
        } catch (SQLException e) {
            span.fail(String.valueOf(e.getSQLState()));
            throw new DbException(e);
        } finally {
            span.end();
        }
    }
}
