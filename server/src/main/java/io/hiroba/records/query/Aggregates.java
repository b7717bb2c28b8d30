package io.hiroba.records.query;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Compiles and runs aggregations of records in groups. */
public final class Aggregates {

    public static final int MAX_GROUPS = 1000;
    private static final int MAX_KEYS = 2;
    private static final int MAX_MEASURES = 10;
    private static final Pattern OFFSET = Pattern.compile("(UTC|GMT|UT|Etc/GMT)[+-]?[0-9].*|SystemV/.*");

    private final QueryPlan plan;
    private final List<Key> keys;
    private final List<Figure> figures;
    private final int limit;
    private final boolean largestFirst;
    private final String zone;

    /**
     * An aggregation that a caller requests.
     *
     * @param groupBy at most two keys; empty for all records together
     * @param timeZone the zone in which moments fall into days, weeks, months and years
     * @param largestFirst whether groups are sorted by the first measure, descending, instead of their keys
     */
    public record Query(
            String schema,
            @Nullable Condition where,
            List<Group> groupBy,
            List<Measure> measures,
            int limit,
            String timeZone,
            boolean largestFirst) {

        Query where(@Nullable Condition condition) {
            return new Query(schema, condition, groupBy, measures, limit, timeZone, largestFirst);
        }
    }

    /** The width of about ten ranges between two numbers: 1, 2 or 5 and zeros. */
    public static BigDecimal binWidth(BigDecimal least, BigDecimal most) {
        var tenth = most.subtract(least).movePointLeft(1);
        if (tenth.signum() <= 0) {
            return BigDecimal.ONE;
        }
        var digit = BigDecimal.ONE.scaleByPowerOfTen(tenth.precision() - tenth.scale() - 1);
        for (var factor : List.of(1, 2, 5)) {
            var width = digit.multiply(BigDecimal.valueOf(factor));
            if (width.compareTo(tenth) >= 0) {
                return width;
            }
        }
        return digit.movePointRight(1);
    }

    /**
     * A grouping key.
     *
     * @param unit the unit that dates are truncated to; null for exact values
     * @param bin the width of the bins that numbers fall into, each named by its lower bound; null for exact values
     */
    public record Group(
            String attribute, @Nullable Unit unit, @Nullable BigDecimal bin) {

        public Group(String attribute, @Nullable Unit unit) {
            this(attribute, unit, null);
        }
    }

    /** The unit that dates are truncated to. */
    public enum Unit {
        DAY,
        WEEK,
        MONTH,
        YEAR
    }

    /**
     * A measure of each group.
     *
     * @param attribute null for the count of records
     */
    public record Measure(Function function, @Nullable String attribute) {

        public String name() {
            var label = function.name().toLowerCase(Locale.ROOT);
            return attribute == null ? label : label + "(" + attribute + ")";
        }
    }

    /** The aggregate function. */
    public enum Function {
        COUNT,
        SUM,
        AVG,
        MIN,
        MAX
    }

    /**
     * The result of an aggregation.
     *
     * @param complete false if there are more groups than the limit
     */
    public record Result(List<SchemaAttribute> keys, List<Measure> measures, List<Row> rows, boolean complete) {}

    /** A group: its keys, null for a missing value, and its measures, null where there are no values. */
    public record Row(List<@Nullable JsonNode> keys, List<@Nullable JsonNode> figures) {}

    private record Key(
            SchemaAttribute attribute,
            @Nullable Unit unit,
            @Nullable BigDecimal bin) {}

    private record Figure(Measure measure, @Nullable SchemaAttribute attribute) {}

    Aggregates(QueryPlan plan, Query query) {
        this.plan = plan;
        this.keys =
                query.groupBy().stream().map(group -> key(plan.view(), group)).toList();
        this.figures = query.measures().stream()
                .map(measure -> figure(plan.view(), measure))
                .toList();
        this.limit = query.limit();
        this.largestFirst = query.largestFirst();
        this.zone = zone(query.timeZone());
        if (keys.size() > MAX_KEYS) {
            throw RecordsProblem.invalid("groupBy", Text.of("records.query.group-count"));
        }
        if (keys.size() == MAX_KEYS
                && keys.getFirst().attribute().equals(keys.getLast().attribute())) {
            throw RecordsProblem.invalid("groupBy", Text.of("records.query.group-twice"));
        }
        if (figures.isEmpty() || figures.size() > MAX_MEASURES) {
            throw RecordsProblem.invalid("measures", Text.of("records.query.measure-count"));
        }
    }

    Result result(QueryStore.Groups found) {
        plan.snapshot().require(found.observed());
        var rows = found.groups().stream().map(this::row).toList();
        boolean complete = rows.size() <= limit;
        return new Result(
                keys.stream().map(Key::attribute).toList(),
                figures.stream().map(Figure::measure).toList(),
                complete ? rows : rows.subList(0, limit),
                complete);
    }

    QueryPlan plan() {
        return plan;
    }

    QueryStore.Statement statement() {
        var sql = new SqlBindings();
        var compiler = new QueryCompiler(plan.tables(), plan.view(), sql);
        var from = isCount()
                ? compiler.counted(plan.planner(), plan.predicate())
                : values(compiler.all(plan.planner().forAll(plan.predicate()), plan.predicate()), sql);
        var columns = Stream.concat(
                        IntStream.rangeClosed(1, keys.size()).mapToObj(i -> "k" + i),
                        figures.stream().map(Aggregates::expression))
                .toList();
        var groups =
                IntStream.rangeClosed(1, keys.size()).mapToObj(String::valueOf).collect(Collectors.joining(", "));
        var named = IntStream.rangeClosed(1, columns.size())
                .mapToObj(i -> columns.get(i - 1) + " AS c" + i)
                .collect(Collectors.joining(", "));
        var order = largestFirst ? "%d DESC NULLS LAST".formatted(keys.size() + 1) : order(sql);
        var select = "SELECT %s\nFROM %s%s%s\nLIMIT %d"
                .formatted(
                        named,
                        from,
                        groups.isEmpty() ? "" : "\nGROUP BY " + groups,
                        order.isEmpty() ? "" : "\nORDER BY " + order,
                        limit + 1);
        var text = """
                SELECT g.role, g.version, g.data, a.found
                FROM (SELECT %s AS role, %s AS version, %s AS data) AS g
                LEFT JOIN LATERAL (
                    SELECT jsonb_build_array(%s) AS found
                    FROM (
                %s) AS c) AS a ON true""".formatted(
                        plan.snapshot().role(sql),
                        plan.snapshot().versions(),
                        AccessSnapshot.DATA,
                        IntStream.rangeClosed(1, columns.size())
                                .mapToObj(i -> "c.c" + i)
                                .collect(Collectors.joining(", ")),
                        select.indent(8).stripTrailing());
        return new QueryStore.Statement(text, sql);
    }

    /** By the keys: a select in the order of its options, and last what is none of them. */
    private String order(SqlBindings sql) {
        var order = new ArrayList<String>();
        for (int i = 1; i <= keys.size(); i++) {
            var attribute = keys.get(i - 1).attribute();
            if (attribute.type() == ValueType.TEXT && !attribute.options().isEmpty()) {
                var options =
                        attribute.options().stream().map(JsonNode::asString).toList();
                order.add("array_position(%s, k%d)".formatted(sql.bindArray("text", options), i));
            }
            order.add(String.valueOf(i));
        }
        return String.join(", ", order);
    }

    /** Whether only the number of records is asked for. */
    private boolean isCount() {
        return keys.isEmpty() && figures.stream().allMatch(figure -> figure.attribute() == null);
    }

    /**
     * The keys and values of all matching records, each read once. {@code OFFSET 0} keeps PostgreSQL from taking every document
     * for a group of its own: it would sort them all instead of hashing a few groups.
     */
    private String values(String from, SqlBindings sql) {
        var columns = new LinkedHashSet<String>();
        for (int i = 0; i < keys.size(); i++) {
            columns.add(expression(keys.get(i), sql) + " AS k" + (i + 1));
        }
        for (var figure : figures) {
            var attribute = figure.attribute();
            if (attribute != null) {
                columns.add(counted(attribute) + " AS v" + attribute.place());
            }
        }
        return "(\n    SELECT %s\n    FROM %s\n    OFFSET 0) AS r"
                .formatted(String.join(", ", columns), from.replace("\n", "\n    "));
    }

    /** A value of which figures are made; null if it is missing, which JSON has a null of its own for. */
    private static String counted(SchemaAttribute attribute) {
        return attribute.type().isOrdered() ? PredicateSql.value(attribute, "r") : PredicateSql.text(attribute, "r");
    }

    private String expression(Key key, SqlBindings sql) {
        var unit = key.unit();
        var bin = key.bin();
        if (bin != null) {
            var width = sql.bind(bin);
            return "floor(%s / %s) * %s".formatted(PredicateSql.value(key.attribute(), "r"), width, width);
        }
        if (unit == null) {
            return PredicateSql.value(key.attribute(), "r");
        }
        return "CAST(extract(epoch FROM date_trunc('%s', records.moment(%s), %s)) * 1000000 AS bigint)"
                .formatted(
                        unit.name().toLowerCase(Locale.ROOT),
                        PredicateSql.value(key.attribute(), "r"),
                        // A day is the same in every zone, and stored as its midnight in UTC.
                        sql.bind(key.attribute().type() == ValueType.DATE ? "UTC" : zone));
    }

    private static String expression(Figure figure) {
        var attribute = figure.attribute();
        return attribute == null
                ? "count(*)"
                : "%s(v%d)".formatted(figure.measure().function().name().toLowerCase(Locale.ROOT), attribute.place());
    }

    private Row row(String json) {
        var found = Documents.read(json);
        var shownKeys = new ArrayList<@Nullable JsonNode>();
        for (var key : keys) {
            var value = found.get(shownKeys.size());
            shownKeys.add(value.isNull() ? null : key.attribute().type().shown(value));
        }
        var shownFigures = new ArrayList<@Nullable JsonNode>();
        for (var figure : figures) {
            shownFigures.add(shown(figure, found.get(keys.size() + shownFigures.size())));
        }
        return new Row(shownKeys, shownFigures);
    }

    private static @Nullable JsonNode shown(Figure figure, JsonNode value) {
        var attribute = figure.attribute();
        if (value.isNull()) {
            return null;
        }
        return attribute == null || figure.measure().function() == Function.COUNT
                ? value
                : attribute.type().shown(value);
    }

    private static Key key(ReadableSchema view, Group group) {
        var attribute = view.require("groupBy", group.attribute());
        if (!attribute.type().isOrdered()) {
            throw RecordsProblem.invalid("groupBy", Text.of("records.query.group-json", "attribute", attribute.name()));
        }
        if (group.unit() != null && !attribute.type().isTime()) {
            throw RecordsProblem.invalid("groupBy", Text.of("records.query.group-unit", "attribute", attribute.name()));
        }
        if (group.bin() != null && attribute.type() != ValueType.NUMERIC) {
            throw new IllegalArgumentException("no number: " + attribute.name());
        }
        return new Key(attribute, group.unit(), group.bin());
    }

    private static Figure figure(ReadableSchema view, Measure measure) {
        var name = measure.attribute();
        if (name == null) {
            if (measure.function() != Function.COUNT) {
                throw RecordsProblem.invalid(
                        "measures", Text.of("records.query.measure-attribute", "measure", measure.name()));
            }
            return new Figure(measure, null);
        }
        var attribute = view.require("measures", name);
        boolean suits = switch (measure.function()) {
            case COUNT -> true;
            case SUM, AVG -> attribute.type() == ValueType.NUMERIC;
            case MIN, MAX ->
                attribute.type() != ValueType.BOOL && attribute.type().isOrdered();
        };
        if (!suits) {
            throw RecordsProblem.invalid(
                    "measures",
                    Text.of(
                            "records.query.measure-type",
                            "measure",
                            measure.name(),
                            "type",
                            attribute.type().title()));
        }
        return new Figure(measure, attribute);
    }

    /** PostgreSQL inverts the sign of offsets, so only names of regions are accepted. */
    static String zone(String name) {
        if (!name.equals("UTC") && !ZoneId.getAvailableZoneIds().contains(name)) {
            throw RecordsProblem.invalid("timeZone", Text.of("records.query.zone"));
        }
        if (OFFSET.matcher(name).matches()) {
            throw RecordsProblem.invalid("timeZone", Text.of("records.query.zone-region"));
        }
        return name;
    }
}
