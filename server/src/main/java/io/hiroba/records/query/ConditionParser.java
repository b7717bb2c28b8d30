package io.hiroba.records.query;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Parses conditions: our own form, a tree of {@code and}, {@code or}, {@code not} and {@code {attr, op, value}}, and
 * the design document's, {@code {"l":"and","c":[{"a":"price","v":"gt:100"}]}}. In the latter, a prefix before the first
 * colon is an operator only if it names one.
 */
public final class ConditionParser {

    private static final int MAX_DEPTH = 20;
    private static final int MAX_TESTS = 100;
    private static final int MAX_VALUES = 1000;
    private static final String EXAMPLE = "{\"attr\": \"price\", \"op\": \"gte\", \"value\": 100}";
    private static final Set<String> TEST_FIELDS = Set.of("attr", "op", "value");

    private int tests;

    private ConditionParser() {}

    /** The condition of {@code json}; null if it is missing or an empty object. */
    public static @Nullable Condition condition(@Nullable JsonNode json) {
        if (json == null || json.isNull() || (json.isObject() && json.isEmpty())) {
            return null;
        }
        return new ConditionParser().read("where", json, 0);
    }

    /** Refuses a comparison that makes no sense of the attribute's type. */
    public static void requireSuits(SchemaAttribute attribute, JsonNode test) {
        if (Condition.settled(condition(test), () -> ZoneOffset.UTC, Instant.EPOCH)
                instanceof Condition.Test comparison) {
            ConditionResolver.predicate(attribute, comparison);
        }
    }

    /** A comparison in a query string: {@code price.gte} and {@code 100}, {@code price.missing} and {@code false}. */
    static Condition.Test test(String attribute, Operator operator, String text) {
        if (operator.operands() == 0) {
            return presence(attribute, operator, text);
        }
        List<JsonNode> values = switch (operator.operands()) {
            case 1 -> List.of(node(text));
            default ->
                List.of(text.split(",", -1)).stream().map(ConditionParser::node).toList();
        };
        requireCount(attribute, operator, values);
        return new Condition.Test(attribute, operator, values, true);
    }

    private static Condition.Test presence(String attribute, Operator operator, String text) {
        var applied = switch (text) {
            case "", "true" -> operator;
            case "false" -> operator == Operator.EXISTS ? Operator.MISSING : Operator.EXISTS;
            default ->
                throw RecordsProblem.invalid(
                        attribute + "." + operator.label(), Text.of("http.field.one-of", "values", "true, false"));
        };
        return new Condition.Test(attribute, applied, List.of(), true);
    }

    private static JsonNode node(String text) {
        return JsonNodeFactory.instance.stringNode(text);
    }

    private Condition read(String at, JsonNode json, int depth) {
        if (depth > MAX_DEPTH) {
            throw RecordsProblem.invalid(at, Text.of("records.query.depth"));
        }
        if (!json.isObject()) {
            throw RecordsProblem.invalid(at, Text.of("records.query.condition", "example", EXAMPLE));
        }
        if (json.has("l") || json.has("c")) {
            return oldGroup(at, json, depth);
        }
        if (json.has("a") || json.has("v")) {
            return oldTest(at, json);
        }
        if (json.has("attr")) {
            return test(at, json);
        }
        if (json.size() != 1) {
            throw RecordsProblem.invalid(at, Text.of("records.query.one-kind"));
        }
        var name = json.propertyNames().iterator().next();
        return switch (name) {
            case "and" -> new Condition.And(parts(at + ".and", json.get(name), depth));
            case "or" -> new Condition.Or(parts(at + ".or", json.get(name), depth));
            case "not" -> new Condition.Not(read(at + ".not", json.get(name), depth + 1));
            default -> throw RecordsProblem.invalid(at, Text.of("records.query.unknown-group", "field", name));
        };
    }

    private List<Condition> parts(String at, JsonNode json, int depth) {
        if (!json.isArray() || json.isEmpty()) {
            throw RecordsProblem.invalid(at, Text.of("records.query.conditions"));
        }
        var parts = new ArrayList<Condition>();
        for (var part : json) {
            parts.add(read("%s[%d]".formatted(at, parts.size()), part, depth + 1));
        }
        return parts;
    }

    private Condition test(String at, JsonNode json) {
        for (var field : json.propertyNames()) {
            if (!TEST_FIELDS.contains(field)) {
                throw RecordsProblem.invalid(at, Text.of("records.query.unknown-test", "field", field));
            }
        }
        var named = json.get("op");
        var operator = named == null ? Operator.EQ : operator(at, named);
        var value = json.get("value");
        var values = new ArrayList<JsonNode>();
        if (operator.operands() == 0) {
            if (value != null && !value.isNull()) {
                throw RecordsProblem.invalid(
                        at + ".value", Text.of("records.query.no-value", "operator", operator.label()));
            }
        } else if (operator.operands() == 1) {
            values.add(value == null ? JsonNodeFactory.instance.nullNode() : value);
        } else {
            if (value == null || !value.isArray()) {
                throw RecordsProblem.invalid(
                        at + ".value", Text.of("records.query.list", "operator", operator.label()));
            }
            value.forEach(values::add);
        }
        return counted(at, text(at + ".attr", json.get("attr")), operator, values, false);
    }

    private Condition oldGroup(String at, JsonNode json, int depth) {
        var parts = parts(at + ".c", json.path("c"), depth);
        return switch (json.path("l").asString("and")) {
            case "and" -> new Condition.And(parts);
            case "or" -> new Condition.Or(parts);
            default -> throw RecordsProblem.invalid(at + ".l", Text.of("records.query.and-or"));
        };
    }

    private Condition oldTest(String at, JsonNode json) {
        var attribute = text(at + ".a", json.get("a"));
        var value = text(at + ".v", json.get("v"));
        int colon = value.indexOf(':');
        var operator =
                colon < 0 ? null : Operator.ofOldForm(value.substring(0, colon)).orElse(null);
        if (operator == null) {
            return counted(at, attribute, Operator.EQ, List.of(node(value)), true);
        }
        var test = test(attribute, operator, value.substring(colon + 1));
        return counted(at, attribute, operator, test.values(), true);
    }

    private Condition.Test counted(
            String at, String attribute, Operator operator, List<JsonNode> values, boolean asText) {
        if (++tests > MAX_TESTS) {
            throw RecordsProblem.invalid("where", Text.of("records.query.too-many-tests"));
        }
        requireCount(at + ".value", operator, values);
        return new Condition.Test(attribute, operator, values, asText);
    }

    private static void requireCount(String at, Operator operator, List<JsonNode> values) {
        if (operator == Operator.BETWEEN && values.size() != 2) {
            throw RecordsProblem.invalid(at, Text.of("records.query.between"));
        }
        if (operator.operands() < 0 && (values.isEmpty() || values.size() > MAX_VALUES)) {
            throw RecordsProblem.invalid(at, Text.of("records.field.values"));
        }
    }

    private static Operator operator(String at, JsonNode named) {
        return Operator.named(named.asString(""))
                .orElseThrow(() -> RecordsProblem.invalid(at + ".op", Text.of("records.query.operator")));
    }

    private static String text(String at, @Nullable JsonNode json) {
        if (json == null || !json.isString()) {
            throw RecordsProblem.invalid(at, Text.of("records.field.text"));
        }
        return json.stringValue();
    }
}
