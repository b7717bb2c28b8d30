package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.records.Documents;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.Timestamps;
import io.hiroba.records.ValueType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Resolves the names of a condition to attributes and converts its values to their types. */
final class ConditionResolver {

    private static final int MAX_NUMBER_LENGTH = 200;
    private static final Pattern MIDNIGHT =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)T00:00(?::00(?:\\.0+)?)?(?:Z|[+-]\\d\\d:\\d\\d)");

    /** The caller, as the value of a comparison with people. */
    private static final String ME = "me";

    private final ReadableSchema view;
    private final UserId caller;
    private final Function<SchemaAttribute, ReadableSchema> targets;
    private boolean namesCaller;

    /** @param targets the referenced schemas, as the caller may read them */
    ConditionResolver(ReadableSchema view, UserId caller, Function<SchemaAttribute, ReadableSchema> targets) {
        this.view = view;
        this.caller = caller;
        this.targets = targets;
    }

    Predicate resolve(Condition condition) {
        return switch (condition) {
            case Condition.And(var parts) ->
                new Predicate.All(parts.stream().map(this::resolve).toList());
            case Condition.Or(var parts) ->
                new Predicate.Any(parts.stream().map(this::resolve).toList());
            case Condition.Not(var part) -> new Predicate.Not(resolve(part));
            case Condition.Test test -> test(test);
            case Condition.OfRecord test -> ofRecord(test);
        };
    }

    private Predicate ofRecord(Condition.OfRecord test) {
        var named = test.reference();
        var predicate = RecordFieldReader.predicate(test);
        if (named == null) {
            return predicate;
        }
        var reference = view.require("where", named);
        var target = targets.apply(reference);
        return new Predicate.Through(reference, target.schema(), predicate.and(target.rows()));
    }

    /** Whether what was resolved means something else for another caller. */
    boolean namesCaller() {
        return namesCaller;
    }

    private Predicate test(Condition.Test given) {
        var path = AttributePath.of(view, targets, "where", given.attribute());
        var test = path.attribute().isPerson() ? named(given) : given;
        var reference = path.reference();
        if (reference == null) {
            return negated(path.attribute(), test, leaf -> leaf);
        }
        var target = targets.apply(reference);
        return negated(
                path.attribute(),
                test,
                leaf -> new Predicate.Through(reference, target.schema(), leaf.and(target.rows())));
    }

    private Condition.Test named(Condition.Test test) {
        var values = new ArrayList<JsonNode>();
        for (var value : test.values()) {
            var text = value.asString("");
            boolean isCaller = text.equals(ME);
            namesCaller |= isCaller;
            values.add(
                    isCaller
                            ? JsonNodeFactory.instance.stringNode(caller.hex())
                            : Ids.isId(text) ? JsonNodeFactory.instance.stringNode(Ids.hex(Ids.parse(text))) : value);
        }
        return new Condition.Test(test.attribute(), test.operator(), values, test.asText());
    }

    /** A comparison of an attribute of the records themselves. */
    static Predicate predicate(SchemaAttribute attribute, Condition.Test test) {
        return negated(attribute, test, leaf -> leaf);
    }

    /** A negated operator becomes the negation of its counterpart, outside of the reference that it follows. */
    private static Predicate negated(
            SchemaAttribute attribute, Condition.Test test, Function<Predicate, Predicate> through) {
        var operator = test.operator();
        if (!operator.suits(attribute.type())) {
            throw RecordsProblem.invalid(
                    attribute.name(),
                    Text.of(
                            "records.query.unsuitable",
                            "type",
                            attribute.type().title(),
                            "operator",
                            operator.label()));
        }
        if (operator == Operator.WITHIN) {
            return through.apply(within(attribute, test.values().getFirst()));
        }
        var values = values(attribute, test);
        if (attribute.isList()) {
            return chosen(attribute, operator, values, through);
        }
        return switch (operator) {
            case NE -> new Predicate.Not(through.apply(new Predicate.Leaf(attribute, Operator.EQ, values)));
            case NOT_IN -> new Predicate.Not(through.apply(new Predicate.Leaf(attribute, Operator.IN, values)));
            case MISSING -> new Predicate.Not(through.apply(Predicate.has(attribute)));
            case NOT_CONTAINS ->
                new Predicate.Not(through.apply(new Predicate.Leaf(attribute, Operator.CONTAINS, values)));
            default -> through.apply(new Predicate.Leaf(attribute, operator, values));
        };
    }

    private static Predicate within(SchemaAttribute attribute, JsonNode settled) {
        try {
            var days = RelativeDays.of(settled);
            if (attribute.type() == ValueType.DATE) {
                return new Predicate.Leaf(
                        attribute,
                        Operator.BETWEEN,
                        List.of(bound(attribute, days.first()), bound(attribute, days.last())));
            }
            return new Predicate.All(List.of(
                    new Predicate.Leaf(attribute, Operator.GTE, List.of(bound(attribute, days.first(), days.zone()))),
                    new Predicate.Leaf(
                            attribute,
                            Operator.LT,
                            List.of(bound(attribute, days.last().plusDays(1), days.zone())))));
        } catch (InvalidValueException e) {
            throw RecordsProblem.invalid(attribute.name(), e.reason());
        }
    }

    private static JsonNode bound(SchemaAttribute attribute, LocalDate day) throws InvalidValueException {
        return attribute.comparable(attribute.type().stored(JsonNodeFactory.instance.stringNode(day.toString())));
    }

    private static JsonNode bound(SchemaAttribute attribute, LocalDate day, ZoneId zone) throws InvalidValueException {
        var moment = day.atStartOfDay(zone).toInstant().toString();
        return attribute.comparable(attribute.type().stored(JsonNodeFactory.instance.stringNode(moment)));
    }

    /** A comparison of a list says which options it has, each by itself. */
    private static Predicate chosen(
            SchemaAttribute attribute,
            Operator operator,
            List<JsonNode> values,
            Function<Predicate, Predicate> through) {
        var each = values.stream()
                .distinct()
                .map(value -> (Predicate) new Predicate.Leaf(attribute, Operator.EQ, List.of(value)))
                .toList();
        return switch (operator) {
            case EXISTS -> through.apply(Predicate.has(attribute));
            case MISSING -> new Predicate.Not(through.apply(Predicate.has(attribute)));
            case EQ, HAS_ALL -> through.apply(each.size() == 1 ? each.getFirst() : new Predicate.All(each));
            case IN -> through.apply(any(each));
            default -> new Predicate.Not(through.apply(any(each)));
        };
    }

    private static Predicate any(List<Predicate> each) {
        return each.size() == 1 ? each.getFirst() : new Predicate.Any(each);
    }

    private static List<JsonNode> values(SchemaAttribute attribute, Condition.Test test) {
        var values = new ArrayList<JsonNode>();
        try {
            for (var value : test.values()) {
                if (value.isNull()) {
                    throw new InvalidValueException(Text.of("records.query.null"));
                }
                var type = attribute.type().element();
                var typed = test.asText() ? read(type, value.stringValue()) : value;
                values.add(attribute.comparable(type.stored(type == ValueType.DATE ? day(typed) : typed)));
            }
        } catch (InvalidValueException e) {
            throw RecordsProblem.invalid(attribute.name(), e.reason());
        }
        return values;
    }

    /** A midnight with its offset means the day that it begins: saved queries and links say so of attributes that became days. */
    private static JsonNode day(JsonNode given) {
        var midnight = MIDNIGHT.matcher(given.asString(""));
        return midnight.matches() ? JsonNodeFactory.instance.stringNode(midnight.group(1)) : given;
    }

    /** Converts a text of a query string to {@code type}. */
    private static JsonNode read(ValueType type, String text) throws InvalidValueException {
        return switch (type) {
            case TEXT, MULTI_SELECT -> JsonNodeFactory.instance.stringNode(text);
            case DATE -> JsonNodeFactory.instance.stringNode(text);
            case DATETIME ->
                JsonNodeFactory.instance.stringNode(
                        Timestamps.instant(Timestamps.micros(text)).toString());
            case NUMERIC -> number(text);
            case BOOL ->
                switch (text) {
                    case "true" -> JsonNodeFactory.instance.booleanNode(true);
                    case "false" -> JsonNodeFactory.instance.booleanNode(false);
                    default -> throw new InvalidValueException(Text.of("http.field.boolean"));
                };
            case JSONB -> json(text);
        };
    }

    private static JsonNode number(String text) throws InvalidValueException {
        try {
            if (text.length() > MAX_NUMBER_LENGTH) {
                throw new InvalidValueException(Text.of("records.query.shorter-number"));
            }
            return JsonNodeFactory.instance.numberNode(new BigDecimal(text.strip()));
        } catch (NumberFormatException e) {
            throw new InvalidValueException(Text.of("records.field.number"));
        }
    }

    private static JsonNode json(String text) throws InvalidValueException {
        try {
            return Documents.exact().readTree(text);
        } catch (JacksonException e) {
            throw new InvalidValueException(Text.of("records.field.json"));
        }
    }
}
