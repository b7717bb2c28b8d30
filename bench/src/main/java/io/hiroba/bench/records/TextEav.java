package io.hiroba.bench.records;

import io.hiroba.bench.records.PlainJdbc.Statement;
import io.hiroba.platform.db.Db;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The design document's entity-attribute-value table: all values in one text column, cast to compare. */
final class TextEav implements StorageDesign {

    private final Db db;
    private final PlainJdbc jdbc;

    TextEav(Db db) {
        this.db = db;
        this.jdbc = new PlainJdbc(db);
    }

    @Override
    public String name() {
        return "one TEXT column";
    }

    @Override
    public void create() {
        RecordsData.run(db, """
                CREATE TABLE bench.eav_text (
                    schema_id SMALLINT NOT NULL, row_id UUID NOT NULL, attr_name TEXT COLLATE "C" NOT NULL,
                    attr_value TEXT COLLATE "C" NOT NULL, PRIMARY KEY (row_id, attr_name, schema_id));
                CREATE INDEX idx_attr_value ON bench.eav_text (attr_value);
                """);
    }

    @Override
    public void fill(long from, long to) {
        var values = RecordsData.COLUMNS.stream()
                .map(column -> "('%1$s', CAST(s.%1$s AS text))".formatted(column))
                .collect(Collectors.joining(", "));
        RecordsData.run(db, """
                INSERT INTO bench.eav_text (schema_id, row_id, attr_name, attr_value)
                SELECT 100, s.id, v.name, v.value FROM bench.native AS s
                CROSS JOIN LATERAL (VALUES %s) AS v (name, value)
                WHERE s.n BETWEEN %d AND %d AND v.value IS NOT NULL
                """.formatted(values, from, to));
    }

    @Override
    public List<UUID> page(RecordWorkload work, QueryValues values) {
        var range = number("e1", "price", "BETWEEN %s AND %s".formatted(values.low(), values.high()));
        var byPrice = "ORDER BY CAST(e1.attr_value AS numeric), e1.row_id";
        var byId = "ORDER BY e1.row_id";
        return jdbc.ids(
                switch (work) {
                    case RANGE -> page(one(range), byPrice);
                    case EXACT -> page(one(text("e1", "quantity", "= ?")), byId, String.valueOf(values.quantity()));
                    case UNIQUE -> page(one(text("e1", "sku", "= ?")), byId, values.sku());
                    case PREFIX ->
                        page(
                                one(text("e1", "title", ">= ? AND e1.attr_value < ?")),
                                "ORDER BY e1.attr_value, e1.row_id",
                                values.prefix(),
                                values.prefixEnd());
                    case SORTED ->
                        page(
                                one(text("e1", "price", "IS NOT NULL")),
                                "ORDER BY CAST(e1.attr_value AS numeric) DESC, e1.row_id DESC");
                    case TWO -> page(one(range) + and("e2", "status", "= ?"), byPrice, QueryValues.STATUS);
                    case THREE ->
                        page(
                                one(range) + and("e2", "status", "= ?") + and("e3", "city", "= ?"),
                                byPrice,
                                QueryValues.STATUS,
                                values.city());
                    case OR ->
                        page(
                                "(SELECT row_id, attr_value FROM bench.eav_text WHERE schema_id = 100 AND attr_name = 'city' AND attr_value = ? "
                                        + "UNION SELECT row_id, '' FROM bench.eav_text WHERE schema_id = 100 AND attr_name = 'quantity' AND attr_value = ?) AS e1",
                                "GROUP BY e1.row_id " + byId,
                                values.city(),
                                String.valueOf(values.quantity()));
                    case NOT -> page(one(range) + and("e2", "status", "<> ?"), byPrice, QueryValues.STATUS);
                });
    }

    private static String one(String condition) {
        return "bench.eav_text AS e1 WHERE " + condition;
    }

    private static String text(String alias, String attribute, String test) {
        return "%1$s.schema_id = 100 AND %1$s.attr_name = '%2$s' AND %1$s.attr_value %3$s"
                .formatted(alias, attribute, test);
    }

    private static String number(String alias, String attribute, String test) {
        return "%1$s.schema_id = 100 AND %1$s.attr_name = '%2$s' AND CAST(%1$s.attr_value AS numeric) %3$s"
                .formatted(alias, attribute, test);
    }

    private static String and(String alias, String attribute, String test) {
        return " AND EXISTS (SELECT FROM bench.eav_text AS %1$s WHERE %1$s.row_id = e1.row_id AND %2$s)"
                .formatted(alias, text(alias, attribute, test));
    }

    /** Reads the ids of a page, then all values of its records. */
    private static Statement page(String from, String order, Object... values) {
        return Statement.of("""
                SELECT p.row_id, jsonb_object_agg(v.attr_name, v.attr_value)
                FROM (SELECT f.row_id, row_number() OVER () AS place
                      FROM (SELECT e1.row_id FROM %s %s LIMIT 20) AS f) AS p
                JOIN bench.eav_text AS v ON v.row_id = p.row_id
                GROUP BY p.place, p.row_id
                ORDER BY p.place
                """.formatted(from, order), values);
    }

    @Override
    public void fetch(UUID id) {
        jdbc.ids(Statement.of("SELECT row_id, attr_name, attr_value FROM bench.eav_text WHERE row_id = ?", id));
    }

    @Override
    public void insert(List<SampleRecord> items) {
        jdbc.batch(
                "INSERT INTO bench.eav_text (schema_id, row_id, attr_name, attr_value) VALUES (100, ?, ?, ?)",
                items.stream().flatMap(TextEav::values));
    }

    private static Stream<List<?>> values(SampleRecord item) {
        return IntStream.range(0, RecordsData.COLUMNS.size())
                .mapToObj(i -> List.of(
                        item.id(), RecordsData.COLUMNS.get(i), item.texts().get(i)));
    }

    @Override
    public void load(List<SampleRecord> items) {
        var lines = new ArrayList<String>();
        for (var item : items) {
            var texts = item.texts();
            for (int i = 0; i < texts.size(); i++) {
                lines.add(
                        "100,%s,%s,%s".formatted(item.id(), RecordsData.COLUMNS.get(i), PlainJdbc.cell(texts.get(i))));
            }
        }
        jdbc.copy(
                "COPY bench.eav_text (schema_id, row_id, attr_name, attr_value) FROM STDIN (FORMAT csv)",
                String.join("\n", lines));
    }

    @Override
    public long bytes() {
        return RecordsData.bytes(db, "bench", "^eav_text$");
    }
}
