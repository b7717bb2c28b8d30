package io.hiroba.system;

import io.hiroba.platform.db.Reads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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

    /** A table and its dead rows. */
    record DeadRows(String table, long count) {}

    /** A schema or table and its size. */
    record Size(String name, long bytes) {}

    String version(Reads reads) {
        return reads.query("SELECT current_setting('server_version')")
                .mapTo(String.class)
                .one();
    }

    /** Whether the server follows another and takes no writes. */
    boolean isStandby(Reads reads) {
        return reads.query("SELECT pg_is_in_recovery()").mapTo(Boolean.class).one();
    }

    /** Whether new transactions take no writes, also where the server is no standby. */
    boolean isReadOnly(Reads reads) {
        return reads.query("SELECT current_setting('transaction_read_only') = 'on'")
                .mapTo(Boolean.class)
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

    /** How far the clock of the database is from {@code now}, whichever is ahead. */
    Duration clockDifference(Reads reads, Instant now) {
        return reads.query("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
                .map(row -> Duration.between(now, Instant.ofEpochMilli(row.getLong(1)))
                        .abs())
                .one();
    }

    /** The write-ahead log, in bytes, that is kept because a replication slot has not taken it. */
    long retainedWal(Reads reads) {
        return reads.query("""
                SELECT coalesce(max(pg_wal_lsn_diff(
                    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn)), 0)::bigint
                FROM pg_replication_slots
                """).mapTo(Long.class).one();
    }

    /** Whether the last attempt to archive a piece of the write-ahead log failed. */
    boolean isArchivingFailing(Reads reads) {
        return reads.query("""
                SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
                FROM pg_stat_archiver
                """).mapTo(Boolean.class).one();
    }

    /** The transactions since rows of this database were frozen for the last time; PostgreSQL stops at two billion. */
    long transactionAge(Reads reads) {
        return reads.query("SELECT age(datfrozenxid)::bigint FROM pg_database WHERE datname = current_database()")
                .mapTo(Long.class)
                .one();
    }

    /** The table with the most dead rows, of those that vacuum should have cleaned. */
    Optional<DeadRows> deadRows(Reads reads) {
        return reads.query("""
                SELECT schemaname || '.' || relname AS name, n_dead_tup AS dead
                FROM pg_stat_user_tables
                WHERE n_dead_tup > 100000 AND n_dead_tup > n_live_tup / 2
                ORDER BY n_dead_tup DESC
                LIMIT 1
                """)
                .map(row -> new DeadRows(row.getString("name"), row.getLong("dead")))
                .findOne();
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
