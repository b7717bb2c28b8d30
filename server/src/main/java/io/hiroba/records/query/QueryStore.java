package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.RowId;
import io.hiroba.records.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs compiled statements. */
final class QueryStore {

    record Statement(String text, SqlBindings sql) {}

    /** A part of a page: a row of the role and versions that it is read under, then the records. */
    static Statement page(QueryPlan plan, QueryPlan.Part part, int limit) {
        var sql = new SqlBindings();
        var page = new QueryCompiler(plan.tables(), plan.view(), sql)
                .page(part.scan(), part.predicate(), part.order(), part.after(), limit);
        return new Statement(
                "SELECT " + plan.snapshot().role(sql) + ", " + plan.snapshot().versions()
                        + ",\n       " + AccessSnapshot.DATA
                        + ",\n       NULL, NULL, NULL, NULL, NULL, NULL"
                        + ", NULL".repeat(plan.joined().size())
                        + "\nUNION ALL"
                        + "\nSELECT NULL, NULL, NULL"
                        + ",\n       w.row_id, w.version, w.created_by, w.updated_by, w.updated_at, w.doc"
                        + plan.joins(sql, "w")
                        + "\nFROM (\n" + page + ") AS w",
                sql);
    }

    /** The exact count of matching records. */
    static Statement count(QueryPlan plan) {
        var sql = new SqlBindings();
        var from = new QueryCompiler(plan.tables(), plan.view(), sql).counted(plan.planner(), plan.predicate());
        var text = "SELECT %s, %s, %s, (SELECT count(*) FROM %s)"
                .formatted(plan.snapshot().role(sql), plan.snapshot().versions(), AccessSnapshot.DATA, from);
        return new Statement(text, sql);
    }

    /** Counts up to {@code most} candidates, and those of them that match. */
    static Statement look(QueryPlan plan, int most) {
        var sql = new SqlBindings();
        var counts = new QueryCompiler(plan.tables(), plan.view(), sql).look(plan.planner(), plan.predicate(), most);
        return counted(plan, counts, sql);
    }

    /** The same of the records on a share of the table's pages, which are the same ones every time. */
    static Statement sample(QueryPlan plan, double share) {
        var sql = new SqlBindings();
        return counted(
                plan, new QueryCompiler(plan.tables(), plan.view(), sql).sample(plan.predicate(), share * 100), sql);
    }

    private static Statement counted(QueryPlan plan, String counts, SqlBindings sql) {
        var text = "SELECT %s, %s, %s, (%s)"
                .formatted(plan.snapshot().role(sql), plan.snapshot().versions(), AccessSnapshot.DATA, counts);
        return new Statement(text, sql);
    }

    /** The size of the table of records in pages. */
    long pages(Reads reads, ProjectTables tables) {
        return reads.query("SELECT pg_relation_size(to_regclass(:records)) / current_setting('block_size')::int")
                .bind("records", tables.records())
                .mapTo(Long.class)
                .one();
    }

    /** The rows of a page with the versions they were read under. */
    record Outcome(AccessSnapshot.Observed observed, List<ResultRow> rows) {}

    Outcome run(Reads reads, Statement statement, int joined) {
        var observed = new ArrayList<AccessSnapshot.Observed>(1);
        var rows = new ArrayList<ResultRow>();
        statement
                .sql()
                .bindTo(reads.query(statement.text()))
                .<@Nullable ResultRow>map(row -> {
                    var id = row.getObject(4, UUID.class);
                    if (id == null) {
                        observed.add(observed(row));
                        return null;
                    }
                    return row(row, id, joined);
                })
                .forEach(row -> {
                    if (row != null) {
                        rows.add(row);
                    }
                });
        return new Outcome(observed.getFirst(), rows);
    }

    /** Whether an answer that was read in the snapshot {@code data} is still what its query finds. */
    boolean isCurrent(Reads reads, AccessSnapshot snapshot, String data) {
        var sql = new SqlBindings();
        var text = "SELECT %s, %s, %s, %s"
                .formatted(snapshot.role(sql), snapshot.versions(), AccessSnapshot.DATA, snapshot.unchanged(sql, data));
        return sql.bindTo(reads.query(text))
                .map(row -> {
                    var observed = observed(row);
                    return row.getBoolean(4) && snapshot.isCurrent(observed) && observed.isSameServer(data);
                })
                .one();
    }

    /**
     * Deletes the notes of transactions that had ended before {@code horizon}, and those of another server that this
     * database was restored from.
     */
    void sweepChanges(Tx tx, String horizon) {
        tx.update("""
                DELETE FROM records.changes
                WHERE xid < CAST(:horizon AS xid8) OR xid >= pg_snapshot_xmax(pg_current_snapshot())
                """).bind("horizon", horizon).execute();
    }

    /** The first transaction that has not ended. */
    String horizon(Reads reads) {
        return reads.query("SELECT CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text)")
                .mapTo(String.class)
                .one();
    }

    private static AccessSnapshot.Observed observed(ResultSet row) throws SQLException {
        return new AccessSnapshot.Observed(row.getString(1), row.getLong(2), row.getString(3));
    }

    /** The groups, each a JSON array of keys and measures. */
    record Groups(AccessSnapshot.Observed observed, List<String> groups) {}

    /** A row of role, version, data and group. */
    Groups groups(Reads reads, Statement statement) {
        var groups = new ArrayList<String>();
        var observed = statement
                .sql()
                .bindTo(reads.query(statement.text()))
                .map(row -> {
                    var found = row.getString(4);
                    if (found != null) {
                        groups.add(found);
                    }
                    return observed(row);
                })
                .list();
        return new Groups(observed.getFirst(), groups);
    }

    Explanation explain(Reads reads, Statement statement) {
        var plan = statement
                .sql()
                .bindTo(reads.query("EXPLAIN (ANALYZE, BUFFERS) " + statement.text()))
                .mapTo(String.class)
                .list();
        return new Explanation(statement.text(), statement.sql().bindings(), plan);
    }

    private static ResultRow row(ResultSet row, UUID id, int joined) throws SQLException {
        var targets = new ArrayList<@Nullable String>(joined);
        for (int i = 0; i < joined; i++) {
            targets.add(row.getString(10 + i));
        }
        return new ResultRow(
                new RowId(id),
                row.getInt(5),
                new UserId(row.getLong(6)),
                new UserId(row.getLong(7)),
                row.getObject(8, OffsetDateTime.class).toInstant(),
                row.getString(9),
                targets);
    }

    /** @param test a condition on the row {@code r} */
    List<UUID> matchingAmong(
            Reads reads, ProjectTables tables, Schema schema, String test, SqlBindings sql, Collection<UUID> rows) {
        return sql.bindTo(reads.query("""
                SELECT r.row_id
                FROM %s AS r
                WHERE r.schema_id = :schema AND r.row_id = ANY (:rows) AND %s
                """.formatted(tables.records(), test)))
                .bind("schema", schema.id())
                .bindArray("rows", UUID.class, rows.toArray())
                .mapTo(UUID.class)
                .list();
    }

    /** @param test a condition on the row {@code r} */
    List<UUID> matching(Reads reads, ProjectTables tables, Schema schema, String test, SqlBindings sql, int limit) {
        return sql.bindTo(reads.query("""
                SELECT r.row_id
                FROM %s AS r
                WHERE r.schema_id = :schema AND %s
                LIMIT :limit
                """.formatted(tables.records(), test)))
                .bind("schema", schema.id())
                .bind("limit", limit)
                .mapTo(UUID.class)
                .list();
    }

    /** A record that matches, with its version. */
    record Match(RowId id, int version) {}

    /**
     * The newest matching records before {@code before}.
     *
     * @param test a condition on the row {@code r}
     */
    List<Match> newest(
            Reads reads, ProjectTables tables, Schema schema, String test, SqlBindings sql, UUID before, int limit) {
        return sql.bindTo(reads.query("""
                SELECT r.row_id, r.version
                FROM %s AS r
                WHERE r.schema_id = :schema AND r.row_id < :before AND %s
                ORDER BY r.row_id DESC
                LIMIT :limit
                """.formatted(tables.records(), test)))
                .bind("schema", schema.id())
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> new Match(new RowId(row.getObject("row_id", UUID.class)), row.getInt("version")))
                .list();
    }

    /** The SQL of a query and PostgreSQL's plan of it. */
    record Explanation(String sql, Map<String, Object> parameters, List<String> plan) {

        public Explanation {
            parameters = Map.copyOf(parameters);
            plan = List.copyOf(plan);
        }
    }
}
