package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.StorableJson;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks values of the fields of a form or of a payload. */
public final class FieldValues {

    private static final int MAX_TEXT_LENGTH = 10_000;
    private static final int MAX_DIGITS = 40;

    private FieldValues() {}

    /** The value with the type of its field, which a text may spell; null where it is none of the field. */
    public static @Nullable JsonNode typed(Step.Field field, JsonNode value) {
        var nodes = JsonMapper.shared().getNodeFactory();
        var text = value.isString() ? value.stringValue() : "";
        return switch (field.type()) {
            case TEXT ->
                value.isString() && text.length() <= MAX_TEXT_LENGTH && StorableJson.isStorable(text) ? value : null;
            case CHOICE -> field.options().contains(text) ? value : null;
            case BOOLEAN -> {
                if (value.isBoolean()) {
                    yield value;
                }
                yield text.equals("true") || text.equals("false") ? nodes.booleanNode(text.equals("true")) : null;
            }
            case NUMBER -> {
                var number = number(value, text.strip());
                yield number == null ? null : nodes.numberNode(number);
            }
            case DATE -> isDate(text) ? value : null;
        };
    }

    /** Whether the value has the type of its field already. */
    static boolean fits(Step.Field field, JsonNode value) {
        boolean spelt =
                value.isString() && (field.type() == Step.FieldType.BOOLEAN || field.type() == Step.FieldType.NUMBER);
        return !spelt && typed(field, value) != null;
    }

    private static @Nullable BigDecimal number(JsonNode value, String text) {
        try {
            var number = value.isNumber() ? value.decimalValue() : new BigDecimal(text);
            return number.precision() <= MAX_DIGITS && Math.abs(number.scale()) <= MAX_DIGITS ? number : null;
        } catch (ArithmeticException | NumberFormatException e) {
            return null;
        }
    }

    private static boolean isDate(String text) {
        try {
            return LocalDate.parse(text).getYear() > 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** The sentence about a value that is none of the field. */
    public static Text rule(Step.Field field) {
        return switch (field.type()) {
            case TEXT -> Text.of("saga.field.text", "max", MAX_TEXT_LENGTH);
            case NUMBER -> Text.of("saga.field.number");
            case BOOLEAN -> Text.of("http.field.boolean");
            case DATE -> Text.of("saga.field.date");
            case CHOICE -> Text.of("http.field.one-of", "values", String.join(", ", field.options()));
        };
    }
}
