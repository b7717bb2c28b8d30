package io.hiroba.records.sql;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.ProjectTables;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Gives and takes roles and views by functions that run as the owner of the tables. */
final class SqlAccessStore {

    /** A row of {@code sql_access}. */
    record Row(String role, String viewSpace, ProjectRole readsAs, Instant createdAt) {}

    /** A view, and the schema that it shows. */
    record ViewRow(short schema, String name) {}

    void open(Tx tx, ProjectTables tables, String verifier, ProjectRole readsAs, Instant at) {
        tx.query("SELECT CAST(records.open_sql_access(:project, :suffix, :verifier, :reader, :at) AS text)")
                .bind("project", tables.project().value())
                .bind("suffix", tables.suffix())
                .bind("verifier", verifier)
                .bind("reader", readsAs.name())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .mapTo(String.class)
                .list();
    }

    /** Whether there was something to take away. */
    boolean close(Tx tx, ProjectTables tables) {
        return tx.query("SELECT records.close_sql_access(:suffix)")
                .bind("suffix", tables.suffix())
                .mapTo(Boolean.class)
                .one();
    }

    Optional<Row> find(Reads reads, ProjectId project) {
        return reads.query("""
                SELECT role_name, view_space, reads_as, created_at FROM records.sql_access WHERE project_id = :project
                """)
                .bind("project", project.value())
                .map(row -> new Row(
                        row.getString("role_name"),
                        row.getString("view_space"),
                        ProjectRole.valueOf(row.getString("reads_as")),
                        Columns.instant(row, "created_at")))
                .findOne();
    }

    List<ViewRow> views(Reads reads, ProjectId project) {
        return reads.query("""
                SELECT schema_id, view_name FROM records.sql_views WHERE project_id = :project ORDER BY schema_id
                """)
                .bind("project", project.value())
                .map(row -> new ViewRow(row.getShort("schema_id"), row.getString("view_name")))
                .list();
    }

    String database(Reads reads) {
        return reads.query("SELECT current_database()").mapTo(String.class).one();
    }

    /**
     * Ends transactions of readers that last longer, whatever timeouts they have set for themselves, and sessions that hold an
     * advisory lock, which the server may need.
     */
    int endLong(Tx tx, Duration longest) {
        return tx.query("""
                SELECT pg_terminate_backend(s.pid)
                FROM records.sql_access AS a
                JOIN pg_stat_activity AS s ON s.usename = a.role_name AND s.datname = current_database()
                WHERE clock_timestamp() - s.xact_start > make_interval(secs => :seconds)
                   OR EXISTS (SELECT FROM pg_locks AS l WHERE l.pid = s.pid AND l.locktype = 'advisory')
                """)
                .bind("seconds", (double) longest.toSeconds())
                .mapTo(Boolean.class)
                .list()
                .size();
    }
}
