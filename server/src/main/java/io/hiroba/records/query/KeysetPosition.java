package io.hiroba.records.query;

import io.hiroba.platform.http.Cursor;
import io.hiroba.records.Documents;
import io.hiroba.records.ValueType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The position of a record in a sort order.
 *
 * @param values of the sort keys, as in documents; null for a missing one
 */
record KeysetPosition(List<@Nullable JsonNode> values, UUID id) {

    private static final String MISSING = "n";
    private static final String VALUE = "v";

    static KeysetPosition of(SortOrder order, ResultRow row) {
        var values = new ArrayList<@Nullable JsonNode>();
        for (var key : order.keys()) {
            var value = Documents.scalar(row.stored(), key.attribute());
            values.add(value.isNull() ? null : cut(key.attribute().type(), value));
        }
        return new KeysetPosition(values, row.id().value());
    }

    /** The position after the first key, for the order among records with an equal first key. */
    KeysetPosition rest() {
        return new KeysetPosition(values.subList(1, values.size()), id);
    }

    Cursor cursor() {
        var texts = new ArrayList<String>();
        for (var value : values) {
            texts.add(value == null ? MISSING : VALUE + value.asString());
        }
        texts.add(id.toString());
        return new Cursor(texts);
    }

    /** @param cursor a signed cursor of the same order */
    static KeysetPosition of(SortOrder order, Cursor cursor) {
        var values = new ArrayList<@Nullable JsonNode>();
        for (var key : order.keys()) {
            var text = cursor.text(values.size());
            values.add(text.equals(MISSING) ? null : read(key.attribute().type(), text.substring(VALUE.length())));
        }
        return new KeysetPosition(values, UUID.fromString(cursor.text(values.size())));
    }

    private static JsonNode read(ValueType type, String text) {
        var nodes = JsonNodeFactory.instance;
        return switch (type) {
            case TEXT -> nodes.stringNode(text);
            case NUMERIC -> nodes.numberNode(new BigDecimal(text));
            case DATE, DATETIME -> nodes.numberNode(Long.parseLong(text));
            case BOOL -> nodes.booleanNode(Boolean.parseBoolean(text));
            case JSONB, MULTI_SELECT -> throw new IllegalArgumentException("JSON has no order");
        };
    }

    private static JsonNode cut(ValueType type, JsonNode value) {
        return type == ValueType.TEXT
                ? JsonNodeFactory.instance.stringNode(IndexPredicateSql.cut(value.stringValue()))
                : value;
    }
}
