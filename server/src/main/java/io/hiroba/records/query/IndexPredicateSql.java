package io.hiroba.records.query;

import static io.hiroba.records.ValueType.INDEXED_TEXT;

import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.Timestamps;
import io.hiroba.records.ValueType;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Compiles predicates of single values to SQL over indexed columns or expressions, to bound index scans. */
final class IndexPredicateSql {

    private static final Set<Operator> BOUNDING = EnumSet.of(
            Operator.EQ,
            Operator.GT,
            Operator.GTE,
            Operator.LT,
            Operator.LTE,
            Operator.BETWEEN,
            Operator.IN,
            Operator.STARTS_WITH);

    private static final int FIRST_SURROGATE = 0xD800;
    private static final int AFTER_SURROGATES = 0xE000;

    private final SqlBindings sql;
    private final boolean documents;

    private IndexPredicateSql(SqlBindings sql, boolean documents) {
        this.sql = sql;
        this.documents = documents;
    }

    static IndexPredicateSql ofValues(SqlBindings sql) {
        return new IndexPredicateSql(sql, false);
    }

    static IndexPredicateSql ofDocuments(SqlBindings sql) {
        return new IndexPredicateSql(sql, true);
    }

    /** The indexed expression of {@code attribute}. */
    String expression(SchemaAttribute attribute, String row) {
        return documents
                ? PredicateSql.key(attribute, row)
                : row + "." + attribute.type().column();
    }

    /** Whether an index can serve the predicate without a full scan of the attribute's values. */
    static boolean bounds(Predicate.Leaf leaf) {
        return leaf.attribute().type() != ValueType.JSONB && BOUNDING.contains(leaf.operator());
    }

    /** Whether the indexed value decides the predicate: of a long text only a prefix is indexed. */
    static boolean isExact(Predicate.Leaf leaf) {
        if (leaf.attribute().type() == ValueType.TEXT) {
            for (var value : leaf.values()) {
                if (isLong(value.stringValue())) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A condition that all matching values meet and, if it is exact, no others. */
    String of(Predicate.Leaf leaf, String row) {
        var column = expression(leaf.attribute(), row);
        boolean exact = isExact(leaf);
        return switch (leaf.operator()) {
            case EQ -> column + " = " + bind(leaf, leaf.value());
            case GT -> column + (exact ? " > " : " >= ") + bind(leaf, leaf.value());
            case GTE -> column + " >= " + bind(leaf, leaf.value());
            case LT -> column + (exact ? " < " : " <= ") + bind(leaf, leaf.value());
            case LTE -> column + " <= " + bind(leaf, leaf.value());
            case BETWEEN ->
                column + " BETWEEN " + bind(leaf, leaf.values().get(0)) + " AND "
                        + bind(leaf, leaf.values().get(1));
            case IN -> "%s = ANY (%s)".formatted(column, array(leaf));
            case STARTS_WITH -> startsWith(column, cut(leaf.value().stringValue()));
            case NE, NOT_IN, CONTAINS, NOT_CONTAINS, WITHIN, EXISTS, MISSING, HAS_ALL ->
                throw new IllegalArgumentException("bounds no index: " + leaf.operator());
        };
    }

    String bind(ValueType type, JsonNode value) {
        return switch (type) {
            case TEXT -> sql.bind(cut(value.stringValue()));
            case DATE, DATETIME ->
                documents
                        ? PredicateSql.bind(sql, type, value)
                        : sql.bind(Timestamps.instant(value.longValue()).atOffset(ZoneOffset.UTC));
            case NUMERIC, BOOL, JSONB, MULTI_SELECT -> PredicateSql.bind(sql, type, value);
        };
    }

    private String bind(Predicate.Leaf leaf, JsonNode value) {
        return bind(leaf.attribute().type(), value);
    }

    private String array(Predicate.Leaf leaf) {
        var values = leaf.values().stream();
        return switch (leaf.attribute().type()) {
            case TEXT ->
                sql.bindArray(
                        "text", values.map(value -> cut(value.stringValue())).toList());
            case NUMERIC ->
                sql.bindArray("numeric", values.map(JsonNode::asString).toList());
            case DATE, DATETIME ->
                documents
                        ? sql.bindArray("bigint", values.map(JsonNode::asString).toList())
                        : sql.bindArray(
                                "timestamptz",
                                values.map(value -> Timestamps.instant(value.longValue())
                                                .toString())
                                        .toList());
            case BOOL -> sql.bindArray("boolean", values.map(JsonNode::asString).toList());
            case JSONB, MULTI_SELECT -> throw new IllegalArgumentException("no list of JSON");
        };
    }

    /** The range from the prefix to the first text after all texts with it, in code point order. */
    private String startsWith(String column, String beginning) {
        var from = column + " >= " + sql.bind(beginning);
        var codePoints = beginning.codePoints().toArray();
        for (int last = codePoints.length - 1; last >= 0; last--) {
            if (codePoints[last] < Character.MAX_CODE_POINT) {
                int next = codePoints[last] + 1;
                codePoints[last] = next == FIRST_SURROGATE ? AFTER_SURROGATES : next;
                return from + " AND " + column + " < " + sql.bind(new String(codePoints, 0, last + 1));
            }
        }
        return from;
    }

    /** The indexed prefix of a text. */
    static String cut(String text) {
        return isLong(text) && text.codePointCount(0, text.length()) > INDEXED_TEXT
                ? text.substring(0, text.offsetByCodePoints(0, INDEXED_TEXT))
                : text;
    }

    private static boolean isLong(String text) {
        return text.length() >= INDEXED_TEXT;
    }
}
