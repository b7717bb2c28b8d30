package io.hiroba.bench.records;

import io.hiroba.platform.db.Db;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The records of the benchmark: ten attributes of all types, skewed as real ones are, with UUIDs of version 7 in order of time.
 * The native table is filled first, and the others from it.
 */
final class RecordsData {

    static final List<String> COLUMNS =
            List.of("title", "sku", "status", "city", "price", "quantity", "rating", "sold_at", "active", "extra");

    private static final long STEP = 100_000;

    private final Db db;
    private final List<StorageDesign> contestants;
    private long rows;

    RecordsData(Db db, List<StorageDesign> contestants) {
        this.db = db;
        this.contestants = contestants;
        run(db, "CREATE SCHEMA bench");
        contestants.forEach(StorageDesign::create);
    }

    long rows() {
        return rows;
    }

    void growTo(long target) {
        while (rows < target) {
            long to = Math.min(target, rows + STEP);
            System.err.printf("· filling %,d of %,d records%n", to, target);
            fillNative(rows + 1, to);
            long from = rows + 1;
            contestants.forEach(contestant -> contestant.fill(from, to));
            rows = to;
        }
        System.err.println("· vacuuming");
        run(db, "VACUUM ANALYZE");
        contestants.forEach(StorageDesign::filled);
        run(db, "CHECKPOINT");
    }

    private void fillNative(long from, long to) {
        var sql = """
                INSERT INTO bench.native (n, id, title, sku, status, city, price, quantity, rating, sold_at, active, extra)
                SELECT i,
                    CAST(lpad(to_hex(1704067200000 + i * 30), 12, '0') || '7' || substr(m, 1, 3) || '8' || substr(m, 4, 15)
                        AS uuid),
                    (ARRAY[%1$s])[1 + CAST(floor(u(i, 1) * 16) AS int)] || ' '
                        || (ARRAY[%2$s])[1 + CAST(floor(u(i, 2) * 16) AS int)] || ' ' || i,
                    'SKU-' || lpad(to_hex(i * 2654435761 %% 4294967296), 8, '0'),
                    CASE WHEN u(i, 3) < 0.7 THEN 'active' WHEN u(i, 3) < 0.9 THEN 'paused'
                        WHEN u(i, 3) < 0.98 THEN 'closed' WHEN u(i, 3) < 0.999 THEN 'lost' ELSE 'void' END,
                    'city ' || floor(200 * power(u(i, 4), 2)),
                    CAST(round(CAST(1000 * power(u(i, 5), 2) AS numeric), 2) AS numeric),
                    CAST(floor(1000 * u(i, 6)) AS numeric),
                    CASE WHEN u(i, 7) > 0.1 THEN round(CAST(5 * u(i, 8) AS numeric), 1) END,
                    timestamptz '2024-01-01 00:00:00+00' + i * interval '30 seconds' + u(i, 9) * interval '1 hour',
                    u(i, 10) < 0.3,
                    jsonb_build_object('color', 'c' || floor(50 * u(i, 11)), 'size', CAST(floor(100 * u(i, 12)) AS int))
                FROM (SELECT i, md5(CAST(i AS text)) AS m FROM generate_series(%3$d::bigint, %4$d::bigint) AS i) AS s
                """.formatted(words(SampleRecord.ADJECTIVES), words(SampleRecord.NOUNS), from, to)
                .replaceAll("u\\(i, (\\d+)\\)", "((hashint8extended(i, $1) & 1048575) / 1048576.0)");
        run(db, sql);
    }

    private static String words(List<String> words) {
        return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(", "));
    }

    /** Runs a statement outside a transaction. */
    static void run(Db db, String sql) {
        try (var connection = db.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The size of the tables that match a pattern, with their indexes. */
    static long bytes(Db db, String schema, String pattern) {
        return db.read(reads -> reads.query("""
                SELECT COALESCE(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class AS c
                WHERE c.relnamespace = CAST(:schema AS regnamespace) AND c.relkind = 'r' AND c.relname ~ :pattern
                """)
                .bind("schema", schema)
                .bind("pattern", pattern)
                .mapTo(Long.class)
                .one());
    }
}
