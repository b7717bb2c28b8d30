package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The type of an attribute's values. */
public enum ValueType {
    TEXT(0, "value_text", "text COLLATE \"C\""),
    NUMERIC(1, "value_numeric", "numeric"),
    DATE(2, "value_date", "bigint"),
    BOOL(3, "value_bool", "boolean"),
    JSONB(4, "value_jsonb", "jsonb"),
    /** A moment. It is stored as a {@link #DATE} is, which is the midnight of its day in UTC. */
    DATETIME(2, "value_date", "bigint"),
    /**
     * A list of texts in an order: some of an attribute's options, or ids of people or of records. Each has a row in a table of its own.
     */
    MULTI_SELECT(4, "value_text", "jsonb");

    /** How many storage classes there are: an attribute's id divided by it leaves that of its type. */
    static final int STORAGE_CLASSES = 5;

    /** The length of the indexed prefix of a text; longer values are compared in the document. */
    public static final int INDEXED_TEXT = 500;

    private static final int MAX_TEXT_LENGTH = 1 << 20;
    private static final int MAX_DIGITS = 200;
    private static final int MAX_AFTER_POINT = 100;
    private static final Text TOO_LONG = Text.of("records.field.digits");

    private final int code;
    private final String column;
    private final String sqlType;

    ValueType(int code, String column, String sqlType) {
        this.code = code;
        this.column = column;
        this.sqlType = sqlType;
    }

    /** The type by its name in schemas: {@code text}, {@code numeric}, … */
    public static Optional<ValueType> named(String name) {
        return Stream.of(values()).filter(type -> type.label().equals(name)).findFirst();
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What it is called in messages. */
    public Text title() {
        return Text.of("records.type." + label().replace('_', '-'));
    }

    /** A type whose values are stored as those of the attribute {@code id}. */
    public static ValueType storedBy(short id) {
        return values()[id % STORAGE_CLASSES];
    }

    /** Whether values are microseconds since 1970 in documents. */
    public boolean isTime() {
        return this == DATE || this == DATETIME;
    }

    /** The remainder of an attribute's id that encodes how its values are stored. */
    int code() {
        return code;
    }

    /** The type of what is compared: of a list, its elements. */
    public ValueType element() {
        return this == MULTI_SELECT ? TEXT : this;
    }

    /** Whether values are sorted, grouped and indexed in an order. */
    public boolean isOrdered() {
        return this != JSONB && this != MULTI_SELECT;
    }

    /** Whether no two records may have to have the same value. */
    boolean mayBeUnique() {
        return isOrdered() && this != BOOL;
    }

    /** The column of the values table. */
    public String column() {
        return column;
    }

    /** The SQL type in which values of documents are compared. */
    public String sqlType() {
        return sqlType;
    }

    /**
     * Converts a value of the API to the one in documents: a text, an exact number, microseconds, a boolean or any
     * JSON.
     *
     * @param given not null
     */
    public JsonNode stored(JsonNode given) throws InvalidValueException {
        return switch (this) {
            case TEXT -> text(given);
            case NUMERIC -> number(given);
            case DATE -> JsonNodeFactory.instance.numberNode(Timestamps.dayMicros(given));
            case DATETIME -> JsonNodeFactory.instance.numberNode(Timestamps.micros(given));
            case BOOL -> booleanValue(given);
            case JSONB -> json(given);
            case MULTI_SELECT -> texts(given);
        };
    }

    /** Converts a value of a document to the one of the API. */
    public JsonNode shown(JsonNode stored) {
        return isTime() && stored.isNumber()
                ? JsonNodeFactory.instance.stringNode(written(stored.longValue()))
                : stored;
    }

    /** A day or a moment of a document as in the API. */
    public String written(long micros) {
        return this == DATE
                ? Timestamps.day(micros).toString()
                : Timestamps.instant(micros).toString();
    }

    private static JsonNode text(JsonNode given) throws InvalidValueException {
        if (!given.isString()) {
            throw new InvalidValueException(Text.of("records.field.text"));
        }
        if (given.stringValue().length() > MAX_TEXT_LENGTH) {
            throw new InvalidValueException(Text.of("records.field.text-length"));
        }
        requireStorable(given.stringValue());
        return given;
    }

    private static void requireStorable(String text) throws InvalidValueException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (c == 0 || Character.isSurrogate(c)) {
                throw new InvalidValueException(Text.of("records.field.text-storable"));
            }
        }
    }

    private static JsonNode texts(JsonNode given) throws InvalidValueException {
        if (!given.isArray() || given.size() > SelectOption.MAX_OPTIONS) {
            throw new InvalidValueException(Text.of("records.field.list"));
        }
        var list = JsonNodeFactory.instance.arrayNode();
        var seen = new HashSet<String>();
        for (var each : given) {
            list.add(text(each));
            if (!seen.add(each.stringValue())) {
                throw new InvalidValueException(Text.of("records.field.list-twice", "value", each.stringValue()));
            }
        }
        return list;
    }

    /** Limits numbers inside JSON: four characters such as 1e99 could expand to a page of digits. */
    private static JsonNode json(JsonNode given) throws InvalidValueException {
        if (given.isNumber()) {
            return number(given);
        }
        if (given.isString()) {
            return text(given);
        }
        if (given.isArray()) {
            var list = JsonNodeFactory.instance.arrayNode();
            for (var inner : given) {
                list.add(json(inner));
            }
            return list;
        }
        if (given.isObject()) {
            var object = JsonNodeFactory.instance.objectNode();
            for (var property : given.properties()) {
                requireStorable(property.getKey());
                object.set(property.getKey(), json(property.getValue()));
            }
            return object;
        }
        return given;
    }

    private static JsonNode number(JsonNode given) throws InvalidValueException {
        if (!given.isNumber()) {
            throw new InvalidValueException(Text.of("records.field.number"));
        }
        var number = decimal(given);
        // Checked before the conversion: in full, 1e2000000000 has two billion digits.
        if (number.scale() >= -MAX_DIGITS) {
            var plain = number.scale() < 0 ? number.setScale(0) : number;
            if (plain.precision() <= MAX_DIGITS && plain.scale() <= MAX_AFTER_POINT) {
                return JsonNodeFactory.instance.numberNode(plain);
            }
        }
        throw new InvalidValueException(TOO_LONG);
    }

    private static BigDecimal decimal(JsonNode given) throws InvalidValueException {
        try {
            return given.decimalValue();
        } catch (JacksonException _) {
            throw new InvalidValueException(TOO_LONG);
        }
    }

    private static JsonNode booleanValue(JsonNode given) throws InvalidValueException {
        if (!given.isBoolean()) {
            throw new InvalidValueException(Text.of("http.field.boolean"));
        }
        return given;
    }
}
