package io.hiroba.records.transfer;

import io.hiroba.records.data.Documents;
import io.hiroba.records.query.Found;
import io.hiroba.records.query.FoundRow;
import io.hiroba.records.schema.ValueType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What is written of every record, in this order.
 *
 * @param names of attributes, and of those of records that are referred to
 */
record Fields(List<String> names) {

    static Fields of(Found found) {
        return new Fields(Stream.concat(
                        found.attributes().stream().map(attribute -> attribute.name()),
                        found.joined().stream().map(Found.Joined::name))
                .toList());
    }

    /** A value as the outside sees it, and what it is. */
    record Value(ValueType type, JsonNode shown) {}

    /** The values of {@code row}, a row of {@code found}, by their names; what is missing is not there. */
    static Map<String, Value> values(Found found, FoundRow row) {
        var values = new LinkedHashMap<String, Value>();
        var document = row.document();
        for (var attribute : found.attributes()) {
            var value = Documents.value(document, attribute);
            if (!value.isNull()) {
                values.put(
                        attribute.name(),
                        new Value(attribute.type(), attribute.type().shown(value)));
            }
        }
        for (int i = 0; i < found.joined().size(); i++) {
            var joined = found.joined().get(i);
            var target = row.targets().get(i);
            if (target != null) {
                var attribute = joined.attribute();
                var value = Documents.value(Documents.read(target), attribute);
                if (!value.isNull()) {
                    values.put(
                            joined.name(),
                            new Value(attribute.type(), attribute.type().shown(value)));
                }
            }
        }
        return values;
    }
}
