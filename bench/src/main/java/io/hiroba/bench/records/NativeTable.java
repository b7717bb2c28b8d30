package io.hiroba.bench.records;

import io.hiroba.bench.records.PlainJdbc.Statement;
import io.hiroba.platform.db.Db;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** The baseline: a table with real columns, each with an index {@code (column, id)}. */
final class NativeTable implements StorageDesign {

    private static final String COLUMNS = String.join(", ", RecordsData.COLUMNS);

    private final Db db;
    private final PlainJdbc jdbc;

    NativeTable(Db db) {
        this.db = db;
        this.jdbc = new PlainJdbc(db);
    }

    @Override
    public String name() {
        return "native table";
    }

    @Override
    public void create() {
        RecordsData.run(db, """
                CREATE TABLE bench.native (
                    n BIGINT, id UUID PRIMARY KEY, title TEXT COLLATE "C", sku TEXT COLLATE "C", status TEXT COLLATE "C",
                    city TEXT COLLATE "C", price NUMERIC, quantity NUMERIC, rating NUMERIC, sold_at TIMESTAMPTZ,
                    active BOOLEAN, extra JSONB);
                CREATE INDEX ON bench.native (title, id);
                CREATE INDEX ON bench.native (sku, id);
                CREATE INDEX ON bench.native (status, id);
                CREATE INDEX ON bench.native (city, id);
                CREATE INDEX ON bench.native (price, id);
                CREATE INDEX ON bench.native (quantity, id);
                CREATE INDEX ON bench.native (rating, id);
                CREATE INDEX ON bench.native (sold_at, id);
                CREATE INDEX ON bench.native (active, id);
                """);
    }

    @Override
    public void fill(long from, long to) {
        // The other tables are filled from this one.
    }

    @Override
    public List<UUID> page(RecordWorkload work, QueryValues values) {
        var low = BigDecimal.valueOf(values.low());
        var high = BigDecimal.valueOf(values.high());
        var quantity = BigDecimal.valueOf(values.quantity());
        return jdbc.ids(
                switch (work) {
                    case RANGE -> found("WHERE price BETWEEN ? AND ? ORDER BY price, id", low, high);
                    case EXACT -> found("WHERE quantity = ? ORDER BY id", quantity);
                    case UNIQUE -> found("WHERE sku = ? ORDER BY id", values.sku());
                    case PREFIX ->
                        found("WHERE title >= ? AND title < ? ORDER BY title, id", values.prefix(), values.prefixEnd());
                    case SORTED -> found("ORDER BY price DESC, id DESC");
                    case TWO ->
                        found(
                                "WHERE price BETWEEN ? AND ? AND status = ? ORDER BY price, id",
                                low,
                                high,
                                QueryValues.STATUS);
                    case THREE ->
                        found(
                                "WHERE price BETWEEN ? AND ? AND status = ? AND city = ? ORDER BY price, id",
                                low,
                                high,
                                QueryValues.STATUS,
                                values.city());
                    case OR -> found("WHERE city = ? OR quantity = ? ORDER BY id", values.city(), quantity);
                    case NOT ->
                        found(
                                "WHERE price BETWEEN ? AND ? AND NOT (status = ?) ORDER BY price, id",
                                low,
                                high,
                                QueryValues.STATUS);
                });
    }

    private static Statement found(String rest, Object... values) {
        return Statement.of("SELECT id, %s FROM bench.native %s LIMIT 20".formatted(COLUMNS, rest), values);
    }

    @Override
    public void fetch(UUID id) {
        jdbc.ids(Statement.of("SELECT id, %s FROM bench.native WHERE id = ?".formatted(COLUMNS), id));
    }

    @Override
    public void insert(List<SampleRecord> items) {
        jdbc.batch("""
                INSERT INTO bench.native (id, title, sku, status, city, price, quantity, rating, sold_at, active, extra)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS jsonb))
                """, items.stream().map(NativeTable::values));
    }

    private static List<?> values(SampleRecord item) {
        return List.of(
                item.id(),
                item.title(),
                item.sku(),
                item.status(),
                item.city(),
                new BigDecimal(item.price()),
                item.quantity(),
                new BigDecimal(item.rating()),
                Instant.ofEpochMilli(item.soldAtMillis()).atOffset(ZoneOffset.UTC),
                item.active(),
                item.extra());
    }

    @Override
    public void load(List<SampleRecord> items) {
        var csv = items.stream()
                .map(item -> {
                    var cells = new ArrayList<>(List.of(item.id().toString()));
                    cells.addAll(item.texts());
                    return cells.stream().map(PlainJdbc::cell).collect(Collectors.joining(","));
                })
                .collect(Collectors.joining("\n"));
        jdbc.copy("COPY bench.native (id, %s) FROM STDIN (FORMAT csv)".formatted(COLUMNS), csv);
    }

    @Override
    public long bytes() {
        return RecordsData.bytes(db, "bench", "^native$");
    }
}
