package io.hiroba.records.query;

import io.hiroba.records.ProjectTables;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.tuning.HotIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a planned query to one SQL statement that leaves PostgreSQL no choice of plan: the index scan comes first,
 * each record is looked up by its key ({@code LATERAL … OFFSET 0}), and the remaining conditions are tested there.
 */
final class QueryCompiler {

    private static final String COLUMNS = "r.row_id, r.version, r.created_by, r.updated_by, r.updated_at, r.doc";

    private final ProjectTables tables;
    private final ReadableSchema view;
    private final SqlBindings sql;
    private final PredicateSql tests;
    private final IndexPredicateSql ofValues;
    private final IndexPredicateSql ofDocuments;

    QueryCompiler(ProjectTables tables, ReadableSchema view, SqlBindings sql) {
        this.tables = tables;
        this.view = view;
        this.sql = sql;
        this.tests = new PredicateSql(tables, sql);
        this.ofValues = IndexPredicateSql.ofValues(sql);
        this.ofDocuments = IndexPredicateSql.ofDocuments(sql);
    }

    /** The statement of one page, each row a record of {@code records_@}. */
    String page(IndexScan scan, Predicate predicate, SortOrder order, @Nullable KeysetPosition after, int limit) {
        var from = from(scan, predicate);
        var keys = new ArrayList<String>();
        for (var key : order.keys()) {
            keys.add(
                    keys.isEmpty() && scan.isOrderedByValue()
                            ? ofValues.expression(key.attribute(), "e")
                            : PredicateSql.key(key.attribute(), "r"));
        }
        var id = scan.isOrderedByValue() ? "e.row_id" : "r.row_id";
        var where = after == null ? from.where() : from.where() + " AND " + after(scan, order, keys, id, after);
        return "SELECT " + COLUMNS
                + "\nFROM " + from.tables()
                + "\nWHERE " + where
                + "\nORDER BY " + orderBy(scan, order, keys, id)
                + "\nLIMIT " + limit;
    }

    /** The {@code FROM} clause of all matching records, as {@code r}, in any order. */
    String all(IndexScan scan, Predicate predicate) {
        var from = from(scan, predicate);
        return from.tables() + "\nWHERE " + from.where();
    }

    /** The same for a count, which looks up no record where an index tells all. */
    String counted(QueryPlanner planner, Predicate predicate) {
        return planner.covering(predicate)
                .map(scan ->
                        values(scan.attribute()) + " AS e\nWHERE " + along(scan.attribute(), scan.bounds(), id(), "e"))
                .orElseGet(() -> all(planner.forAll(predicate), predicate));
    }

    /**
     * Counts at most {@code most} candidates of the best scan and those of them that match, as a JSON array. What is looked at is
     * bounded, however few match.
     */
    String look(QueryPlanner planner, Predicate predicate, int most) {
        if (predicate.conjuncts().isEmpty()) {
            return entries(tables.records() + " AS r WHERE r.schema_id = " + id(), most);
        }
        var covering = planner.covering(predicate);
        if (covering.isPresent()) {
            var scan = covering.get();
            return entries(
                    values(scan.attribute()) + " AS e WHERE " + along(scan.attribute(), scan.bounds(), id(), "e"),
                    most);
        }
        var scan = planner.forAll(predicate);
        var candidates = candidates(scan, predicate, most);
        if (scan instanceof IndexScan.ById) {
            return "SELECT jsonb_build_array(count(*), count(*) FILTER (WHERE %s)) FROM (%s) AS r"
                    .formatted(tests.of(predicate, "r"), candidates);
        }
        return """
                SELECT jsonb_build_array(count(*), count(r.row_id)) FROM (%s) AS e
                LEFT JOIN LATERAL (
                    SELECT r.row_id FROM %s AS r WHERE r.schema_id = %d AND r.row_id = e.row_id AND %s
                    OFFSET 0) AS r ON true""".formatted(candidates, tables.records(), id(), tests.of(predicate, "r"));
    }

    /** The same of the records on {@code percent} of the table's pages. */
    String sample(Predicate predicate, double percent) {
        return "SELECT jsonb_build_array(count(*), count(*) FILTER (WHERE %s)) FROM %s AS r TABLESAMPLE SYSTEM (CAST(%s AS real)) REPEATABLE (0) WHERE r.schema_id = %d"
                .formatted(tests.of(predicate, "r"), tables.records(), sql.bind(percent), id());
    }

    private static String entries(String from, int most) {
        return "SELECT jsonb_build_array(count(*), count(*)) FROM (SELECT FROM %s LIMIT %d) AS e".formatted(from, most);
    }

    private String candidates(IndexScan scan, Predicate predicate, int most) {
        return switch (scan) {
            case IndexScan.ById byId -> {
                var mine = predicate.conjuncts().stream()
                        .filter(Predicate.MadeBy.class::isInstance)
                        .map(part -> " AND " + tests.of(part, "r"))
                        .collect(Collectors.joining());
                yield "SELECT %s FROM %s AS r WHERE r.schema_id = %d%s LIMIT %d"
                        .formatted(COLUMNS, tables.records(), id(), mine, most);
            }
            case IndexScan.ByValue along -> ids(along.attribute(), along.bounds(), most);
            case IndexScan.Union(var leaves) ->
                leaves.stream()
                        .map(leaf -> "(" + ids(leaf.attribute(), List.of(leaf), most) + ")")
                        .collect(Collectors.joining(" UNION ", "", " LIMIT " + most));
            case IndexScan.ByReference back -> {
                var from = links(back);
                yield "SELECT l.row_id FROM %s WHERE %s LIMIT %d".formatted(from.tables(), from.where(), most);
            }
            case IndexScan.ByHotIndex hot -> throw new IllegalArgumentException("a hot index is for pages");
        };
    }

    private String ids(SchemaAttribute attribute, List<Predicate.Leaf> bounds, int most) {
        return "SELECT e.row_id FROM %s AS e WHERE %s LIMIT %d"
                .formatted(values(attribute), along(attribute, bounds, id(), "e"), most);
    }

    private record From(String tables, String where) {}

    private From from(IndexScan scan, Predicate predicate) {
        return switch (scan) {
            case IndexScan.ById byId ->
                new From(tables.records() + " AS r", "r.schema_id = " + id() + " AND " + tests.of(predicate, "r"));
            case IndexScan.ByValue along ->
                new From(
                        values(along.attribute()) + " AS e\n" + probe("e.row_id", without(predicate, along.bounds())),
                        along(along.attribute(), along.bounds(), id(), "e") + among(along.among()));
            case IndexScan.Union(var leaves) ->
                new From(
                        "(%s) AS e\n%s"
                                .formatted(
                                        leaves.stream()
                                                .map(leaf -> "SELECT e.row_id FROM %s AS e WHERE %s"
                                                        .formatted(
                                                                values(leaf.attribute()),
                                                                along(leaf.attribute(), List.of(leaf), id(), "e")))
                                                .collect(Collectors.joining(" UNION ")),
                                        probe("e.row_id", predicate)),
                        "true");
            case IndexScan.ByReference back -> back(back, predicate);
            case IndexScan.ByHotIndex hot -> hot(hot, predicate);
        };
    }

    /**
     * That the record is among those of another attribute's scan, which is read once into a hash table: {@code IS TRUE} keeps PostgreSQL
     * from joining the two.
     */
    private String among(Predicate.@Nullable Leaf leaf) {
        return leaf == null
                ? ""
                : " AND (e.row_id IN (SELECT c.row_id FROM %s AS c WHERE %s OFFSET 0)) IS TRUE"
                        .formatted(values(leaf.attribute()), along(leaf.attribute(), List.of(leaf), id(), "c"));
    }

    private From hot(IndexScan.ByHotIndex hot, Predicate predicate) {
        var where = new ArrayList<String>();
        where.add("r.schema_id = %d".formatted(id()));
        var equal = hot.equal();
        if (equal != null) {
            where.add(hot.index().equalitySql("r.doc") + " = " + firstOf(equal));
        }
        where.add(hot.index().orderSql("r.doc") + " IS NOT NULL");
        hot.bounds().forEach(bound -> where.add(ofDocuments.of(bound, "r")));
        where.add(tests.of(without(predicate, hot.bounds()), "r"));
        return new From(tables.records() + " AS r", String.join(" AND ", where));
    }

    /** The prefix of the value in a hot index; the whole value is tested too. */
    private String firstOf(Predicate.Leaf equal) {
        var type = equal.attribute().type();
        if (type != ValueType.TEXT) {
            return PredicateSql.bind(sql, type, equal.value());
        }
        var text = equal.value().stringValue();
        int length = Math.min(HotIndex.EQUALITY_TEXT, text.codePointCount(0, text.length()));
        return sql.bind(text.substring(0, text.offsetByCodePoints(0, length)));
    }

    private From back(IndexScan.ByReference back, Predicate predicate) {
        var links = links(back);
        return new From(links.tables() + "\n" + probe("l.row_id", predicate), links.where());
    }

    private From links(IndexScan.ByReference back) {
        var through = back.through();
        var links = new From(
                """
                %s AS t
                JOIN %s AS l ON l.target_schema = %d AND l.target_row = t.row_id AND l.schema_id = %d AND l.attr_id = %d""".formatted(
                                values(back.leaf().attribute()),
                                tables.links(),
                                through.target().id(),
                                id(),
                                through.reference().id()),
                along(
                        back.leaf().attribute(),
                        List.of(back.leaf()),
                        through.target().id(),
                        "t"));
        // A record may refer to several that match.
        return through.reference().isList()
                ? new From(
                        "(SELECT DISTINCT l.row_id FROM %s WHERE %s) AS l".formatted(links.tables(), links.where()),
                        "true")
                : links;
    }

    /** The table that has the values of {@code attribute} for an index scan. */
    private String values(SchemaAttribute attribute) {
        return attribute.isList() ? tables.choices() : tables.eav();
    }

    /** Looks the record up; {@code LATERAL} forces a nested loop. */
    private String probe(String rowId, Predicate predicate) {
        return "CROSS JOIN LATERAL (\n    SELECT " + COLUMNS + " FROM " + tables.records() + " AS r"
                + "\n    WHERE r.schema_id = " + id() + " AND r.row_id = " + rowId + " AND " + tests.of(predicate, "r")
                + "\n    OFFSET 0) AS r";
    }

    private String along(SchemaAttribute attribute, List<Predicate.Leaf> bounds, short schema, String row) {
        var parts = new StringJoiner(" AND ");
        parts.add(row + ".schema_id = " + schema);
        parts.add(row + ".attr_id = " + attribute.id());
        parts.add(row + "." + attribute.type().column() + " IS NOT NULL");
        bounds.forEach(bound -> parts.add(ofValues.of(bound, row)));
        return parts.toString();
    }

    /** The conditions that remain to be tested after the index scan within {@code bounds}. */
    private static Predicate without(Predicate predicate, List<Predicate.Leaf> bounds) {
        var rest = predicate.conjuncts();
        if (!bounds.isEmpty()) {
            rest = new ArrayList<>(rest);
            rest.removeIf(part ->
                    part instanceof Predicate.Leaf leaf && bounds.contains(leaf) && IndexPredicateSql.isExact(leaf));
        }
        return new Predicate.All(rest);
    }

    private static String orderBy(IndexScan scan, SortOrder order, List<String> keys, String id) {
        var parts = new ArrayList<String>();
        for (int i = 0; i < keys.size(); i++) {
            var key = order.keys().get(i);
            var nulls = i == 0 && scan.isOrdered() ? "" : key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST";
            parts.add(keys.get(i) + (key.descending() ? " DESC" : "") + nulls);
        }
        parts.add(id + (order.descending() ? " DESC" : ""));
        return String.join(", ", parts);
    }

    private String after(IndexScan scan, SortOrder order, List<String> keys, String id, KeysetPosition after) {
        var first = order.first();
        var value = after.values().isEmpty() ? null : after.values().getFirst();
        if (!scan.isOrdered() || first == null || value == null) {
            return beyond(order, keys, id, after, 0);
        }
        // A row comparison bounds the index; with mixed directions or more keys, only the first key does.
        var indexed = scan.isOrderedByValue() ? ofValues : ofDocuments;
        var bound = indexed.bind(first.attribute().type(), value);
        var beyond = first.descending() ? "<" : ">";
        return keys.size() == 1 && first.descending() == order.descending()
                ? "(" + keys.getFirst() + ", " + id + ") " + beyond + " (" + bound + ", " + sql.bind(after.id()) + ")"
                : "%1$s %2$s= %3$s AND (%1$s %2$s %3$s OR %4$s)"
                        .formatted(keys.getFirst(), beyond, bound, beyond(order, keys, id, after, 1));
    }

    /** The condition for records after {@code after}, among those with equal keys before {@code i}. */
    private String beyond(SortOrder order, List<String> keys, String id, KeysetPosition after, int i) {
        if (i == keys.size()) {
            return "%s %s %s".formatted(id, order.descending() ? "<" : ">", sql.bind(after.id()));
        }
        var key = order.keys().get(i);
        var value = after.values().get(i);
        var expression = keys.get(i);
        var tied = beyond(order, keys, id, after, i + 1);
        if (value == null) {
            return key.nullsFirst()
                    ? "(%1$s IS NOT NULL OR %2$s)".formatted(expression, tied)
                    : "(%s IS NULL AND %s)".formatted(expression, tied);
        }
        var bound = PredicateSql.bind(sql, key.attribute().type(), value);
        return "(%1$s %2$s %3$s OR (%1$s = %3$s AND %4$s)%5$s)"
                .formatted(
                        expression,
                        key.descending() ? "<" : ">",
                        bound,
                        tied,
                        key.nullsFirst() ? "" : " OR %s IS NULL".formatted(expression));
    }

    private short id() {
        return view.schema().id();
    }
}
