package io.hiroba.records.transfer;

import io.hiroba.records.Documents;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.ResultRow;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The columns of an export, in this order.
 *
 * @param names of attributes, including those of referenced records, by what stays when one is renamed meanwhile
 * @param attributes the attributes themselves, in the same way
 */
record ExportFields(Map<String, String> names, Map<String, SchemaAttribute> attributes) {

    private static final Pattern SEPARATOR = Pattern.compile("[,、，]");

    /** The prefix of what ids are called, which imports leave out. */
    private static final String NAMED = "_";

    /** With a column of what ids of people and records are called, if {@code style} asks for it. */
    static ExportFields of(QueryResult found, Exports.Style style) {
        var names = new LinkedHashMap<String, String>();
        var attributes = new HashMap<String, SchemaAttribute>();
        found.attributes().forEach(attribute -> {
            names.put(key(attribute), attribute.name());
            attributes.put(key(attribute), attribute);
            var called = NAMED + attribute.name();
            // The ids of the records themselves may have that name.
            if (style.named() && DisplayNames.has(attribute) && !(style.ids() && called.equals(RecordWriter.ID))) {
                names.put(NAMED + key(attribute), called);
            }
        });
        found.joined().forEach(joined -> {
            names.put(key(joined), joined.name());
            attributes.put(key(joined), joined.attribute());
        });
        return new ExportFields(names, attributes);
    }

    /** The type of the values by a key of {@link #names}. */
    ValueType type(String key) {
        var attribute = attributes.get(key);
        if (attribute == null) {
            return ValueType.TEXT;
        }
        return attribute.isAttachments() ? ValueType.MULTI_SELECT : attribute.type();
    }

    /** The format of the values by a key of {@link #names}. */
    Optional<ValueFormat> format(String key) {
        return Optional.ofNullable(attributes.get(key)).map(SchemaAttribute::format);
    }

    private static String key(SchemaAttribute attribute) {
        return String.valueOf(attribute.id());
    }

    private static String key(QueryResult.Joined joined) {
        return key(joined.reference()) + "." + key(joined.attribute());
    }

    /** A value in the format of the API with its type. */
    record Value(ValueType type, JsonNode shown) {}

    /**
     * The values of {@code row} by the keys of {@link #names}, without missing ones.
     *
     * @param called what ids are called
     */
    static Map<String, Value> values(QueryResult found, ResultRow row, Map<String, String> called) {
        var values = new LinkedHashMap<String, Value>();
        var document = row.document();
        for (var attribute : found.attributes()) {
            var value = Documents.value(document, attribute);
            if (!value.isNull()) {
                values.put(key(attribute), value(attribute, value));
                if (DisplayNames.has(attribute) && !called.isEmpty()) {
                    values.put(NAMED + key(attribute), named(value, called));
                }
            }
        }
        for (int i = 0; i < found.joined().size(); i++) {
            var joined = found.joined().get(i);
            var target = row.targets().get(i);
            if (target != null) {
                var attribute = joined.attribute();
                var value = Documents.value(Documents.read(target), attribute);
                if (!value.isNull()) {
                    values.put(key(joined), value(attribute, value));
                }
            }
        }
        return values;
    }

    private static Value named(JsonNode ids, Map<String, String> called) {
        var words = DisplayNames.ids(ids).map(id -> called.getOrDefault(id, "")).collect(Collectors.joining(", "));
        return new Value(ValueType.TEXT, JsonNodeFactory.instance.stringNode(words));
    }

    /** A value of a document; of files, their names. */
    private static Value value(SchemaAttribute attribute, JsonNode stored) {
        if (!attribute.isAttachments()) {
            return new Value(attribute.type(), attribute.type().shown(stored));
        }
        var names = JsonNodeFactory.instance.arrayNode();
        stored.forEach(each -> names.add(each.path("name").asString("")));
        return new Value(ValueType.MULTI_SELECT, names);
    }

    /** The options of a list in one cell: with commas, or as JSON if one of them has a comma itself. */
    static String list(JsonNode shown) {
        var texts = shown.valueStream().map(JsonNode::asString).toList();
        return texts.stream().anyMatch(each -> SEPARATOR.matcher(each).find() || each.startsWith("["))
                ? shown.toString()
                : String.join(", ", texts);
    }
}
