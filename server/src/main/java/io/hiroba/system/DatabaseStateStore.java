package io.hiroba.system;

import io.hiroba.platform.db.Reads;
import java.time.Duration;
import java.util.List;

/** Reads the catalog and the statistics of PostgreSQL, never the tables themselves. */
final class DatabaseStateStore {

    /** The pages of each table with its indexes and its overflow, as the last vacuum or analyze found them. */
    private static final String PAGES = """
            SELECT n.nspname AS schema, c.relname AS name,
                   c.relpages + coalesce(t.relpages, 0)
                   + coalesce((SELECT sum(i.relpages) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
                               WHERE x.indrelid IN (c.oid, c.reltoastrelid)), 0) AS pages
            FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_class t ON t.oid = c.reltoastrelid
            WHERE c.relkind IN ('r', 'm') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
            """;

    /** The connections of everybody to the server. */
    record Connections(int used, int max) {}

    /** A schema or table and its size. */
    record Size(String name, long bytes) {}

    String version(Reads reads) {
        return reads.query("SELECT current_setting('server_version')")
                .mapTo(String.class)
                .one();
    }

    /** The versions of this program that are connected. */
    List<String> programs(Reads reads) {
        return reads.query("""
                SELECT DISTINCT substr(application_name, 8)
                FROM pg_stat_activity
                WHERE datname = current_database() AND application_name LIKE 'hiroba %'
                ORDER BY 1
                """).mapTo(String.class).list();
    }

    Connections connections(Reads reads) {
        return reads.query("""
                SELECT count(*) AS used, current_setting('max_connections')::int AS max
                FROM pg_stat_activity
                WHERE backend_type = 'client backend'
                """)
                .map(row -> new Connections(row.getInt("used"), row.getInt("max")))
                .one();
    }

    /** The age of the oldest transaction of this database but this one. */
    Duration oldestTransaction(Reads reads) {
        return reads.query("""
                SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)) * 1000, 0)::bigint
                FROM pg_stat_activity
                WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
                """).map(row -> Duration.ofMillis(row.getLong(1))).one();
    }

    long size(Reads reads) {
        return reads.query("SELECT pg_database_size(current_database())")
                .mapTo(Long.class)
                .one();
    }

    List<Size> schemas(Reads reads) {
        return sizes(reads, """
                SELECT p.schema AS name, (sum(p.pages) * current_setting('block_size')::int)::bigint AS bytes
                FROM (%s) p
                GROUP BY p.schema
                ORDER BY bytes DESC, name
                LIMIT :limit
                """, 50);
    }

    /** The largest, without small ones. */
    List<Size> tables(Reads reads, int limit) {
        return sizes(reads, """
                SELECT p.schema || '.' || p.name AS name, (p.pages * current_setting('block_size')::int)::bigint AS bytes
                FROM (%s) p
                WHERE p.pages >= 1000
                ORDER BY p.pages DESC, name
                LIMIT :limit
                """, limit);
    }

    private static List<Size> sizes(Reads reads, String sql, int limit) {
        return reads.query(sql.formatted(PAGES))
                .bind("limit", limit)
                .map(row -> new Size(row.getString("name"), row.getLong("bytes")))
                .list();
    }
}
