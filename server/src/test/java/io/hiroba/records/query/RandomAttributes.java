package io.hiroba.records.query;

import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ValueType;
import io.hiroba.testkit.TestRecords;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The attributes of random records: one of every type and format, each with a maker of values that is sometimes a nasty one. */
final class RandomAttributes {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Texts that differ after 500 characters, that sort otherwise as UTF-16, and that look like something else. */
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "ab",
            "abc",
            "B",
            "b%",
            "b_",
            "Äb",
            "äB",
            "日本",
            "日本語",
            "\uFFE51",
            "😀",
            "😀a",
            "it's",
            "\"\\",
            "$1 ?",
            "me",
            "null",
            "x".repeat(600),
            "x".repeat(600) + "y",
            "😀".repeat(500) + "a",
            "😀".repeat(500) + "b",
            "😀".repeat(499) + "\uFFE5");

    private static final List<String> EMAILS =
            List.of("ann@example.org", "Bob@example.org", "b.c+d@sub.example.org", "山田@例え.jp");
    private static final List<String> PHONES = List.of("+81 3-1234-5678", "(03) 1234 5678", "110");
    private static final List<String> URLS =
            List.of("https://example.org", "https://example.org/a?b=1%20&c='", "HTTP://例え.jp/路");
    private static final List<String> NUMBERS = List.of(
            "0",
            "0.0",
            "-0.5",
            "25",
            "25.0",
            "12345678901234567890.123456789",
            "1E+40",
            "0.0000000000000000000000000001");
    private static final List<String> JSONS = List.of(
            "1",
            "1.0",
            "\"a\"",
            "\"\"",
            "true",
            "{}",
            "[]",
            "{\"a\":1}",
            "{\"a\":1.00,\"b\":null}",
            "{\"b\":null,\"a\":1}",
            "{\"a\":{\"b\":[1,2]}}",
            "{\"a\":{\"b\":[2]}}",
            "[1,[2],\"a\"]",
            "[[2]]",
            "[2]",
            "[{\"a\":1}]",
            "{\"me\":\"me\"}");

    /** Those of the records that others refer to. */
    static final Map<String, ValueType> OF_PARTS = Map.ofEntries(
            Map.entry("color", ValueType.TEXT),
            Map.entry("weight", ValueType.NUMERIC),
            Map.entry("due", ValueType.DATE),
            Map.entry("tint", ValueType.MULTI_SELECT),
            Map.entry("keeper", ValueType.TEXT),
            Map.entry("heavy", ValueType.BOOL),
            Map.entry("uses", ValueType.NUMERIC),
            Map.entry("worth", ValueType.NUMERIC),
            Map.entry("least", ValueType.NUMERIC),
            Map.entry("mean", ValueType.NUMERIC),
            Map.entry("last", ValueType.DATE),
            Map.entry("listed", ValueType.NUMERIC));

    private final Map<String, ValueType> types = new LinkedHashMap<>();
    private final Map<String, Supplier<JsonNode>> makers = new LinkedHashMap<>();
    private final Random random;

    /** @param parts the ids of the records that are referred to */
    RandomAttributes(Random random, List<String> people, List<String> parts) {
        this.random = random;
        written("名前", ValueType.TEXT, () -> text(TEXTS));
        written("価格", ValueType.NUMERIC, () -> tenths(60));
        written("made", ValueType.DATE, this::day);
        written("at", ValueType.DATETIME, this::moment);
        written("sold (any)", ValueType.BOOL, () -> JSON.booleanNode(random.nextBoolean()));
        written("more", ValueType.JSONB, () -> TestRecords.json(one(JSONS)));
        written("kind", ValueType.TEXT, () -> text(List.of("rare", "common", "common", "common")));
        written("tag", ValueType.MULTI_SELECT, () -> some(List.of("a", "b", "c")));
        written("tags", ValueType.MULTI_SELECT, () -> some(List.of("a", "b", "c", "d", "e")));
        written("boss", ValueType.TEXT, () -> text(people));
        written("who", ValueType.MULTI_SELECT, () -> some(people));
        written("ref", ValueType.TEXT, () -> text(parts));
        written("parts", ValueType.MULTI_SELECT, () -> some(parts));
        written("email", ValueType.TEXT, () -> text(EMAILS));
        written("phone", ValueType.TEXT, () -> text(PHONES));
        written("url", ValueType.TEXT, () -> text(URLS));
        written("notes", ValueType.TEXT, () -> text(TEXTS));
        written("cost", ValueType.NUMERIC, () -> tenths(200));
        written("share", ValueType.NUMERIC, () -> JSON.numberNode(new BigDecimal(one(NUMBERS))));
        written("stars", ValueType.NUMERIC, () -> JSON.numberNode(1 + random.nextInt(5)));
        written("takes", ValueType.NUMERIC, () -> tenths(100_000));
        computed("files", ValueType.JSONB);
        computed("no", ValueType.NUMERIC);
        computed("made_at", ValueType.DATETIME);
        computed("made_by", ValueType.TEXT);
        computed("changed_at", ValueType.DATETIME);
        computed("changed_by", ValueType.TEXT);
        computed("twice", ValueType.NUMERIC);
        computed("dear", ValueType.BOOL);
        computed("label", ValueType.TEXT);
        computed("hue", ValueType.TEXT);
        computed("demand", ValueType.NUMERIC);
        computed("rank", ValueType.NUMERIC);
    }

    /** Makes the schemas, with people and references of each kind. What changes names and types later has those of before. */
    static void define(TestRecords records, ProjectAccess owner) {
        records.schema(
                owner,
                "part",
                "color text",
                "weight numeric",
                "due date",
                "tint multi_select enum=[\"x\",\"y\"]",
                "keeper text format=\"person\"",
                "heavy bool computed={\"formula\":\"weight>=3\"}");
        records.schema(
                owner,
                "thing",
                "name text",
                "price numeric",
                "made date",
                "at datetime",
                "sold bool",
                "more jsonb",
                "kind text required",
                "tag text enum=[\"a\",\"b\",\"c\"]",
                "tags multi_select enum=[\"a\",\"b\",\"c\",\"d\",\"e\"]",
                "boss text format=\"person\"",
                "who text format=\"person\" many",
                "ref text references=\"part\"",
                "parts text references=\"part\" many",
                "email text format=\"email\"",
                "phone text format=\"phone\"",
                "url text format=\"url\"",
                "notes text format=\"long_text\"",
                "cost numeric format=\"currency\" currency=\"JPY\"",
                "share numeric format=\"percent\"",
                "stars numeric format=\"rating\"",
                "takes numeric format=\"duration\"",
                "files jsonb format=\"attachments\"",
                "no numeric format=\"autonumber\"",
                "made_at datetime format=\"created_at\"",
                "made_by text format=\"created_by\"",
                "changed_at datetime format=\"updated_at\"",
                "changed_by text format=\"updated_by\"",
                "twice numeric computed={\"formula\":\"cost*2\"}",
                "dear bool computed={\"formula\":\"twice>20.0\"}");
    }

    private void written(String name, ValueType type, Supplier<JsonNode> value) {
        types.put(name, type);
        makers.put(name, value);
    }

    private void computed(String name, ValueType type) {
        types.put(name, type);
    }

    /** The types by name, also of what references lead to. */
    Map<String, ValueType> types() {
        var all = new LinkedHashMap<>(types);
        OF_PARTS.forEach((name, type) -> {
            all.put("ref." + name, type);
            all.put("parts." + name, type);
        });
        return all;
    }

    /** The names of what people write. */
    List<String> written() {
        return List.copyOf(makers.keySet());
    }

    /** Those that records can be sorted and grouped by. */
    List<String> ordered() {
        return types.keySet().stream()
                .filter(name -> types.get(name).isOrdered())
                .toList();
    }

    JsonNode value(String name) {
        return makers.get(name).get();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private JsonNode text(List<String> of) {
        return JSON.stringNode(one(of));
    }

    private JsonNode tenths(int most) {
        return JSON.numberNode(new BigDecimal(random.nextInt(most)).movePointLeft(random.nextInt(2)));
    }

    JsonNode day() {
        return JSON.stringNode(
                random.nextInt(20) > 0
                        ? LocalDate.ofEpochDay(random.nextInt(20) - 10L).toString()
                        : one(List.of("0001-01-01", "9999-12-31", "2024-02-29", "1900-03-01")));
    }

    private JsonNode moment() {
        return JSON.stringNode(
                random.nextInt(10) > 0
                        ? Instant.ofEpochSecond((random.nextInt(20) - 10L) * 50_000)
                                .toString()
                        : one(List.of(
                                "1969-12-31T23:59:59.999999Z",
                                "1970-01-01T00:00:00.000001Z",
                                "1970-01-01T00:00:00.500Z",
                                "0001-01-01T00:00:00Z",
                                "9999-12-31T23:59:59.999999Z")));
    }

    private JsonNode some(List<String> of) {
        var shuffled = new ArrayList<>(of);
        Collections.shuffle(shuffled, random);
        var list = JSON.arrayNode();
        shuffled.subList(0, random.nextInt(4)).forEach(list::add);
        return list;
    }
}
