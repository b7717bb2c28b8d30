package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.records.Role;
import io.hiroba.records.data.RowId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs what the compiler wrote. */
final class QueryStore {

    record Statement(String text, Sql sql) {}

    /** What a page's statement found, and what the gate said; a viewer at version 0 for who is no member. */
    record Outcome(Role role, long version, List<FoundRow> rows) {}

    Outcome run(Reads reads, Statement statement, int joined) {
        var rows = new ArrayList<FoundRow>();
        var gates = statement
                .sql()
                .bindTo(reads.query(statement.text()))
                .map((row, ctx) -> {
                    var id = row.getObject("row_id", UUID.class);
                    if (id != null) {
                        rows.add(row(row, id, joined));
                    }
                    return new Outcome(Role.valueOf(row.getString("role")), row.getLong("schemas_version"), List.of());
                })
                .list();
        return gates.isEmpty()
                ? new Outcome(Role.VIEWER, 0, List.of())
                : new Outcome(gates.getFirst().role(), gates.getFirst().version(), rows);
    }

    /** Groups, each a JSON array of its keys and figures. */
    record Groups(Role role, long version, List<String> groups) {}

    Groups groups(Reads reads, Statement statement) {
        var groups = new ArrayList<String>();
        var gates = statement
                .sql()
                .bindTo(reads.query(statement.text()))
                .map((row, ctx) -> {
                    var found = row.getString("found");
                    if (found != null) {
                        groups.add(found);
                    }
                    return new Groups(Role.valueOf(row.getString("role")), row.getLong("schemas_version"), List.of());
                })
                .list();
        return gates.isEmpty()
                ? new Groups(Role.VIEWER, 0, List.of())
                : new Groups(gates.getFirst().role(), gates.getFirst().version(), groups);
    }

    Explained explain(Reads reads, Statement statement) {
        var plan = statement
                .sql()
                .bindTo(reads.query("EXPLAIN (ANALYZE, BUFFERS) " + statement.text()))
                .mapTo(String.class)
                .list();
        return new Explained(statement.text(), statement.sql().bindings(), plan);
    }

    private static FoundRow row(ResultSet row, UUID id, int joined) throws SQLException {
        var targets = new ArrayList<@Nullable String>(joined);
        for (int i = 0; i < joined; i++) {
            targets.add(row.getString("joined" + i));
        }
        return new FoundRow(
                new RowId(id),
                row.getInt("version"),
                new UserId(row.getLong("created_by")),
                new UserId(row.getLong("updated_by")),
                row.getObject("updated_at", OffsetDateTime.class).toInstant(),
                row.getString("doc"),
                targets);
    }
}
