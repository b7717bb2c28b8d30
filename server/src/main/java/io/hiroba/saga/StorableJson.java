package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Checks whether PostgreSQL can store a JSON value. */
public final class StorableJson {

    private static final int MAX_SCALE = 400;
    private static final int MAX_DEPTH = 100;

    private StorableJson() {}

    /** Whether it has no NUL, no unpaired surrogate, no extreme number and no extreme depth. */
    public static boolean isStorable(JsonNode node) {
        return isStorable(node, 0);
    }

    private static boolean isStorable(JsonNode node, int depth) {
        if (node.isString()) {
            return isStorable(node.stringValue());
        } else if (node.isBigDecimal()) {
            return Math.abs((long) node.decimalValue().scale()) <= MAX_SCALE;
        } else if (node.isDouble() || node.isFloat()) {
            return Double.isFinite(node.doubleValue());
        }
        return depth <= MAX_DEPTH
                && node.propertyStream().allMatch(field -> isStorable(field.getKey()))
                && node.valueStream().allMatch(child -> isStorable(child, depth + 1));
    }

    public static boolean isStorable(String text) {
        return text.codePoints().noneMatch(point -> point == 0 || (point >= 0xD800 && point <= 0xDFFF));
    }

    /** The text for PostgreSQL; a missing value and JSON null are both NULL. */
    public static @Nullable String text(@Nullable JsonNode node) {
        return node == null || node.isNull() || node.isMissingNode() ? null : node.toString();
    }

    static void require(String field, JsonNode node) {
        if (!isStorable(node)) {
            throw SagaProblem.invalid(field, Text.of("saga.field.storable-json"));
        }
    }
}
