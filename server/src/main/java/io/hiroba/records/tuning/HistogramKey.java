package io.hiroba.records.tuning;

import io.hiroba.records.ValueType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A value in index order: numbers, timestamps and booleans as numbers, texts by their bytes. Only a prefix of a long
 * text is compared.
 */
final class HistogramKey implements Comparable<HistogramKey> {

    /** The length of the prefix of a text that is compared. */
    static final int TEXT = 64;

    private static final int DIGITS = 8;

    private final @Nullable BigDecimal number;
    private final byte[] text;

    private HistogramKey(@Nullable BigDecimal number, byte[] text) {
        this.number = number;
        this.text = text;
    }

    /** The key of a value in a document; null for types without an order. */
    static @Nullable HistogramKey of(ValueType type, JsonNode stored) {
        return switch (type) {
            case TEXT, MULTI_SELECT -> stored.isString() ? text(stored.stringValue()) : null;
            case NUMERIC, DATE, DATETIME -> stored.isNumber() ? number(stored.decimalValue()) : null;
            case BOOL -> stored.isBoolean() ? number(stored.booleanValue() ? BigDecimal.ONE : BigDecimal.ZERO) : null;
            case JSONB -> null;
        };
    }

    /** The key of a value in the text form of {@code doc ->> place}. */
    static @Nullable HistogramKey written(ValueType type, String value) {
        return switch (type) {
            case TEXT, MULTI_SELECT -> text(value);
            case NUMERIC, DATE, DATETIME -> number(new BigDecimal(value));
            case BOOL -> number(value.equals("true") ? BigDecimal.ONE : BigDecimal.ZERO);
            case JSONB -> null;
        };
    }

    private static HistogramKey text(String value) {
        boolean isShort = value.length() <= TEXT || value.codePointCount(0, value.length()) <= TEXT;
        var beginning = isShort ? value : value.substring(0, value.offsetByCodePoints(0, TEXT));
        return new HistogramKey(null, beginning.getBytes(StandardCharsets.UTF_8));
    }

    private static HistogramKey number(BigDecimal value) {
        return new HistogramKey(value.stripTrailingZeros(), new byte[0]);
    }

    /** The upper bound of all texts with this prefix. */
    HistogramKey prefixEnd() {
        var end = Arrays.copyOf(text, text.length + 1);
        end[text.length] = (byte) 0xFF;
        return new HistogramKey(null, end);
    }

    JsonNode stored(ValueType type) {
        var nodes = JsonNodeFactory.instance;
        if (number == null) {
            return nodes.stringNode(new String(text, StandardCharsets.UTF_8));
        }
        if (type == ValueType.BOOL) {
            return nodes.booleanNode(number.signum() != 0);
        }
        // In plain notation: a timestamp is a bigint, which has no exponent.
        return nodes.numberNode(number.scale() < 0 ? number.setScale(0) : number);
    }

    /** The relative position between {@code low} and {@code high}, from 0 to 1. */
    double share(HistogramKey low, HistogramKey high) {
        double from = low.position(low, high);
        double to = high.position(low, high);
        return to <= from ? 0.5 : Math.clamp((position(low, high) - from) / (to - from), 0, 1);
    }

    private double position(HistogramKey low, HistogramKey high) {
        if (number != null) {
            return number.round(MathContext.DECIMAL64).doubleValue();
        }
        int common = Math.max(0, Arrays.mismatch(low.text, high.text));
        double position = 0;
        double weight = 1;
        for (int i = common; i < common + DIGITS; i++) {
            weight /= 256;
            position += i < text.length ? (text[i] & 0xFF) * weight : 0;
        }
        return position;
    }

    @Override
    public int compareTo(HistogramKey other) {
        return number != null && other.number != null
                ? number.compareTo(other.number)
                : Arrays.compareUnsigned(text, other.text);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HistogramKey key && compareTo(key) == 0;
    }

    @Override
    public int hashCode() {
        return number == null ? Arrays.hashCode(text) : number.hashCode();
    }
}
