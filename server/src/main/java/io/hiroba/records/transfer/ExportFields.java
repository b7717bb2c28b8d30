package io.hiroba.records.transfer;

import io.hiroba.records.Documents;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.ResultRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The columns of an export, in this order.
 *
 * @param names of attributes, including those of referenced records
 */
record ExportFields(List<String> names) {

    static ExportFields of(QueryResult found) {
        return new ExportFields(Stream.concat(
                        found.attributes().stream().map(attribute -> attribute.name()),
                        found.joined().stream().map(QueryResult.Joined::name))
                .toList());
    }

    /** A value in the format of the API with its type. */
    record Value(ValueType type, JsonNode shown) {}

    /** The values of {@code row} by name, without missing ones. */
    static Map<String, Value> values(QueryResult found, ResultRow row) {
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
