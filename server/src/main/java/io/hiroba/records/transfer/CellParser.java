package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.WrittenValues;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Parses cells of files into values in the format of the API. */
final class CellParser {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final DateParser dates;

    CellParser(ZoneId zone) {
        this.dates = new DateParser(zone);
    }

    /** Whether {@code text} looks like a number: with a leading zero or plus it is a code or a telephone number. */
    static boolean isLikelyNumber(String text) {
        var plain = WrittenValues.plain(text);
        return (WrittenValues.isNumber(plain) && !plain.startsWith("+") && !plain.matches("-?0\\d.*"))
                || WrittenValues.isLikelyGrouped(plain);
    }

    static boolean isBoolean(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "false", "yes", "no" -> true;
            default -> false;
        };
    }

    static boolean isJson(String text) {
        if (!text.startsWith("{") && !text.startsWith("[")) {
            return false;
        }
        try {
            Documents.exact().readTree(text);
            return true;
        } catch (JacksonException e) {
            return false;
        }
    }

    /** Parses a non-empty cell as a value of {@code type}. */
    JsonNode value(ValueType type, String cell) throws InvalidValueException {
        if (!Utf8.isStorable(cell)) {
            throw new InvalidValueException(Text.of("records.transfer.unstorable"));
        }
        return switch (type) {
            case TEXT -> JSON.stringNode(cell);
            case NUMERIC -> number(WrittenValues.number(cell));
            case DATE, DATETIME -> JSON.stringNode(time(type, cell));
            case BOOL -> booleanValue(cell.strip());
            case JSONB -> json(cell);
            case MULTI_SELECT -> list(cell.strip());
        };
    }

    /** Parses a non-empty cell as a value of {@code attribute}, whose format people may have written. */
    JsonNode value(SchemaAttribute attribute, String cell) throws InvalidValueException {
        var format = attribute.format();
        return value(
                attribute.type(), format == null || attribute.type() != ValueType.NUMERIC ? cell : format.plain(cell));
    }

    /** A value of a JSON line: it has its type already, but a moment may lack its offset. */
    JsonNode value(ValueType type, JsonNode given) throws InvalidValueException {
        return type.isTime() && given.isString() ? JSON.stringNode(time(type, given.stringValue())) : given;
    }

    private String time(ValueType type, String text) throws InvalidValueException {
        var plain = WrittenValues.time(text);
        return type == ValueType.DATE ? DateParser.day(plain) : dates.moment(plain);
    }

    private static JsonNode number(String text) throws InvalidValueException {
        if (!WrittenValues.isNumber(text)) {
            throw new InvalidValueException(Text.of("records.field.number"));
        }
        return JSON.numberNode(new BigDecimal(text));
    }

    private static JsonNode booleanValue(String text) throws InvalidValueException {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "1", "t", "y" -> JSON.booleanNode(true);
            case "false", "no", "0", "f", "n" -> JSON.booleanNode(false);
            default -> throw new InvalidValueException(Text.of("http.field.boolean"));
        };
    }

    /** Options with a comma between each two, or as JSON. */
    private static JsonNode list(String text) throws InvalidValueException {
        if (text.startsWith("[") && isJson(text)) {
            return json(text);
        }
        var list = JSON.arrayNode();
        for (var each : text.split("[,、，\n]", -1)) {
            if (!each.isBlank()) {
                list.add(each.strip());
            }
        }
        return list;
    }

    private static JsonNode json(String text) throws InvalidValueException {
        try {
            return Documents.exact().readTree(text);
        } catch (JacksonException e) {
            throw new InvalidValueException(Text.of("records.field.json"));
        }
    }
}
