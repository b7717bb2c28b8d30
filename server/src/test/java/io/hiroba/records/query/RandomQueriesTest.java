package io.hiroba.records.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.records.AttributeChange;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.Retypes;
import io.hiroba.records.RowId;
import io.hiroba.records.ValueType;
import io.hiroba.testkit.TestQueries;
import io.hiroba.testkit.TestRecords;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Whatever is asked, in whatever order, the pages together are exactly what testing every record one by one finds. */
@Tag("slow")
class RandomQueriesTest {

    private static final int ROWS = 400;
    private static final int QUERIES = Integer.getInteger("hiroba.queries", 100);
    private static final long SEED = Long.getLong("hiroba.seed", System.nanoTime());
    private static final Random RANDOM = new Random(SEED);
    private static final List<String> TEXTS =
            List.of("a", "ab", "abc", "B", "b%", "b_", "日本", "日本語", "x".repeat(600), "x".repeat(600) + "y");
    private static final List<Operator> OF_ORDER =
            List.of(Operator.EQ, Operator.NE, Operator.GT, Operator.GTE, Operator.LT, Operator.LTE, Operator.BETWEEN);

    private static final List<Operator> OF_LISTS = List.of(
            Operator.EQ,
            Operator.NE,
            Operator.IN,
            Operator.NOT_IN,
            Operator.HAS_ALL,
            Operator.EXISTS,
            Operator.MISSING);

    /** What was renamed, and how it was called before. */
    private static final Map<String, String> FORMER = Map.of("名前", "name", "価格", "price", "sold (any)", "sold");

    private static final List<String> ATTRIBUTES =
            List.of("名前", "価格", "made", "at", "sold (any)", "kind", "tag", "tags", "boss", "who", "parts");
    private static final Set<String> LISTS = Set.of("tag", "tags", "who", "parts");
    private static final List<String> COLORS = List.of("red", "green", "blue", "");
    private static final List<String> PEOPLE = new ArrayList<>();

    /** The colours of parts by their ids. */
    private static final Map<String, String> PARTS = new LinkedHashMap<>();

    private static final Map<RowId, ObjectNode> SHOWN = new HashMap<>();

    private static final RecordOracle ORACLE = new RecordOracle(LISTS, PARTS);

    private static TestRecords records;
    private static TestQueries queries;
    private static ProjectAccess owner;
    private static final List<ResultRow> all = new ArrayList<>();

    @BeforeAll
    static void fill() {
        records = new TestRecords();
        queries = new TestQueries(records);
        owner = records.project();
        records.schema(owner, "part", "color text");
        for (int i = 0; i < 12; i++) {
            var color = COLORS.get(i % 4);
            PARTS.put(
                    records.one(owner, "part", color.isEmpty() ? "{}" : "{'color': '%s'}".formatted(color))
                            .toString(),
                    color);
        }
        PEOPLE.add(owner.user().hex());
        for (int i = 0; i < 4; i++) {
            PEOPLE.add(records.member(owner, ProjectRole.VIEWER).user().hex());
        }
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
                "parts text references=\"part\" many");
        rename("名前");
        insert(ROWS / 2);
        // Written under one name, asked for under another.
        rename("価格");
        rename("sold (any)");
        // Other types and back: values of other attributes under the same names.
        retype("価格", ValueType.TEXT, ValueType.NUMERIC);
        retype("made", ValueType.DATETIME, ValueType.DATE);
        insert(ROWS - ROWS / 2);
        retype("sold", ValueType.TEXT, ValueType.BOOL);
        retype("tag", ValueType.MULTI_SELECT);
        queries.refresh(owner, "thing");
        for (var page = page(RecordQuery.all("thing"));
                ;
                page = page(RecordQuery.all("thing").after(page.next()))) {
            all.addAll(page.rows());
            if (page.next() == null) {
                break;
            }
        }
    }

    @AfterAll
    static void close() {
        queries.close();
        records.close();
    }

    private static void rename(String name) {
        records.changes.change(owner, "thing", FORMER.get(name), new AttributeChange(name, null, false));
    }

    private static void retype(String name, ValueType... types) {
        for (var type : types) {
            records.retypes.change(owner, "thing", name, new Retypes.Change(type, false));
        }
    }

    private static void insert(int rows) {
        var values = new ArrayList<String>();
        for (int i = 0; i < rows; i++) {
            var shown = record();
            var sent = JsonNodeFactory.instance.objectNode();
            shown.properties().forEach(each -> sent.set(written(each.getKey()), each.getValue()));
            values.add(sent.toString());
        }
        records.insert(owner, "thing", values.toArray(String[]::new));
    }

    /** The name, the one before or the id: each leads to the attribute. */
    private static String written(String name) {
        var attribute = queries.schema(owner, "thing").attribute(name);
        if (attribute.isEmpty()) {
            return FORMER.getOrDefault(name, name);
        }
        return switch (RANDOM.nextInt(3)) {
            case 0 -> name;
            case 1 -> FORMER.getOrDefault(name, name);
            default -> String.valueOf(attribute.get().id());
        };
    }

    /** The same query, in which attributes are called anything that leads to them. */
    private static RecordQuery written(RecordQuery query) {
        return query.where(query.where() == null ? null : written(query.where()))
                .sortedBy(query.sort().stream()
                        .map(sort -> new RecordSort(written(sort.attribute()), sort.descending(), sort.nullsFirst()))
                        .toArray(RecordSort[]::new));
    }

    private static Condition written(Condition condition) {
        return switch (condition) {
            case Condition.And(var parts) ->
                new Condition.And(parts.stream().map(RandomQueriesTest::written).toList());
            case Condition.Or(var parts) ->
                new Condition.Or(parts.stream().map(RandomQueriesTest::written).toList());
            case Condition.Not(var part) -> new Condition.Not(written(part));
            case Condition.Test test ->
                new Condition.Test(written(test.attribute()), test.operator(), test.values(), test.asText());
        };
    }

    private static ObjectNode record() {
        var record = JsonNodeFactory.instance.objectNode();
        for (var name : ATTRIBUTES) {
            if (name.equals("kind") || RANDOM.nextInt(4) > 0) {
                record.set(name, value(name));
            }
        }
        return record;
    }

    private static JsonNode value(String attribute) {
        var nodes = JsonNodeFactory.instance;
        return switch (attribute) {
            case "価格" -> nodes.numberNode(new BigDecimal(RANDOM.nextInt(60)).movePointLeft(RANDOM.nextInt(2)));
            case "made" ->
                nodes.stringNode(LocalDate.ofEpochDay(RANDOM.nextInt(20) - 10L).toString());
            case "at" ->
                nodes.stringNode(Instant.ofEpochSecond((RANDOM.nextInt(20) - 10L) * 50_000)
                        .toString());
            case "sold (any)" -> nodes.booleanNode(RANDOM.nextBoolean());
            case "kind" ->
                nodes.stringNode(List.of("rare", "common", "common", "common").get(RANDOM.nextInt(4)));
            case "tag" -> nodes.stringNode(List.of("a", "b", "c").get(RANDOM.nextInt(3)));
            case "tags" -> some(List.of("a", "b", "c", "d", "e"));
            case "who" -> some(PEOPLE);
            case "parts" -> some(List.copyOf(PARTS.keySet()));
            case "boss" -> nodes.stringNode(PEOPLE.get(RANDOM.nextInt(PEOPLE.size())));
            case "parts.color" -> nodes.stringNode(COLORS.get(RANDOM.nextInt(3)));
            default -> nodes.stringNode(TEXTS.get(RANDOM.nextInt(TEXTS.size())));
        };
    }

    private static JsonNode some(List<String> of) {
        var shuffled = new ArrayList<>(of);
        Collections.shuffle(shuffled, RANDOM);
        var list = JsonNodeFactory.instance.arrayNode();
        shuffled.subList(0, RANDOM.nextInt(4)).forEach(list::add);
        return list;
    }

    @Test
    void pagesHoldWhatPassesInOrder() {
        assertThat(all).as("seed %d", SEED).hasSize(ROWS);
        for (int i = 0; i < QUERIES; i++) {
            var query = RecordQuery.all("thing")
                    .where(RANDOM.nextInt(8) == 0 ? null : condition(0))
                    .sortedBy(sorts())
                    .limit(1 + RANDOM.nextInt(30));
            assertThat(paged(written(query))).as("seed %d, %s", SEED, query).isEqualTo(expected(query));
            assertThat(page(written(query).counting(RecordQuery.Count.EXACT)).count())
                    .as("seed %d, %s", SEED, query)
                    .isEqualTo(new QueryResult.Counted(expected(query).size(), true));
        }
    }

    private static RecordSort[] sorts() {
        var names = List.of("名前", "価格", "made", "at", "sold (any)", "kind", "createdAt");
        var sorts = new ArrayList<RecordSort>();
        for (int i = RANDOM.nextInt(3); i > 0; i--) {
            sorts.add(new RecordSort(
                    names.get(RANDOM.nextInt(names.size())), RANDOM.nextBoolean(), RANDOM.nextBoolean()));
        }
        return sorts.toArray(RecordSort[]::new);
    }

    private static Condition condition(int depth) {
        int shape = depth > 2 ? 3 : RANDOM.nextInt(6);
        return switch (shape) {
            case 0 -> new Condition.And(List.of(condition(depth + 1), condition(depth + 1)));
            case 1 -> new Condition.Or(List.of(condition(depth + 1), condition(depth + 1)));
            case 2 -> new Condition.Not(condition(depth + 1));
            default -> test();
        };
    }

    private static Condition.Test test() {
        var name = RANDOM.nextInt(ATTRIBUTES.size()) == 0
                ? "parts.color"
                : ATTRIBUTES.get(RANDOM.nextInt(ATTRIBUTES.size()));
        if (LISTS.contains(name)) {
            return chosen(name);
        }
        var operator = switch (RANDOM.nextInt(6)) {
            case 0 -> RANDOM.nextBoolean() ? Operator.EXISTS : Operator.MISSING;
            case 1 -> RANDOM.nextBoolean() ? Operator.IN : Operator.NOT_IN;
            case 2 -> name.equals("名前") ? RANDOM.nextBoolean() ? Operator.STARTS_WITH : Operator.CONTAINS : Operator.EQ;
            default -> OF_ORDER.get(RANDOM.nextInt(name.equals("sold (any)") ? 2 : OF_ORDER.size()));
        };
        var values = new ArrayList<JsonNode>();
        int count = operator.operands() < 0 ? 1 + RANDOM.nextInt(3) : operator.operands();
        for (int i = 0; i < count; i++) {
            values.add(value(name));
        }
        return new Condition.Test(name, operator, values, false);
    }

    private static Condition.Test chosen(String name) {
        var operator = OF_LISTS.get(RANDOM.nextInt(OF_LISTS.size()));
        var values = new ArrayList<JsonNode>();
        for (int i = operator.operands() < 0 ? 1 + RANDOM.nextInt(3) : operator.operands(); i > 0; i--) {
            var of = switch (name) {
                case "who" -> PEOPLE;
                case "parts" -> List.copyOf(PARTS.keySet());
                default -> List.of("a", "b", "c", "d", "x");
            };
            values.add(JsonNodeFactory.instance.stringNode(of.get(RANDOM.nextInt(of.size()))));
        }
        return new Condition.Test(name, operator, values, false);
    }

    private static List<String> paged(RecordQuery query) {
        var ids = new ArrayList<String>();
        String after = null;
        do {
            var page = page(query.after(after));
            page.rows().forEach(row -> ids.add(row.id().toString()));
            after = page.next();
        } while (after != null);
        return ids;
    }

    private static QueryResult page(RecordQuery query) {
        return queries.queries.page(owner.caller(), owner.project().id(), query);
    }

    private static List<String> expected(RecordQuery query) {
        Comparator<ResultRow> order = null;
        for (var sort : query.sort()) {
            Comparator<ResultRow> by = sort.attribute().equals("createdAt")
                    ? Comparator.comparing(row -> row.id().toString())
                    : Comparator.comparing(row -> key(shown(row).get(sort.attribute())), RandomQueriesTest::compared);
            by = sort.descending() ? by.reversed() : by;
            if (!sort.attribute().equals("createdAt")) {
                Comparator<ResultRow> missing =
                        Comparator.comparingInt(row -> shown(row).has(sort.attribute()) != sort.nullsFirst() ? 0 : 1);
                by = missing.thenComparing(by);
            }
            order = order == null ? by : order.thenComparing(by);
        }
        Comparator<ResultRow> byId = Comparator.comparing(row -> row.id().toString());
        boolean descending = !query.sort().isEmpty() && query.sort().getFirst().descending();
        var last = descending ? byId.reversed() : byId;
        var total = order == null ? last : order.thenComparing(last);
        return all.stream()
                .filter(row -> query.where() == null || ORACLE.passes(query.where(), shown(row)))
                .sorted(total)
                .map(row -> row.id().toString())
                .toList();
    }

    private static ObjectNode shown(ResultRow row) {
        return SHOWN.computeIfAbsent(
                row.id(), id -> Documents.shown(queries.schema(owner, "thing").attributes(), row.document()));
    }

    /** Texts are ordered by their first 500 characters. */
    private static @Nullable JsonNode key(@Nullable JsonNode value) {
        return value != null && value.isString() && value.stringValue().length() > 500
                ? JsonNodeFactory.instance.stringNode(value.stringValue().substring(0, 500))
                : value;
    }

    private static int compared(@Nullable JsonNode one, @Nullable JsonNode other) {
        return one == null || other == null ? 0 : RecordOracle.compare(one, other);
    }
}
