package io.hiroba.records.pages;

import io.hiroba.records.RecordsProblem;
import io.hiroba.records.data.Documents;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.BadValue;
import io.hiroba.records.schema.ValueType;
import java.util.Arrays;
import tools.jackson.databind.node.ObjectNode;

/**
 * One line of a filter.
 *
 * @param value as an address carries it: moments with their offset, so that a shared address means the same to everybody
 */
public record Clause(String attribute, Comparison comparison, String value) {

    /** As it is written in addresses, whatever zone it was typed in. */
    static Clause typed(Attribute attribute, Comparison comparison, String value, LocalMoments moments) {
        if (!comparison.takesValue()) {
            return new Clause(attribute.name(), comparison, "");
        }
        return new Clause(
                attribute.name(), comparison, attribute.type() == ValueType.DATE ? moments.absolute(value) : value);
    }

    /** As queries are asked. */
    ObjectNode json(Attribute meant, LocalMoments moments) {
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
                    several.add(Typed.json(meant, one, moments));
                }
            } else {
                var one = Typed.json(meant, value, moments);
                if (one.isNull()) {
                    throw new BadValue("needs a value to compare with");
                }
                json.set("value", one);
            }
            return json;
        } catch (BadValue e) {
            throw RecordsProblem.invalid(attribute, e.reason());
        }
    }
}
