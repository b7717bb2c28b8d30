package io.hiroba.records.pages;

import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.Aggregates;
import io.hiroba.records.query.ConditionParser;
import io.hiroba.records.query.Queries;
import io.hiroba.records.views.ViewDefinition;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The groups of a view with their figures.
 *
 * @param label the attribute that groups
 * @param heads the names of the figures
 * @param isCut whether there are more groups
 */
public record GroupSums(String label, List<String> heads, List<Row> rows, boolean isCut) {

    private static final int MAX_GROUPS = 100;

    public GroupSums {
        heads = List.copyOf(heads);
        rows = List.copyOf(rows);
    }

    /**
     * A group.
     *
     * @param key its value as JSON; null for a missing one
     * @param href the path of its records; null where a link cannot say it
     */
    public record Row(
            @Nullable JsonNode key,
            Cell cell,
            long count,
            List<String> figures,
            @Nullable String href) {

        public Row {
            figures = List.copyOf(figures);
        }
    }

    /** One aggregation of all records of the view by {@code by}. */
    static GroupSums of(
            ViewScope scope, Queries queries, RecordTitles titles, SchemaAttribute by, @Nullable String unit) {
        var sums = sums(scope);
        var measures = new ArrayList<Aggregates.Measure>();
        measures.add(new Aggregates.Measure(Aggregates.Function.COUNT, null));
        var heads = new ArrayList<String>();
        for (var sum : sums) {
            var attribute = scope.view().attribute(sum.attribute()).orElseThrow();
            measures.add(new Aggregates.Measure(function(sum), attribute.name()));
            heads.add(scope.reader().text("records.view-sum." + sum.function(), "attribute", attribute.label()));
        }
        var zone = scope.reader().zone();
        var result = queries.aggregate(
                scope.access().caller(),
                scope.access().project().id(),
                new Aggregates.Query(
                        scope.recordAccess().schema().name(),
                        ConditionParser.condition(scope.view().filter()),
                        List.of(new Aggregates.Group(by.name(), unit == null ? null : unit(unit))),
                        measures,
                        MAX_GROUPS,
                        zone instanceof ZoneOffset ? "UTC" : zone.getId(),
                        false));
        var rows = new ArrayList<Row>();
        for (var found : result.rows()) {
            var key = found.keys().getFirst();
            var figures = new ArrayList<String>();
            for (int i = 1; i < found.figures().size(); i++) {
                var of = scope.view().attribute(sums.get(i - 1).attribute()).orElseThrow();
                figures.add(figure(scope, of, found.figures().get(i)));
            }
            var count = found.figures().getFirst();
            rows.add(new Row(
                    key,
                    cell(scope, titles, by, unit, key),
                    count == null ? 0 : count.longValue(),
                    figures,
                    unit == null ? href(scope, by, key) : null));
        }
        return new GroupSums(by.label(), heads, rows, !result.complete());
    }

    /** Those whose attributes the reader sees. */
    private static List<ViewDefinition.Sum> sums(ViewScope scope) {
        var sums = scope.view().definition().sums();
        return sums == null
                ? List.of()
                : sums.stream()
                        .filter(each -> scope.view()
                                .attribute(each.attribute())
                                .filter(scope::shows)
                                .isPresent())
                        .toList();
    }

    private static Aggregates.Function function(ViewDefinition.Sum sum) {
        return Aggregates.Function.valueOf(sum.function().toUpperCase(Locale.ROOT));
    }

    private static Aggregates.Unit unit(String unit) {
        return Aggregates.Unit.valueOf(unit.toUpperCase(Locale.ROOT));
    }

    private static String figure(ViewScope scope, SchemaAttribute of, @Nullable JsonNode value) {
        if (value == null) {
            return "–";
        }
        return value.isNumber() && of.format() == null
                ? FormValues.number(value)
                : new CellFormatter(scope.reader()).of(of, value).text();
    }

    private static Cell cell(
            ViewScope scope, RecordTitles titles, SchemaAttribute by, @Nullable String unit, @Nullable JsonNode key) {
        if (key != null && unit != null) {
            var day = by.type() == ValueType.DATE
                    ? FormValues.day(key.asString())
                    : FormValues.moment(key)
                            .map(moment -> moment.atZone(scope.reader().zone()).toLocalDate());
            var words = day.map(each -> switch (unit) {
                        case "year" -> String.valueOf(each.getYear());
                        case "month" -> each.toString().substring(0, 7);
                        default -> scope.reader().date(each);
                    })
                    .orElseGet(key::asString);
            return new Cell(by.name(), by.label(), "date", words, null, null);
        }
        return by.references() == null
                ? new CellFormatter(scope.reader(), titles::person).of(by, key)
                : titles.cell(scope.access(), by, key);
    }

    /** The grid of the view with the records of a group. */
    static @Nullable String href(ViewScope scope, SchemaAttribute by, @Nullable JsonNode key) {
        if (!by.type().isOrdered()) {
            return null;
        }
        var value = Optional.ofNullable(key).map(JsonNode::asString).orElse("");
        return scope.schemaPath() + "?view=" + scope.view().view().id().hex() + "&a=" + RecordPaths.encoded(by.name())
                + "&o=" + (key == null ? "missing" : "eq") + "&v=" + RecordPaths.encoded(value);
    }
}
