package io.hiroba.records;

import io.hiroba.platform.expression.Expression;
import io.hiroba.platform.expression.Expression.Kind;
import io.hiroba.platform.expression.Expression.Scope;
import io.hiroba.platform.expression.ExpressionException;
import io.hiroba.platform.i18n.Text;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A formula that is compiled for the attributes that it reads. Numbers are doubles, and a result is rounded to 15 digits, as exact as those
 * are; days and moments are moments.
 */
final class Formula {

    private static final MathContext EXACT_DIGITS = new MathContext(15);

    private final Expression expression;
    private final List<SchemaAttribute> inputs;

    private Formula(Expression expression, List<SchemaAttribute> inputs) {
        this.expression = expression;
        this.inputs = inputs;
    }

    /**
     * The value of a record.
     *
     * @param value as in documents; JSON null for none
     * @param reason the reason why there is none; null if there is one
     */
    record Result(JsonNode value, @Nullable Text reason) {

        static Result none(Text reason) {
            return new Result(JsonNodeFactory.instance.nullNode(), reason);
        }
    }

    /** Compiles a stored formula. Where the kinds of attributes do not fit together, they are found out for each record. */
    static Formula compile(String stored, Function<Short, Optional<SchemaAttribute>> attributes)
            throws ExpressionException {
        var inputs = inputs(stored, attributes);
        try {
            return new Formula(Expression.compile(stored, scope(inputs, true)), inputs);
        } catch (ExpressionException strict) {
            try {
                return new Formula(Expression.compile(stored, scope(inputs, false)), inputs);
            } catch (ExpressionException _) {
                throw strict;
            }
        }
    }

    /** The same where all kinds have to fit together, so that the type of values is known. */
    static Formula compileStrictly(String stored, Function<Short, Optional<SchemaAttribute>> attributes)
            throws ExpressionException {
        var inputs = inputs(stored, attributes);
        return new Formula(Expression.compile(stored, scope(inputs, true)), inputs);
    }

    private static List<SchemaAttribute> inputs(String stored, Function<Short, Optional<SchemaAttribute>> attributes) {
        var inputs = new ArrayList<SchemaAttribute>();
        FormulaText.ids(stored).forEach(id -> attributes.apply(id).ifPresent(inputs::add));
        return inputs;
    }

    private static Scope scope(List<SchemaAttribute> inputs, boolean strict) {
        return Scope.calculating(inputs.stream()
                .collect(Collectors.toMap(Formula::variable, each -> kind(each.type(), strict))));
    }

    private static String variable(SchemaAttribute attribute) {
        return "_" + attribute.id();
    }

    private static Kind kind(ValueType type, boolean strict) {
        if (type.isTime()) {
            return strict ? Kind.MOMENT : Kind.ANY_MOMENT;
        }
        if (type == ValueType.NUMERIC) {
            return strict ? Kind.NUMBER : Kind.ANY_NUMBER;
        }
        // A list has no kind of its own: its elements are of any.
        return !strict || !type.isOrdered() ? Kind.ANY : type == ValueType.BOOL ? Kind.BOOLEAN : Kind.TEXT;
    }

    /** The type of its values; empty if it has to be declared. */
    Optional<ValueType> type() {
        return expression.yields().flatMap(kind -> switch (kind) {
            case NUMBER -> Optional.of(ValueType.NUMERIC);
            case TEXT -> Optional.of(ValueType.TEXT);
            case BOOLEAN -> Optional.of(ValueType.BOOL);
            case MOMENT -> Optional.of(yieldsDays() ? ValueType.DATE : ValueType.DATETIME);
            case JSON -> Optional.of(ValueType.JSONB);
            case ANY, ANY_NUMBER, ANY_MOMENT -> Optional.empty();
        });
    }

    /** Days and what is whole days away from them are days. */
    private boolean yieldsDays() {
        return expression.keepsMidnight()
                && inputs.stream()
                        .map(SchemaAttribute::type)
                        .filter(ValueType::isTime)
                        .allMatch(ValueType.DATE::equals);
    }

    /** Whether its values can be stored: durations, for instance, cannot. */
    boolean isStorable() {
        return expression.yields().isPresent();
    }

    /** Whether its values may be of {@code type}. */
    boolean mayBe(ValueType type) {
        var kind = expression.yields();
        return kind.isPresent()
                && (kind.get() == Kind.ANY
                        || type == ValueType.JSONB
                        || (kind.get() == Kind.MOMENT ? type.isTime() : type().equals(Optional.of(type))));
    }

    /** The value of a record, of {@code type}. */
    Result evaluate(ArrayNode document, ValueType type) {
        var values = new HashMap<String, JsonNode>();
        for (var input : inputs) {
            var value = Documents.value(document, input);
            values.put(
                    variable(input),
                    input.type().isTime() && value.isNumber()
                            ? JsonNodeFactory.instance.stringNode(
                                    Timestamps.instant(value.longValue()).toString())
                            : value);
        }
        try {
            var result = expression.evaluate(values);
            return result.isNull()
                    ? Result.none(missing(values).orElseGet(() -> Text.of("records.formula.null")))
                    : new Result(type.stored(given(result, type)), null);
        } catch (InvalidValueException e) {
            return Result.none(Text.of("records.formula.other-type", "type", type.title(), "reason", e.reason()));
        } catch (ExpressionException e) {
            return Result.none(missing(values).orElseGet(() -> failure(e)));
        }
    }

    private static Text failure(ExpressionException e) {
        var problem = e.reason().arguments().get("problem");
        // What the wrapper says itself is a message; what the library says is not.
        return problem instanceof Text told && told.key().startsWith("expression.")
                ? Text.of("records.formula.failed", "problem", told)
                : Text.of("records.formula.failed", "problem", FormulaFaults.ofValues(String.valueOf(problem)));
    }

    private Optional<Text> missing(Map<String, JsonNode> values) {
        var missing = inputs.stream()
                .filter(each -> values.getOrDefault(variable(each), JsonNodeFactory.instance.nullNode())
                        .isNull())
                .map(SchemaAttribute::label)
                .collect(Collectors.joining(", "));
        return missing.isEmpty() ? Optional.empty() : Optional.of(Text.of("records.formula.missing", "names", missing));
    }

    /** The result as the API would be given it. */
    private static JsonNode given(JsonNode result, ValueType type) {
        if (result.isNumber() && !result.isIntegralNumber()) {
            var rounded =
                    BigDecimal.valueOf(result.doubleValue()).round(EXACT_DIGITS).stripTrailingZeros();
            return JsonNodeFactory.instance.numberNode(rounded.scale() < 0 ? rounded.setScale(0) : rounded);
        }
        // The day of a moment in UTC.
        return type == ValueType.DATE
                        && result.isString()
                        && result.stringValue().indexOf('T') == 10
                ? JsonNodeFactory.instance.stringNode(result.stringValue().substring(0, 10))
                : result;
    }
}
