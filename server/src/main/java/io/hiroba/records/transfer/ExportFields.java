package io.hiroba.records.transfer;

import io.hiroba.records.Documents;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.ResultRow;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The columns of an export, in this order.
 *
 * @param names of attributes, including those of referenced records, by what stays when one is renamed meanwhile
 * @param types of their values, in the same way
 */
record ExportFields(Map<String, String> names, Map<String, ValueType> types) {

    private static final Pattern SEPARATOR = Pattern.compile("[,、，]");

    static ExportFields of(QueryResult found) {
        var names = new LinkedHashMap<String, String>();
        var types = new HashMap<String, ValueType>();
        found.attributes().forEach(attribute -> {
            names.put(key(attribute), attribute.name());
            types.put(key(attribute), type(attribute));
        });
        found.joined().forEach(joined -> {
            names.put(key(joined), joined.name());
            types.put(key(joined), type(joined.attribute()));
        });
        return new ExportFields(names, types);
    }

    private static ValueType type(SchemaAttribute attribute) {
        return attribute.isAttachments() ? ValueType.MULTI_SELECT : attribute.type();
    }

    private static String key(SchemaAttribute attribute) {
        return String.valueOf(attribute.id());
    }

    private static String key(QueryResult.Joined joined) {
        return key(joined.reference()) + "." + key(joined.attribute());
    }

    /** A value in the format of the API with its type. */
    record Value(ValueType type, JsonNode shown) {}

    /** The values of {@code row} by the keys of {@link #names}, without missing ones. */
    static Map<String, Value> values(QueryResult found, ResultRow row) {
        var values = new LinkedHashMap<String, Value>();
        var document = row.document();
        for (var attribute : found.attributes()) {
            var value = Documents.value(document, attribute);
            if (!value.isNull()) {
                values.put(key(attribute), value(attribute, value));
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
