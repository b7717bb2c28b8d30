package io.hiroba.bench.records;

import io.hiroba.bench.records.PlainJdbc.Statement;
import io.hiroba.platform.db.Db;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** A table with one JSONB column and a GIN index, which supports equality but no order. */
final class JsonbTable implements StorageDesign {

    private final Db db;
    private final PlainJdbc jdbc;

    JsonbTable(Db db) {
        this.db = db;
        this.jdbc = new PlainJdbc(db);
    }

    @Override
    public String name() {
        return "JSONB with GIN";
    }

    @Override
    public void create() {
        RecordsData.run(db, """
                CREATE TABLE bench.documents (id UUID PRIMARY KEY, data JSONB NOT NULL);
                CREATE INDEX ON bench.documents USING gin (data jsonb_path_ops);
                """);
    }

    @Override
    public void fill(long from, long to) {
        RecordsData.run(db, """
                INSERT INTO bench.documents (id, data)
                SELECT id, jsonb_strip_nulls(to_jsonb(s) - 'id' - 'n') FROM bench.native AS s WHERE n BETWEEN %d AND %d
                """.formatted(from, to));
    }

    @Override
    public void filled() {
        // Every search would scan the pending list of the GIN index.
        RecordsData.run(db, "SELECT gin_clean_pending_list('bench.documents_data_idx')");
    }

    @Override
    public List<UUID> page(RecordWorkload work, QueryValues values) {
        var range = "CAST(data ->> 'price' AS numeric) BETWEEN %s AND %s".formatted(values.low(), values.high());
        var byPrice = "ORDER BY CAST(data ->> 'price' AS numeric), id";
        var status = "{\"status\": \"%s\"}".formatted(QueryValues.STATUS);
        var city = "{\"city\": \"%s\"}".formatted(values.city());
        var quantity = "{\"quantity\": %d}".formatted(values.quantity());
        return jdbc.ids(
                switch (work) {
                    case RANGE -> found("WHERE %s %s".formatted(range, byPrice));
                    case EXACT -> found("WHERE data @> CAST(? AS jsonb) ORDER BY id", quantity);
                    case UNIQUE ->
                        found(
                                "WHERE data @> CAST(? AS jsonb) ORDER BY id",
                                "{\"sku\": \"%s\"}".formatted(values.sku()));
                    case PREFIX ->
                        found(
                                "WHERE data ->> 'title' COLLATE \"C\" >= ? AND data ->> 'title' COLLATE \"C\" < ? ORDER BY data ->> 'title' COLLATE \"C\", id",
                                values.prefix(),
                                values.prefixEnd());
                    case SORTED -> found("ORDER BY CAST(data ->> 'price' AS numeric) DESC, id DESC");
                    case TWO -> found("WHERE %s AND data @> CAST(? AS jsonb) %s".formatted(range, byPrice), status);
                    case THREE ->
                        found(
                                "WHERE %s AND data @> CAST(? AS jsonb) AND data @> CAST(? AS jsonb) %s"
                                        .formatted(range, byPrice),
                                status,
                                city);
                    case OR ->
                        found("WHERE data @> CAST(? AS jsonb) OR data @> CAST(? AS jsonb) ORDER BY id", city, quantity);
                    case NOT ->
                        found("WHERE %s AND NOT (data @> CAST(? AS jsonb)) %s".formatted(range, byPrice), status);
                });
    }

    private static Statement found(String rest, Object... values) {
        return Statement.of(
                "SELECT id, data FROM bench.documents %s LIMIT 20"
                        .formatted(rest.replace("data ->> 'title' COLLATE", "(data ->> 'title') COLLATE")),
                values);
    }

    @Override
    public void fetch(UUID id) {
        jdbc.ids(Statement.of("SELECT id, data FROM bench.documents WHERE id = ?", id));
    }

    @Override
    public void insert(List<SampleRecord> items) {
        jdbc.batch(
                "INSERT INTO bench.documents (id, data) VALUES (?, CAST(? AS jsonb))",
                items.stream().map(item -> List.of(item.id(), document(item))));
    }

    @Override
    public void load(List<SampleRecord> items) {
        jdbc.copy(
                "COPY bench.documents (id, data) FROM STDIN (FORMAT csv)",
                items.stream()
                        .map(item -> item.id() + "," + PlainJdbc.cell(document(item)))
                        .collect(Collectors.joining("\n")));
    }

    private static String document(SampleRecord item) {
        return """
                {"title": "%s", "sku": "%s", "status": "%s", "city": "%s", "price": %s, "quantity": %d, "rating": %s, \
                "sold_at": "%s", "active": %s, "extra": %s}""".formatted(
                        item.title(),
                        item.sku(),
                        item.status(),
                        item.city(),
                        item.price(),
                        item.quantity(),
                        item.rating(),
                        item.texts().get(7),
                        item.active(),
                        item.extra());
    }

    @Override
    public long bytes() {
        return RecordsData.bytes(db, "bench", "^documents$");
    }
}
