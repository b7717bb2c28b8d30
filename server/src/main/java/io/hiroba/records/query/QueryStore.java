package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.records.data.RowId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs what the compiler wrote. */
final class QueryStore {

    record Statement(String text, Sql sql) {}

    /** What a page's statement found, and what the gate was told; null where nothing was found to tell it with. */
    record Outcome(Gate.@Nullable Passed passed, List<FoundRow> rows) {}

    Outcome run(Reads reads, Statement statement, int joined) {
        var passed = new AtomicReference<Gate.@Nullable Passed>();
        var rows = statement
                .sql()
                .bindTo(reads.query(statement.text()))
                .map(row -> {
                    if (passed.get() == null) {
                        passed.set(passed(row));
                    }
                    return row(row, joined);
                })
                .list();
        return new Outcome(passed.get(), rows);
    }

    /** What the gate is told by a statement of {@code role} and {@code version} alone. */
    Gate.Passed gate(Reads reads, Statement statement) {
        return statement
                .sql()
                .bindTo(reads.query(statement.text()))
                .map(row -> passed(row))
                .one();
    }

    private static Gate.Passed passed(ResultSet row) throws SQLException {
        return new Gate.Passed(row.getString(1), row.getLong(2));
    }

    /** Groups, each a JSON array of its keys and figures. */
    record Groups(Gate.Passed passed, List<String> groups) {}

    /** Of a statement of role, version and group. */
    Groups groups(Reads reads, Statement statement) {
        var groups = new ArrayList<String>();
        var passed = statement
                .sql()
                .bindTo(reads.query(statement.text()))
                .map(row -> {
                    var found = row.getString(3);
                    if (found != null) {
                        groups.add(found);
                    }
                    return passed(row);
                })
                .list();
        return new Groups(passed.getFirst(), groups);
    }

    Explained explain(Reads reads, Statement statement) {
        var plan = statement
                .sql()
                .bindTo(reads.query("EXPLAIN (ANALYZE, BUFFERS) " + statement.text()))
                .mapTo(String.class)
                .list();
        return new Explained(statement.text(), statement.sql().bindings(), plan);
    }

    private static FoundRow row(ResultSet row, int joined) throws SQLException {
        var targets = new ArrayList<@Nullable String>(joined);
        for (int i = 0; i < joined; i++) {
            targets.add(row.getString(9 + i));
        }
        return new FoundRow(
                new RowId(row.getObject(3, UUID.class)),
                row.getInt(4),
                new UserId(row.getLong(5)),
                new UserId(row.getLong(6)),
                row.getObject(7, OffsetDateTime.class).toInstant(),
                row.getString(8),
                targets);
    }
}
