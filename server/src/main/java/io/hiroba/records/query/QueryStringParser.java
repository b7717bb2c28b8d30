package io.hiroba.records.query;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordsProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses a query string: {@code price.gte=100&status=active&order=-price}. A parameter that is not reserved names an
 * attribute, with the operator after the last dot; all conditions must hold.
 */
public final class QueryStringParser {

    private static final Set<String> WORDS = Set.of("limit", "after", "order", "select", "count", "explain");
    private static final int MAX_TESTS = 100;

    private QueryStringParser() {}

    public static RecordQuery query(String schema, Map<String, List<String>> parameters) {
        var order = one(parameters, "order");
        var select = one(parameters, "select");
        var after = one(parameters, "after");
        return new RecordQuery(
                schema,
                condition(parameters),
                order == null
                        ? List.of()
                        : List.of(order.split(",", -1)).stream()
                                .map(RecordSort::of)
                                .toList(),
                select == null ? null : List.of(select.split(",", -1)),
                limit(one(parameters, "limit")),
                after == null || after.isEmpty() ? null : after,
                count(one(parameters, "count")));
    }

    /** The condition of {@code parameters}; null for none. */
    public static @Nullable Condition condition(Map<String, List<String>> parameters) {
        var tests = new ArrayList<Condition>();
        parameters.forEach((name, values) -> {
            if (!WORDS.contains(name)) {
                values.forEach(value -> tests.add(test(name, value)));
            }
        });
        if (tests.size() > MAX_TESTS) {
            throw RecordsProblem.invalid("where", Text.of("records.query.too-many-tests"));
        }
        return tests.isEmpty() ? null : tests.size() == 1 ? tests.getFirst() : new Condition.And(tests);
    }

    private static Condition test(String name, String value) {
        int point = name.lastIndexOf('.');
        var operator =
                point < 0 ? null : Operator.named(name.substring(point + 1)).orElse(null);
        return operator == null
                ? ConditionParser.test(name, Operator.EQ, value)
                : ConditionParser.test(name.substring(0, point), operator, value);
    }

    static int limit(@Nullable String text) {
        if (text == null) {
            return RecordQuery.DEFAULT_LIMIT;
        }
        if (!text.matches("[0-9]{1,9}")
                || Integer.parseInt(text) < 1
                || Integer.parseInt(text) > RecordQuery.MAX_LIMIT) {
            throw RecordsProblem.invalid(
                    "limit", Text.of("http.field.number-between", "min", 1, "max", RecordQuery.MAX_LIMIT));
        }
        return Integer.parseInt(text);
    }

    static RecordQuery.Count count(@Nullable String text) {
        return switch (text) {
            case null -> RecordQuery.Count.NONE;
            case "none" -> RecordQuery.Count.NONE;
            case "estimate" -> RecordQuery.Count.ESTIMATE;
            case "exact" -> RecordQuery.Count.EXACT;
            default -> throw RecordsProblem.invalid("count", Text.of("records.query.count"));
        };
    }

    private static @Nullable String one(Map<String, List<String>> parameters, String name) {
        var values = parameters.get(name);
        return values == null || values.isEmpty() ? null : values.getFirst();
    }
}
