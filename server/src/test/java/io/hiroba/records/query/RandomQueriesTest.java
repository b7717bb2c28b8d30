package io.hiroba.records.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.records.Documents;
import io.hiroba.records.ValueType;
import io.hiroba.records.tuning.TestIndexes;
import io.hiroba.testkit.TestQueries;
import io.hiroba.testkit.TestRecords;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whatever is asked of attributes of every type, in whatever order, between writes of every kind, the pages together are exactly what
 * testing every record one by one finds, and so are the figures.
 */
@Tag("slow")
class RandomQueriesTest {

    private static final int ROWS = 400;
    private static final int QUERIES = Integer.getInteger("hiroba.queries", 150);
    private static final int BETWEEN_WRITES = 20;
    private static final long SEED = Long.getLong("hiroba.seed", System.nanoTime());
    private static final Random RANDOM = new Random(SEED);
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String SEEDED = "seed " + SEED;

    private static TestRecords records;
    private static TestQueries queries;
    private static RecordModel model;
    private static RecordOracle oracle;

    @BeforeAll
    static void fill() {
        records = new TestRecords();
        queries = new TestQueries(records);
        model = new RecordModel(records, RANDOM);
        model.fill(ROWS);
        oracle = new RecordOracle(
                model.attributes.types(), model.parts, model.owner.user().hex());
        queries.refresh(model.owner, "thing");
        TestIndexes.make(records, model.owner, "thing", "cost", "kind changed_at", "label 名前", "boss no");
    }

    @AfterAll
    static void close() {
        queries.close();
        records.close();
    }

    @Test
    void pagesHoldWhatPassesInOrderAndFiguresAreOfThat() {
        model.requireSame(SEEDED, RandomQueriesTest::read);
        for (int i = 0; i < QUERIES; i++) {
            if (i % BETWEEN_WRITES == BETWEEN_WRITES - 1) {
                model.write();
                model.requireSame(SEEDED, RandomQueriesTest::read);
            }
            var query = RecordQuery.all("thing")
                    .where(RANDOM.nextInt(8) == 0 ? null : condition(0))
                    .sortedBy(sorts())
                    .limit(1 + RANDOM.nextInt(30));
            var expected = expected(query);
            assertThat(paged(written(query))).as("%s, %s", SEEDED, query).isEqualTo(expected);
            assertThat(page(written(query).counting(RecordQuery.Count.EXACT)).count())
                    .as("%s, %s", SEEDED, query)
                    .isEqualTo(new QueryResult.Counted(expected.size(), true));
            if (i % 4 == 0) {
                figures(query, expected.stream().map(model.things::get).toList());
            }
        }
    }

    /** The same query, in which attributes are called anything that leads to them. */
    private static RecordQuery written(RecordQuery query) {
        return query.where(query.where() == null ? null : written(query.where()))
                .sortedBy(query.sort().stream()
                        .map(sort ->
                                new RecordSort(model.written(sort.attribute()), sort.descending(), sort.nullsFirst()))
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
                new Condition.Test(model.written(test.attribute()), test.operator(), test.values(), test.asText());
            case Condition.OfRecord field -> field;
        };
    }

    private static RecordSort[] sorts() {
        var names = new ArrayList<>(model.attributes.ordered());
        names.add(RecordSort.CREATED);
        var sorts = new ArrayList<RecordSort>();
        for (int i = RANDOM.nextInt(3); i > 0; i--) {
            sorts.add(new RecordSort(one(names), RANDOM.nextBoolean(), RANDOM.nextBoolean()));
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

    /** A test of any attribute, by any operator that suits it. */
    private static Condition.Test test() {
        var name = one(List.copyOf(oracle.types().keySet()));
        var type = type(name);
        var operator = one(
                Stream.of(Operator.values()).filter(each -> each.suits(type)).toList());
        boolean asText = RANDOM.nextInt(4) == 0;
        var values = new ArrayList<JsonNode>();
        for (int i = operator.operands() < 0 ? 1 + RANDOM.nextInt(3) : operator.operands(); i > 0; i--) {
            var value = operator == Operator.WITHIN ? days() : operand(name, type);
            values.add(asText && operator != Operator.WITHIN ? JSON.stringNode(text(type, value)) : value);
        }
        return new Condition.Test(name, operator, values, asText);
    }

    private static JsonNode days() {
        var first = LocalDate.ofEpochDay(RANDOM.nextInt(20) - 10L);
        return JSON.stringNode("%s/%s/%s"
                .formatted(
                        first,
                        first.plusDays(RANDOM.nextInt(12)),
                        one(List.of("UTC", "Asia/Tokyo", "America/Los_Angeles"))));
    }

    /** A value as a query string has it. */
    private static String text(ValueType type, JsonNode value) {
        return switch (type) {
            case NUMERIC -> value.decimalValue().toPlainString();
            case BOOL, JSONB -> value.toString();
            case TEXT, DATE, DATETIME, MULTI_SELECT -> value.stringValue();
        };
    }

    /** A value that some record has, one that it might have, or another way to write one. */
    private static JsonNode operand(String name, ValueType type) {
        int point = name.indexOf('.');
        var of = List.copyOf(point < 0 ? model.things.values() : model.parts.values());
        var own = name.substring(point + 1);
        var found = Stream.generate(() -> one(of).path(own))
                .limit(20)
                .filter(value -> !value.isMissingNode())
                .findFirst()
                .orElse(JSON.missingNode());
        if (point < 0
                && (found.isMissingNode() || RANDOM.nextBoolean())
                && model.attributes.written().contains(name)) {
            found = model.attributes.value(name);
        }
        var value = type == ValueType.MULTI_SELECT ? element(found) : found;
        if (value.isMissingNode()) {
            return switch (type) {
                case NUMERIC -> JSON.numberNode(1);
                case BOOL -> JSON.booleanNode(true);
                case DATE, DATETIME -> JSON.stringNode("1970-01-01");
                case TEXT, JSONB, MULTI_SELECT -> JSON.stringNode("x");
            };
        }
        return RANDOM.nextInt(6) == 0 ? otherwise(type, value) : value;
    }

    private static JsonNode element(JsonNode list) {
        return list.isEmpty() ? JSON.missingNode() : list.path(RANDOM.nextInt(list.size()));
    }

    /** The same value written otherwise, or one near it. */
    private static JsonNode otherwise(ValueType type, JsonNode value) {
        return switch (type) {
            case NUMERIC ->
                JSON.numberNode(
                        value.decimalValue().setScale(value.decimalValue().scale() + 2));
            case DATETIME ->
                value.stringValue().startsWith("0001") || value.stringValue().startsWith("9999")
                        ? value
                        : JSON.stringNode(RecordOracle.moment(value)
                                .atOffset(ZoneOffset.ofHoursMinutes(-9, -30))
                                .toString());
            case TEXT, MULTI_SELECT -> {
                var text = value.stringValue();
                yield JSON.stringNode(
                        switch (RANDOM.nextInt(4)) {
                            case 0 -> "me";
                            case 1 ->
                                text.substring(
                                        0, text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2));
                            case 2 -> text.toLowerCase(Locale.ROOT);
                            default -> text.toUpperCase(Locale.ROOT);
                        });
            }
            case BOOL, DATE, JSONB -> value;
        };
    }

    private static ValueType type(String name) {
        return Objects.requireNonNull(oracle.types().get(name));
    }

    private static <T> T one(List<T> of) {
        return of.get(RANDOM.nextInt(of.size()));
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

    /** The values of all records of a schema by their ids. */
    private static Map<String, ObjectNode> read(String schema) {
        var all = new HashMap<String, ObjectNode>();
        var attributes = queries.schema(model.owner, schema).attributes();
        String after = null;
        do {
            var page = page(RecordQuery.all(schema).limit(RecordQuery.MAX_LIMIT).after(after));
            page.rows().forEach(row -> all.put(row.id().toString(), Documents.shown(attributes, row.document())));
            after = page.next();
        } while (after != null);
        return all;
    }

    private static QueryResult page(RecordQuery query) {
        return queries.queries.page(model.owner.caller(), model.owner.project().id(), query);
    }

    private static List<String> expected(RecordQuery query) {
        Comparator<Map.Entry<String, ObjectNode>> order = (one, other) -> 0;
        for (var sort : query.sort()) {
            order = order.thenComparing(order(sort));
        }
        Comparator<Map.Entry<String, ObjectNode>> byId = Map.Entry.comparingByKey();
        boolean descending = !query.sort().isEmpty() && query.sort().getFirst().descending();
        return model.things.entrySet().stream()
                .filter(each -> query.where() == null || oracle.passes(query.where(), each.getValue()))
                .sorted(order.thenComparing(descending ? byId.reversed() : byId))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Comparator<Map.Entry<String, ObjectNode>> order(RecordSort sort) {
        if (sort.attribute().equals(RecordSort.CREATED)) {
            Comparator<Map.Entry<String, ObjectNode>> byId = Map.Entry.comparingByKey();
            return sort.descending() ? byId.reversed() : byId;
        }
        return (one, other) -> {
            var left = one.getValue().get(sort.attribute());
            var right = other.getValue().get(sort.attribute());
            if (left == null || right == null) {
                int missing = Boolean.compare(left == null, right == null);
                return sort.nullsFirst() ? -missing : missing;
            }
            int by = RecordOracle.compare(type(sort.attribute()), RecordOracle.key(left), RecordOracle.key(right));
            return sort.descending() ? -by : by;
        };
    }

    /** Figures of the same records, in groups or together. */
    private static void figures(RecordQuery query, List<ObjectNode> passing) {
        var asked = RandomFigures.of(RANDOM, oracle.types(), model.attributes.ordered());
        var result = queries.queries.aggregate(
                model.owner.caller(), model.owner.project().id(), asked.query(query.where()));
        asked.requireSame("%s, %s of %s".formatted(SEEDED, asked, query), result, passing);
    }
}
