package io.hiroba.bench.records;

import io.hiroba.bench.records.Jdbc.Question;
import io.hiroba.platform.db.Db;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** A table with real columns, each with an index {@code (column, id)}: the limit. */
final class NativeTable implements Contestant {

    private static final String COLUMNS = String.join(", ", Data.COLUMNS);

    private final Db db;
    private final Jdbc jdbc;

    NativeTable(Db db) {
        this.db = db;
        this.jdbc = new Jdbc(db);
    }

    @Override
    public String name() {
        return "native table";
    }

    @Override
    public void create() {
        Data.run(db, """
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
        // It is where the others are filled from.
    }

    @Override
    public List<UUID> page(Work work, Ask ask) {
        var low = BigDecimal.valueOf(ask.low());
        var high = BigDecimal.valueOf(ask.high());
        var quantity = BigDecimal.valueOf(ask.quantity());
        return jdbc.ids(
                switch (work) {
                    case RANGE -> found("WHERE price BETWEEN ? AND ? ORDER BY price, id", low, high);
                    case EXACT -> found("WHERE quantity = ? ORDER BY id", quantity);
                    case UNIQUE -> found("WHERE sku = ? ORDER BY id", ask.sku());
                    case PREFIX ->
                        found("WHERE title >= ? AND title < ? ORDER BY title, id", ask.beginning(), ask.end());
                    case SORTED -> found("ORDER BY price DESC, id DESC");
                    case TWO ->
                        found("WHERE price BETWEEN ? AND ? AND status = ? ORDER BY price, id", low, high, Ask.STATUS);
                    case THREE ->
                        found(
                                "WHERE price BETWEEN ? AND ? AND status = ? AND city = ? ORDER BY price, id",
                                low,
                                high,
                                Ask.STATUS,
                                ask.city());
                    case OR -> found("WHERE city = ? OR quantity = ? ORDER BY id", ask.city(), quantity);
                    case NOT ->
                        found(
                                "WHERE price BETWEEN ? AND ? AND NOT (status = ?) ORDER BY price, id",
                                low,
                                high,
                                Ask.STATUS);
                });
    }

    private static Question found(String rest, Object... values) {
        return Question.of("SELECT id, %s FROM bench.native %s LIMIT 20".formatted(COLUMNS, rest), values);
    }

    @Override
    public void fetch(UUID id) {
        jdbc.ids(Question.of("SELECT id, %s FROM bench.native WHERE id = ?".formatted(COLUMNS), id));
    }

    @Override
    public void insert(List<Item> items) {
        jdbc.batch("""
                INSERT INTO bench.native (id, title, sku, status, city, price, quantity, rating, sold_at, active, extra)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS jsonb))
                """, items.stream().map(NativeTable::values));
    }

    private static List<?> values(Item item) {
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
    public void load(List<Item> items) {
        var csv = items.stream()
                .map(item -> {
                    var cells = new ArrayList<>(List.of(item.id().toString()));
                    cells.addAll(item.texts());
                    return cells.stream().map(Jdbc::cell).collect(Collectors.joining(","));
                })
                .collect(Collectors.joining("\n"));
        jdbc.copy("COPY bench.native (id, %s) FROM STDIN (FORMAT csv)".formatted(COLUMNS), csv);
    }

    @Override
    public long bytes() {
        return Data.bytes(db, "bench", "^native$");
    }
}
