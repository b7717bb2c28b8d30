package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A comparison that a rule shows records by. It means what the same comparison of a query means, which is why some are none: what
 * PostgreSQL folds or searches can be asked only there.
 *
 * @param attribute one of the records themselves
 * @param operator as in queries
 * @param values as in the API; {@code me} is the reader, of an attribute with people
 */
public record RowTest(String attribute, String operator, List<JsonNode> values) {

    /** The most conditions of a rule. */
    static final int MAX_TESTS = 20;

    private static final int MAX_VALUES = 100;
    private static final String READER = "me";
    private static final Set<String> UNARY = Set.of("exists", "missing");
    private static final Set<String> OF_LISTS = Set.of("in", "notIn", "hasAll");
    private static final Set<String> OF_NAMES = Set.of("eq", "ne", "in", "notIn");
    private static final Set<String> OF_TEXTS = Set.of("eq", "ne", "in", "notIn", "startsWith", "gte", "lte");
    private static final Set<String> OF_NUMBERS = Set.of("eq", "ne", "in", "notIn", "gt", "gte", "lt", "lte");
    private static final Set<String> OF_TIMES = Set.of("eq", "ne", "gt", "gte", "lt", "lte");
    private static final Comparator<String> BY_CODE_POINTS = (one, other) ->
            Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());

    public RowTest {
        values = List.copyOf(values);
    }

    RowTest of(String name) {
        return new RowTest(name, operator, values);
    }

    /** The value of the comparison as in queries: one, a list, or none. */
    public @Nullable JsonNode value() {
        if (OF_LISTS.contains(operator)) {
            return JsonNodeFactory.instance.arrayNode().addAll(values);
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    /** The same after values of its attribute were replaced. */
    RowTest revalued(Map<String, @Nullable String> replacements) {
        if (!OF_NAMES.contains(operator) && !OF_LISTS.contains(operator)) {
            return this;
        }
        var replaced = values.stream()
                .map(value -> {
                    var after = value.isString() ? replacements.get(value.stringValue()) : null;
                    return after == null ? value : (JsonNode) JsonNodeFactory.instance.stringNode(after);
                })
                .distinct()
                .toList();
        return new RowTest(attribute, operator, replaced);
    }

    /** Whether it means something else for another reader. */
    boolean namesReader() {
        return values.stream()
                .anyMatch(value -> value.isString() && value.stringValue().equals(READER));
    }

    /** The values for {@code reader}, as in the API. */
    public List<JsonNode> values(SchemaAttribute attribute, UserId reader) {
        return attribute.isPerson()
                ? values.stream().map(value -> person(value, reader)).toList()
                : values;
    }

    /** The id as it is stored. */
    private static JsonNode person(JsonNode value, UserId reader) {
        var text = value.asString("");
        if (text.equals(READER)) {
            return JsonNodeFactory.instance.stringNode(reader.hex());
        }
        return Ids.isId(text) ? JsonNodeFactory.instance.stringNode(Ids.hex(Ids.parse(text))) : value;
    }

    /** The reason why rules cannot compare {@code compared} so. */
    void requireSuits(Schema schema, SchemaAttribute compared) throws InvalidValueException {
        if (schema.isComputed(compared)) {
            throw new InvalidValueException(Text.of("records.field.rule-attribute"));
        }
        if (!suits(compared)) {
            throw new InvalidValueException(Text.of("records.field.rule-operator", "operator", operator));
        }
        int wanted = UNARY.contains(operator) ? 0 : 1;
        if (OF_LISTS.contains(operator) ? values.isEmpty() || values.size() > MAX_VALUES : values.size() != wanted) {
            throw new InvalidValueException(Text.of("records.filter-no-value"));
        }
        for (var value : values) {
            if (value.isNull()) {
                throw new InvalidValueException(Text.of("records.filter-no-value"));
            }
            var stored = compared.type().element().stored(value);
            // A value that no record can have would show all of them, or none.
            if (!compared.choices().isEmpty()
                    && compared.choices().stream()
                            .noneMatch(each -> each.value().equals(stored.asString("")))) {
                throw new InvalidValueException(Text.of("records.field.rule-option", "value", stored.asString("")));
            }
        }
    }

    /** The comparisons that a filter offers, besides a search within texts. */
    private boolean suits(SchemaAttribute compared) {
        if (UNARY.contains(operator)) {
            return true;
        }
        boolean named = compared.references() != null || !compared.options().isEmpty() || compared.isPerson();
        return switch (compared.type()) {
            case TEXT -> (named ? OF_NAMES : OF_TEXTS).contains(operator);
            case NUMERIC -> OF_NUMBERS.contains(operator);
            case DATE, DATETIME -> OF_TIMES.contains(operator);
            case BOOL -> operator.equals("eq");
            case MULTI_SELECT -> OF_LISTS.contains(operator);
            case JSONB -> false;
        };
    }

    /** Whether a record passes; one that cannot be compared does not. */
    boolean matches(Schema schema, UserId reader, ArrayNode document) {
        var compared = schema.attribute(attribute).orElse(null);
        if (compared == null) {
            return false;
        }
        var value = Documents.value(document, compared);
        boolean there = !value.isNull() && !value.isMissingNode();
        try {
            var with = new ArrayList<JsonNode>();
            for (var each : values(compared, reader)) {
                with.add(compared.comparable(compared.type().element().stored(each)));
            }
            return switch (operator) {
                case "exists" -> there;
                case "missing" -> !there;
                case "ne", "notIn" -> !(there && equalsAny(compared, value, with));
                case "eq", "in" -> there && equalsAny(compared, value, with);
                case "hasAll" -> there && with.stream().allMatch(each -> equalsAny(compared, value, List.of(each)));
                case "startsWith" ->
                    there && value.stringValue().startsWith(with.getFirst().stringValue());
                case "gt" -> there && compared(compared, value, with.getFirst()) > 0;
                case "gte" -> there && compared(compared, value, with.getFirst()) >= 0;
                case "lt" -> there && compared(compared, value, with.getFirst()) < 0;
                case "lte" -> there && compared(compared, value, with.getFirst()) <= 0;
                default -> false;
            };
        } catch (InvalidValueException _) {
            return false;
        }
    }

    private static boolean equalsAny(SchemaAttribute compared, JsonNode value, List<JsonNode> with) {
        return compared.isList()
                ? with.stream().anyMatch(each -> value.valueStream().anyMatch(each::equals))
                : with.stream().anyMatch(each -> compared(compared, value, each) == 0);
    }

    private static int compared(SchemaAttribute compared, JsonNode value, JsonNode with) {
        return switch (compared.type()) {
            case TEXT -> BY_CODE_POINTS.compare(value.stringValue(), with.stringValue());
            case NUMERIC, DATE, DATETIME -> value.decimalValue().compareTo(with.decimalValue());
            case BOOL -> Boolean.compare(value.booleanValue(), with.booleanValue());
            case JSONB, MULTI_SELECT -> throw new IllegalArgumentException("no order of " + compared.type());
        };
    }
}
