package io.hiroba.platform.expression;

import dev.cel.common.values.NullValue;
import io.hiroba.platform.i18n.Text;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Converts JSON to values of CEL and back. Whole numbers are ints; all others, also very large ones, are doubles. */
final class CelValues {

    private static final JsonNodeFactory NODES = JsonMapper.shared().getNodeFactory();
    private static final int MAX_DEPTH = 100;
    private static final long MAX_SIZE = 1 << 20;

    private long left = MAX_SIZE;

    private CelValues() {}

    /** Thrown where a value has no form in JSON. */
    static final class NoJson extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Text reason;

        NoJson(Text reason) {
            super(reason.key(), null, false, false);
            this.reason = reason;
        }

        Text reason() {
            return reason;
        }
    }

    static Object of(JsonNode node, Expression.Kind kind) {
        return switch (kind) {
            case NUMBER, ANY_NUMBER -> node.isNumber() ? (Object) node.doubleValue() : of(node);
            case MOMENT, ANY_MOMENT -> node.isString() ? Instant.parse(node.stringValue()) : of(node);
            case TEXT, BOOLEAN, JSON, ANY -> of(node);
        };
    }

    static Object of(JsonNode node) {
        if (node.isString()) {
            return node.stringValue();
        } else if (node.isBoolean()) {
            return node.booleanValue();
        } else if (node.isNumber()) {
            return node.canConvertToLong() && node.isIntegralNumber() ? (Object) node.longValue() : node.doubleValue();
        } else if (node.isArray()) {
            var list = new ArrayList<Object>(node.size());
            node.forEach(each -> list.add(of(each)));
            return list;
        } else if (node.isObject()) {
            var map = new LinkedHashMap<String, Object>();
            node.properties().forEach(field -> map.put(field.getKey(), of(field.getValue())));
            return map;
        }
        return NullValue.NULL_VALUE;
    }

    static JsonNode json(Object value) throws NoJson {
        return new CelValues().json(value, 0);
    }

    private JsonNode json(Object value, int depth) throws NoJson {
        left -= value instanceof String text ? text.length() : 4;
        if (left < 0 || depth > MAX_DEPTH) {
            throw new NoJson(Text.of("expression.too-large"));
        }
        return switch (value) {
            case NullValue _ -> NODES.nullNode();
            case String text -> NODES.stringNode(storable(text));
            case Boolean truth -> NODES.booleanNode(truth);
            case Long number -> number(number);
            case Double number when Double.isFinite(number) -> NODES.numberNode(number);
            case Double _ -> throw new NoJson(Text.of("expression.not-finite"));
            case Number unsigned -> unsigned(new BigInteger(unsigned.toString()));
            case Instant moment -> NODES.stringNode(moment.toString());
            case Duration duration -> NODES.stringNode(seconds(duration));
            case List<?> list -> {
                var array = NODES.arrayNode();
                for (var each : list) {
                    array.add(json(each, depth + 1));
                }
                yield array;
            }
            case Map<?, ?> map -> {
                var object = NODES.objectNode();
                for (var entry : map.entrySet()) {
                    if (!(entry.getKey() instanceof String key)) {
                        throw new NoJson(Text.of("expression.key"));
                    }
                    left -= key.length();
                    object.set(storable(key), json(entry.getValue(), depth + 1));
                }
                yield object;
            }
            default -> throw new NoJson(Text.of("expression.no-json"));
        };
    }

    /** PostgreSQL stores neither NUL nor half of a surrogate pair. */
    private static String storable(String text) throws NoJson {
        if (text.codePoints().anyMatch(point -> point == 0 || (point >= 0xD800 && point <= 0xDFFF))) {
            throw new NoJson(Text.of("expression.text"));
        }
        return text;
    }

    /** As small as Jackson would read it. */
    private static JsonNode number(long number) {
        return number == (int) number ? NODES.numberNode((int) number) : NODES.numberNode(number);
    }

    private static JsonNode unsigned(BigInteger number) {
        return number.bitLength() < Long.SIZE ? number(number.longValue()) : NODES.numberNode(number);
    }

    /** As CEL writes durations: {@code 1.5s}. */
    private static String seconds(Duration duration) {
        var seconds = BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
        return (seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString()) + "s";
    }
}
