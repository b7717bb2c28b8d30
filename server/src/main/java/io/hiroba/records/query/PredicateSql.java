package io.hiroba.records.query;

import io.hiroba.records.ProjectTables;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.time.ZoneOffset;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Compiles predicates to SQL over documents. */
final class PredicateSql {

    private final ProjectTables tables;
    private final SqlBindings sql;
    private int depth;

    PredicateSql(ProjectTables tables, SqlBindings sql) {
        this.tables = tables;
        this.sql = sql;
    }

    /** The SQL expression of the predicate for the row {@code row} of {@code records_@}. */
    String of(Predicate predicate, String row) {
        return switch (predicate) {
            case Predicate.All(var parts) -> parts.isEmpty() ? "true" : joined(parts, " AND ", row);
            case Predicate.Any(var parts) -> joined(parts, " OR ", row);
            case Predicate.Not(var part) -> "(" + of(part, row) + ") IS NOT TRUE";
            case Predicate.Leaf leaf -> leaf(leaf, row);
            case Predicate.MadeBy(var user) -> row + ".created_by = " + sql.bind(user.value());
            case Predicate.Identified identified -> identified(identified, row);
            case Predicate.Changed(var operator, var at) ->
                "%s.updated_at %s %s".formatted(row, sign(operator), sql.bind(at.atOffset(ZoneOffset.UTC)));
            case Predicate.Through through -> through(through, row);
        };
    }

    private String identified(Predicate.Identified identified, String row) {
        return identified.operator() == Operator.IN
                ? "%s.row_id = ANY (%s)"
                        .formatted(
                                row,
                                sql.bindArray(
                                        "uuid",
                                        identified.ids().stream()
                                                .map(UUID::toString)
                                                .toList()))
                : "%s.row_id %s %s"
                        .formatted(
                                row,
                                sign(identified.operator()),
                                sql.bind(identified.ids().getFirst()));
    }

    private static String sign(Operator operator) {
        return switch (operator) {
            case EQ -> "=";
            case GT -> ">";
            case GTE -> ">=";
            case LT -> "<";
            case LTE -> "<=";
            default -> throw new IllegalArgumentException("no comparison: " + operator);
        };
    }

    private String joined(List<Predicate> parts, String by, String row) {
        var joined = new StringJoiner(by, "(", ")");
        parts.forEach(part -> joined.add(of(part, row)));
        return joined.toString();
    }

    private String through(Predicate.Through through, String row) {
        var target = "t" + depth++;
        return "EXISTS (SELECT FROM %s AS %2$s WHERE %2$s.schema_id = %3$d AND %2$s.row_id = %4$s AND %5$s)"
                .formatted(
                        tables.records(),
                        target,
                        through.target().id(),
                        through.reference().isList()
                                ? "ANY (%s)".formatted(ids(through.reference(), row))
                                : "CAST(%s AS uuid)".formatted(text(through.reference(), row)),
                        of(through.part(), target));
    }

    /** The ids of a list as an array. */
    private static String ids(SchemaAttribute attribute, String row) {
        var list = row + ".doc->" + attribute.place();
        return ("ARRAY(SELECT CAST(v AS uuid) FROM jsonb_array_elements_text("
                        + "CASE WHEN jsonb_typeof(%1$s) = 'array' THEN %1$s ELSE '[]' END) AS v)")
                .formatted(list);
    }

    private String leaf(Predicate.Leaf leaf, String row) {
        var attribute = leaf.attribute();
        var value = value(attribute, row);
        return switch (leaf.operator()) {
            case EXISTS -> text(attribute, row) + " IS NOT NULL";
            case STARTS_WITH -> "starts_with(%s, %s)".formatted(text(attribute, row), bind(leaf));
            case CONTAINS ->
                attribute.type() == ValueType.JSONB
                        ? "%s @> %s".formatted(value, bind(leaf))
                        : "strpos(lower(%s), lower(%s)) > 0".formatted(text(attribute, row), bind(leaf));
            default -> attribute.isList() ? "jsonb_exists(%s, %s)".formatted(value, bind(leaf)) : compared(leaf, value);
        };
    }

    /** A comparison of {@code value}, an expression of the stored type. */
    private String compared(Predicate.Leaf leaf, String value) {
        return switch (leaf.operator()) {
            case EQ, GT, GTE, LT, LTE -> value + " " + sign(leaf.operator()) + " " + bind(leaf);
            case BETWEEN ->
                value + " BETWEEN " + bind(leaf.attribute(), leaf.values().get(0)) + " AND "
                        + bind(leaf.attribute(), leaf.values().get(1));
            case IN -> "%s = ANY (%s)".formatted(value, array(leaf));
            case NE, NOT_IN, NOT_CONTAINS, WITHIN, MISSING, EXISTS, STARTS_WITH, CONTAINS, HAS_ALL ->
                throw new IllegalArgumentException("no comparison: " + leaf.operator());
        };
    }

    private String bind(Predicate.Leaf leaf) {
        return bind(leaf.attribute(), leaf.value());
    }

    private String bind(SchemaAttribute attribute, JsonNode value) {
        return bind(sql, attribute.type(), value);
    }

    static String bind(SqlBindings sql, ValueType type, JsonNode value) {
        return switch (type) {
            case TEXT, MULTI_SELECT -> sql.bind(value.stringValue());
            case NUMERIC -> sql.bind(value.decimalValue());
            case DATE, DATETIME -> sql.bind(value.longValue());
            case BOOL -> sql.bind(value.booleanValue());
            case JSONB -> "CAST(%s AS jsonb)".formatted(sql.bind(value.toString()));
        };
    }

    private String array(Predicate.Leaf leaf) {
        var texts = leaf.values().stream().map(JsonNode::asString).toList();
        return switch (leaf.attribute().type()) {
            case TEXT -> sql.bindArray("text", texts);
            case NUMERIC -> sql.bindArray("numeric", texts);
            case DATE, DATETIME -> sql.bindArray("bigint", texts);
            case BOOL -> sql.bindArray("boolean", texts);
            case JSONB, MULTI_SELECT -> throw new IllegalArgumentException("no list of JSON");
        };
    }

    /** The stored value as text; null if it is missing. */
    static String text(SchemaAttribute attribute, String row) {
        return "(" + row + ".doc->>" + attribute.place() + ")";
    }

    /** The stored value with its type. */
    static String value(SchemaAttribute attribute, String row) {
        return switch (attribute.type()) {
            case TEXT -> text(attribute, row) + " COLLATE \"C\"";
            case NUMERIC -> "CAST(" + text(attribute, row) + " AS numeric)";
            case DATE, DATETIME -> "CAST(" + text(attribute, row) + " AS bigint)";
            case BOOL -> "CAST(" + text(attribute, row) + " AS boolean)";
            case JSONB, MULTI_SELECT -> "(" + row + ".doc->" + attribute.place() + ")";
        };
    }

    /** The sort expression: the indexed prefix of a text. */
    static String key(SchemaAttribute attribute, String row) {
        return attribute.type() == ValueType.TEXT
                ? "left(" + text(attribute, row) + ", " + ValueType.INDEXED_TEXT + ") COLLATE \"C\""
                : value(attribute, row);
    }
}
