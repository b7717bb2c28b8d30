package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.Documents;
import io.hiroba.records.InvalidValueException;
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
    static FilterClause typed(SchemaAttribute attribute, FilterComparison comparison, String value, Reader clock) {
        if (!comparison.takesValue()) {
            return new FilterClause(attribute.name(), comparison, "");
        }
        return new FilterClause(
                attribute.name(), comparison, attribute.type() == ValueType.DATE ? clock.absolute(value) : value);
    }

    /** The condition of the query. */
    ObjectNode json(SchemaAttribute meant, Reader clock) {
        var json = Documents.exact().createObjectNode();
        json.put("attr", attribute).put("op", comparison.code());
        if (!comparison.takesValue()) {
            return json;
        }
        try {
            if (comparison.takesSeveral()) {
                var several = json.putArray("value");
                for (var one : Arrays.stream(value.split(",", -1))
                        .map(String::strip)
                        .filter(each -> !each.isEmpty())
                        .toList()) {
                    several.add(FormValues.json(meant, one, clock));
                }
            } else {
                var one = FormValues.json(meant, value, clock);
                if (one.isNull()) {
                    throw new InvalidValueException("needs a value to compare with");
                }
                json.set("value", one);
            }
            return json;
        } catch (InvalidValueException e) {
            throw RecordsProblem.invalid(attribute, e.reason());
        }
    }
}
