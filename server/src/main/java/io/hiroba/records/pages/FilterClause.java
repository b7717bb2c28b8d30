package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.Arrays;
import tools.jackson.databind.node.ObjectNode;

/**
 * A clause of a filter.
 *
 * @param value as in a query string: timestamps with an offset, so that a shared URL means the same to everybody
 */
record FilterClause(String attribute, FilterComparison comparison, String value) {

    /** The query parameter, independent of the reader's time zone. */
    static FilterClause typed(SchemaAttribute attribute, FilterComparison comparison, String value, Reader reader) {
        if (!comparison.takesValue()) {
            return new FilterClause(attribute.name(), comparison, "");
        }
        return new FilterClause(
                attribute.name(), comparison, attribute.type() == ValueType.DATETIME ? reader.absolute(value) : value);
    }

    /** The condition of the query. */
    ObjectNode json(SchemaAttribute meant, Reader reader) {
        var json = Documents.exact().createObjectNode();
        json.put("attr", attribute).put("op", comparison.code());
        if (!comparison.takesValue()) {
            return json;
        }
        if (comparison.takesSeveral()) {
            var several = json.putArray("value");
            for (var one : Arrays.stream(value.split(",", -1))
                    .map(String::strip)
                    .filter(each -> !each.isEmpty())
                    .toList()) {
                several.add(FormValues.json(meant, one, reader));
            }
        } else {
            var one = FormValues.json(meant, value, reader);
            if (one.isNull()) {
                throw RecordsProblem.invalid(attribute, Text.of("records.filter-no-value"));
            }
            json.set("value", one);
        }
        return json;
    }
}
