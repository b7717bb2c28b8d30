package io.hiroba.saga;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Whether PostgreSQL can keep a JSON value. */
public final class StorableJson {

    private static final int LARGEST_SCALE = 400;
    private static final int DEEPEST = 100;

    private StorableJson() {}

    /** No NUL, no half of a surrogate pair, no number out of all proportion, and not nested without measure. */
    public static boolean isStorable(JsonNode node) {
        return isStorable(node, 0);
    }

    private static boolean isStorable(JsonNode node, int depth) {
        if (node.isString()) {
            return isStorable(node.stringValue());
        } else if (node.isBigDecimal()) {
            return Math.abs((long) node.decimalValue().scale()) <= LARGEST_SCALE;
        } else if (node.isDouble() || node.isFloat()) {
            return Double.isFinite(node.doubleValue());
        }
        return depth <= DEEPEST
                && node.propertyStream().allMatch(field -> isStorable(field.getKey()))
                && node.valueStream().allMatch(child -> isStorable(child, depth + 1));
    }

    public static boolean isStorable(String text) {
        return text.codePoints().noneMatch(point -> point == 0 || (point >= 0xD800 && point <= 0xDFFF));
    }

    /** As PostgreSQL is told of it, to which nothing and JSON's null are the same. */
    public static @Nullable String text(@Nullable JsonNode node) {
        return node == null || node.isNull() || node.isMissingNode() ? null : node.toString();
    }

    static void require(String field, JsonNode node) {
        if (!isStorable(node)) {
            throw SagaProblem.invalid(field, "holds a character or a number that cannot be kept");
        }
    }
}
