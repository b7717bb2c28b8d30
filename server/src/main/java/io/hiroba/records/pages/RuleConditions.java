package io.hiroba.records.pages;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RowTest;
import io.hiroba.records.SchemaAttribute;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The conditions of a rule as lines of the editor of filters.
 *
 * @param lines one for each of {@code tests}, and for those that make no sense
 */
record RuleConditions(List<RowTest> tests, List<Filter.Line> lines) {

    private static final int MAX_LINES = 50;

    RuleConditions {
        tests = List.copyOf(tests);
        lines = List.copyOf(lines);
    }

    /** The conditions that were typed; a line without a value is ignored. */
    static RuleConditions typed(Context ctx, RecordAccess recordAccess, Reader reader, FilterLines shown) {
        var names = ctx.formParams("a");
        var operators = ctx.formParams("o");
        var values = ctx.formParams("v");
        if (names.size() > MAX_LINES) {
            throw HttpProblem.invalid("a", Text.of("records.filter-too-many", "max", MAX_LINES));
        }
        var tests = new ArrayList<RowTest>();
        var lines = new ArrayList<Filter.Line>();
        for (int i = 0; i < names.size(); i++) {
            var attribute = recordAccess.attribute(names.get(i)).orElse(null);
            var value = i < values.size() ? values.get(i) : "";
            var comparison = Optional.ofNullable(i < operators.size() ? operators.get(i) : null)
                    .flatMap(FilterComparison::coded)
                    .orElse(FilterComparison.EQ);
            if (attribute == null || (comparison.takesValue() && value.isEmpty())) {
                continue;
            }
            var clause = FilterClause.typed(attribute, comparison, value, reader);
            var line = shown.of(attribute, comparison, clause.value(), "");
            var error = clause.error(attribute, reader);
            lines.add(error.map(reader::sentence).map(line::withError).orElse(line));
            if (error.isEmpty()) {
                var test = clause.json(attribute, reader);
                tests.add(new RowTest(attribute.name(), comparison.operator(), values(test.path("value"))));
            }
        }
        return new RuleConditions(tests, lines);
    }

    /** The conditions of rules that are there. */
    static RuleConditions of(List<RowTest> tests, RecordAccess recordAccess, Reader reader, FilterLines shown) {
        var lines = new ArrayList<Filter.Line>();
        for (var test : tests) {
            recordAccess.attribute(test.attribute()).ifPresent(attribute -> {
                var comparison = FilterComparison.coded(test.operator()).orElse(FilterComparison.EQ);
                lines.add(shown.of(attribute, comparison, text(attribute, test, reader), ""));
            });
        }
        return new RuleConditions(tests, lines);
    }

    /** A comparison of JSON as a clause of a filter. */
    static FilterClause clause(SchemaAttribute attribute, FilterComparison comparison, JsonNode value, Reader reader) {
        if (comparison.isRelative()) {
            return new FilterClause(attribute.name(), comparison, comparison.typed(value.asString("")));
        }
        var test = new RowTest(attribute.name(), comparison.code(), values(value));
        return new FilterClause(attribute.name(), comparison, text(attribute, test, reader));
    }

    private static List<JsonNode> values(JsonNode given) {
        return given.isMissingNode() ? List.of() : given.isArray() ? List.copyOf(given.values()) : List.of(given);
    }

    /** The value as in a query string: moments with an offset. */
    private static String text(SchemaAttribute attribute, RowTest test, Reader reader) {
        return test.values().stream()
                .map(value -> value.isString() ? value.stringValue() : FormValues.text(attribute, value, reader))
                .collect(Collectors.joining(", "));
    }
}
