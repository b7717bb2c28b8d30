package io.hiroba.platform.db;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that is executed for many sets of parameters at once. */
public final class Batch extends SqlStatement<Batch> {

    private final List<@Nullable Object[]> added = new ArrayList<>();

    Batch(Reads reads, String sql) {
        super(reads, sql);
    }

    @Override
    Batch self() {
        return this;
    }

    /** Adds the bound values as one set; the next begins empty. */
    public Batch add() {
        added.add(take());
        return this;
    }

    /** Does nothing without a set. */
    public void execute() {
        if (added.isEmpty()) {
            return;
        }
        var span = beginSpan().set("db.operation.batch.size", added.size());
        try (var statement = unset()) {
            for (var values : added) {
                set(statement, values);
                statement.addBatch();
            }
            statement.executeBatch();
            executed(statement);
        } catch (SQLException e) {
            span.fail(String.valueOf(e.getSQLState()));
            throw new DbException(e);
        } finally {
            span.end();
        }
    }
}
