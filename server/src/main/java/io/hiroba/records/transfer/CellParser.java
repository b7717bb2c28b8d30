package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.DateOrder;
import io.hiroba.records.DecimalMark;
import io.hiroba.records.Documents;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.ValueType;
import io.hiroba.records.WrittenValues;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Parses cells of files into values in the format of the API. */
final class CellParser {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final DateParser dates;
    private final @Nullable DurationReading durations;
    private final DecimalMark decimal;

    /**
     * @param order that of days such as {@code 8/7/2026}; null if they are refused
     * @param durations the reading of durations such as {@code 1:30}; null for that of cells of pages, minutes
     * @param decimal the mark before the decimals of numbers
     */
    CellParser(ZoneId zone, @Nullable DateOrder order, @Nullable DurationReading durations, DecimalMark decimal) {
        this.dates = new DateParser(zone, order);
        this.durations = durations;
        this.decimal = decimal;
    }

    static boolean isBoolean(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "false", "yes", "no", "checked", "unchecked" -> true;
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
            case NUMERIC -> number(WrittenValues.number(plain(cell)));
            case DATE, DATETIME -> JSON.stringNode(time(type, cell));
            case BOOL -> booleanValue(cell.strip());
            case JSONB -> json(cell);
            case MULTI_SELECT -> list(cell.strip());
        };
    }

    /** Parses a non-empty cell as a value of {@code attribute}, whose format people may have written. */
    JsonNode value(SchemaAttribute attribute, String cell) throws InvalidValueException {
        var format = attribute.format();
        if (format == null || attribute.type() != ValueType.NUMERIC) {
            return value(attribute.type(), cell);
        }
        var plain = plain(cell);
        var read = durations == null || format.kind() != ValueFormat.Kind.DURATION ? plain : durations.plain(plain);
        return number(WrittenValues.number(format.plain(read)));
    }

    private String plain(String cell) throws InvalidValueException {
        return decimal.plain(cell)
                .orElseThrow(() -> new InvalidValueException(Text.of("records.transfer.decimal-comma")));
    }

    /** A value of a JSON line: it has its type already, but a moment may lack its offset. */
    JsonNode value(ValueType type, JsonNode given) throws InvalidValueException {
        return type.isTime() && given.isString() ? JSON.stringNode(time(type, given.stringValue())) : given;
    }

    private String time(ValueType type, String text) throws InvalidValueException {
        return type == ValueType.DATE ? dates.day(text) : dates.moment(text);
    }

    private static JsonNode number(String text) throws InvalidValueException {
        if (!WrittenValues.isNumber(text)) {
            throw new InvalidValueException(Text.of("records.field.number"));
        }
        return JSON.numberNode(new BigDecimal(text));
    }

    private static JsonNode booleanValue(String text) throws InvalidValueException {
        return JSON.booleanNode(
                WrittenValues.truth(text).orElseThrow(() -> new InvalidValueException(Text.of("http.field.boolean"))));
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
