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
 * A value in the order in which the indexes hold it: numbers, moments and truths as numbers, texts by their bytes. Of a
 * long text only the beginning counts.
 */
final class HistogramKey implements Comparable<HistogramKey> {

    /** So many characters of a text tell it from others well enough. */
    static final int TEXT = 64;

    private static final int DIGITS = 8;

    private final @Nullable BigDecimal number;
    private final byte[] text;

    private HistogramKey(@Nullable BigDecimal number, byte[] text) {
        this.number = number;
        this.text = text;
    }

    /** Of a value as documents hold it; null for what has no order. */
    static @Nullable HistogramKey of(ValueType type, JsonNode stored) {
        return switch (type) {
            case TEXT -> stored.isString() ? text(stored.stringValue()) : null;
            case NUMERIC, DATE -> stored.isNumber() ? number(stored.decimalValue()) : null;
            case BOOL -> stored.isBoolean() ? number(stored.booleanValue() ? BigDecimal.ONE : BigDecimal.ZERO) : null;
            case JSONB -> null;
        };
    }

    /** Of a value as {@code doc ->> place} writes it. */
    static @Nullable HistogramKey written(ValueType type, String value) {
        return switch (type) {
            case TEXT -> text(value);
            case NUMERIC, DATE -> number(new BigDecimal(value));
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

    /** What comes right after every text that starts with this one. */
    HistogramKey afterAllWithThisBeginning() {
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
        // Written out: a moment is a bigint, which knows no exponent.
        return nodes.numberNode(number.scale() < 0 ? number.setScale(0) : number);
    }

    /** How far this lies on the way from {@code low} to {@code high}, between 0 and 1. */
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
