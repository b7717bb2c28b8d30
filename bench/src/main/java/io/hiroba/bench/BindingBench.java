package io.hiroba.bench;

import com.sun.management.OperatingSystemMXBean;
import io.hiroba.platform.db.Db;
import java.lang.management.ManagementFactory;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import org.jdbi.v3.core.Jdbi;

/** The benchmark of our SQL binding and Jdbi reading twenty rows, against plain JDBC (ADR 44). */
final class BindingBench {

    private static final int CALLERS = 4;
    private static final int PAGES = 12_000;
    private static final int OWNERS = 1_000;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static final String NAMED = """
            SELECT id, owner, title, body, read, created_at FROM bench_items
            WHERE owner = :owner AND id > :after AND created_at < :before
            ORDER BY id LIMIT 20
            """;

    private static final String POSITIONAL = """
            SELECT id, owner, title, body, read, created_at FROM bench_items
            WHERE owner = ? AND id > ? AND created_at < ?
            ORDER BY id LIMIT 20
            """;

    /** A row of the page. */
    private record Item(long id, long owner, String title, String body, boolean read, Instant createdAt) {

        static Item of(ResultSet row) throws SQLException {
            return new Item(
                    row.getLong(1),
                    row.getLong(2),
                    row.getString(3),
                    row.getString(4),
                    row.getBoolean(5),
                    row.getObject(6, OffsetDateTime.class).toInstant());
        }
    }

    private final Db db;
    private final Jdbi jdbi;
    private final OffsetDateTime before = OffsetDateTime.now(ZoneOffset.UTC).plusDays(1);

    private BindingBench(Db db) {
        this.db = db;
        this.jdbi = Jdbi.create(db.dataSource());
    }

    static void run() {
        try (var database = BenchDatabase.create()) {
            var bench = new BindingBench(database.db());
            bench.fill();
            bench.contest("page of 20 rows, 4 callers", "pages/s", false);
            bench.contest("page of 20 rows, 4 callers, by CPU time of the caller", "pages/CPU s", true);
        }
    }

    private void contest(String work, String unit, boolean cpu) {
        new InterleavedBenchmark(work, unit)
                .with("plain JDBC", () -> measure(cpu, this::plain))
                .with("our binding", () -> measure(cpu, this::ours))
                .with("Jdbi", () -> measure(cpu, this::jdbi))
                .run();
    }

    private void fill() {
        db.useTransaction(tx -> {
            tx.update("""
                    CREATE TABLE bench_items (
                        id bigint PRIMARY KEY, owner bigint NOT NULL, title text NOT NULL, body text NOT NULL,
                        read boolean NOT NULL, created_at timestamptz NOT NULL)
                    """).execute();
            tx.update("""
                    INSERT INTO bench_items
                    SELECT n, n % 1000, 'Title ' || n, repeat('word ', 20), n % 3 = 0, now() - n * interval '1 second'
                    FROM generate_series(1, 100000) AS n
                    """).execute();
            tx.update("CREATE INDEX ON bench_items (owner, id)").execute();
            tx.update("ANALYZE bench_items").execute();
        });
    }

    private List<Item> plain(long owner) {
        try (var connection = db.dataSource().getConnection();
                var statement = connection.prepareStatement(POSITIONAL)) {
            statement.setLong(1, owner);
            statement.setLong(2, 0);
            statement.setObject(3, before);
            var found = new ArrayList<Item>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(Item.of(rows));
                }
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Item> ours(long owner) {
        return db.read(reads -> reads.query(NAMED)
                .bind("owner", owner)
                .bind("after", 0L)
                .bind("before", before.toInstant())
                .map(Item::of)
                .list());
    }

    private List<Item> jdbi(long owner) {
        return jdbi.withHandle(handle -> handle.createQuery(NAMED)
                .bind("owner", owner)
                .bind("after", 0L)
                .bind("before", before)
                .map((row, context) -> Item.of(row))
                .list());
    }

    private static double measure(boolean cpu, LongFunction<List<Item>> page) {
        long begun = cpu ? PROCESS.getProcessCpuTime() : System.nanoTime();
        try (var executor = Executors.newFixedThreadPool(CALLERS)) {
            for (int caller = 0; caller < CALLERS; caller++) {
                executor.execute(() -> {
                    for (int n = 0; n < PAGES / CALLERS; n++) {
                        if (page.apply(ThreadLocalRandom.current().nextLong(OWNERS))
                                        .size()
                                != 20) {
                            throw new IllegalStateException("a page has 20 rows");
                        }
                    }
                });
            }
        }
        long ended = cpu ? PROCESS.getProcessCpuTime() : System.nanoTime();
        return PAGES / ((ended - begun) / 1e9);
    }
}
