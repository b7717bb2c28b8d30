package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.RelativeDays;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A clause of a filter.
 *
 * @param value as in a query string: timestamps with an offset, so that a shared URL means the same to everybody
 */
record FilterClause(String attribute, FilterComparison comparison, String value) {

    private static final Pattern MIDNIGHT = Pattern.compile("(?<=^.{10})T00:00(:00(\\.0+)?)?(Z|[+-]\\d\\d:\\d\\d)$");

    /** The query parameter, independent of the reader's time zone. */
    static FilterClause typed(SchemaAttribute attribute, FilterComparison comparison, String value, Reader reader) {
        if (!comparison.takesValue()) {
            return new FilterClause(attribute.name(), comparison, "");
        }
        return new FilterClause(
                attribute.name(),
                comparison,
                comparison.isRelative()
                        ? value
                        : switch (attribute.type()) {
                            // Links of before say a day as the midnight that it begins with.
                            case DATE -> MIDNIGHT.matcher(value).replaceFirst("");
                            case DATETIME -> reader.absolute(value);
                            case TEXT, NUMERIC, BOOL, JSONB, MULTI_SELECT -> value;
                        });
    }

    /** The reason why the value is none of the attribute; empty if it is one. */
    Optional<Text> error(SchemaAttribute meant, Reader reader) {
        if (comparison.isRelative()) {
            return RelativeDays.isKnown(comparison.days(value))
                    ? Optional.empty()
                    : Optional.of(Text.of(
                            comparison == FilterComparison.WITHIN ? "records.query.days" : "records.filter-days"));
        }
        try {
            var given = json(meant, reader).path("value");
            for (var one : given.isArray() && comparison.takesSeveral() ? given.values() : List.of(given)) {
                if (!one.isMissingNode()) {
                    meant.type().element().stored(one);
                }
            }
            return Optional.empty();
        } catch (InvalidValueException e) {
            return Optional.of(e.reason());
        } catch (RecordsProblem refusal) {
            return Optional.of(
                    refusal.fields().isEmpty()
                            ? refusal.detail()
                            : refusal.fields().getFirst().message());
        }
    }

    /** The condition of the query. */
    ObjectNode json(SchemaAttribute meant, Reader reader) {
        var json = Documents.exact().createObjectNode();
        json.put("attr", attribute).put("op", comparison.operator());
        if (!comparison.takesValue()) {
            return json;
        }
        if (comparison.isRelative()) {
            return json.put("value", comparison.days(value));
        }
        if (comparison.takesSeveral()) {
            var several = json.putArray("value");
            for (var one : Arrays.stream(value.split(",", -1))
                    .map(String::strip)
                    .filter(each -> !each.isEmpty())
                    .toList()) {
                several.add(
                        meant.isList()
                                ? JsonNodeFactory.instance.stringNode(one)
                                : FormValues.json(meant, one, reader));
            }
        } else {
            var one = meant.isList() && !value.isBlank()
                    ? JsonNodeFactory.instance.stringNode(value)
                    : FormValues.json(meant, value, reader);
            if (one.isNull()) {
                throw RecordsProblem.invalid(attribute, Text.of("records.filter-no-value"));
            }
            json.set("value", one);
        }
        return json;
    }
}
