package io.hiroba.records.transfer;

import io.hiroba.records.ValueType;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Infers the types of columns from their values: the narrowest type that all values of a column have. Missing values
 * are ignored, and a column without values is text.
 */
final class TypeInference {

    private static final List<ValueType> NARROWEST_FIRST =
            List.of(ValueType.BOOL, ValueType.NUMERIC, ValueType.DATE, ValueType.DATETIME, ValueType.TEXT);

    /** The digits of numbers in sheets. */
    private static final int MAX_SHEET_DIGITS = 15;

    private final Map<String, Column> columns = new LinkedHashMap<>();

    private static final class Column {

        private final Set<ValueType> possible = EnumSet.allOf(ValueType.class);
        private long values;
        private boolean mixed;

        void retain(Set<ValueType> these) {
            values++;
            possible.retainAll(these);
            mixed |= possible.isEmpty();
        }

        ValueType type() {
            if (values == 0) {
                return ValueType.TEXT;
            }
            for (var type : NARROWEST_FIRST) {
                if (possible.contains(type)) {
                    return type;
                }
            }
            return ValueType.JSONB;
        }
    }

    /** Adds a column without a value. */
    void column(String name) {
        columns.computeIfAbsent(name, any -> new Column());
    }

    void cell(String name, String cell) {
        if (cell.isEmpty()) {
            column(name);
            return;
        }
        var column = columns.computeIfAbsent(name, any -> new Column());
        var text = cell.strip();
        // Only the remaining candidates are checked: most columns are text after a line or two.
        var kept = EnumSet.of(ValueType.TEXT);
        keep(column, kept, ValueType.BOOL, text, CellParser::isBoolean);
        keep(column, kept, ValueType.NUMERIC, text, CellParser::isLikelyNumber);
        keep(column, kept, ValueType.DATE, text, DateParser::isLikelyDay);
        keep(column, kept, ValueType.DATETIME, text, DateParser::isLikely);
        keep(column, kept, ValueType.JSONB, text, CellParser::isJson);
        if (kept.contains(ValueType.JSONB)) {
            kept.remove(ValueType.TEXT);
        }
        column.retain(kept);
        if (column.mixed) {
            column.possible.add(ValueType.TEXT);
        }
    }

    /** A cell that has a type. A text may be what its type cannot hold in a sheet: a date long ago, a number of many digits. */
    void typed(String name, String cell, ValueType type) {
        if (cell.isEmpty()) {
            column(name);
            return;
        }
        var column = columns.computeIfAbsent(name, any -> new Column());
        column.retain(
                switch (type) {
                    case TEXT -> written(cell);
                    case DATE -> EnumSet.of(ValueType.DATE, ValueType.DATETIME);
                    case NUMERIC, BOOL, JSONB, DATETIME, MULTI_SELECT -> EnumSet.of(type);
                });
        if (column.mixed) {
            column.possible.add(ValueType.TEXT);
        }
    }

    private static Set<ValueType> written(String cell) {
        if (CellParser.isJson(cell)) {
            return EnumSet.of(ValueType.JSONB);
        }
        var types = texts(cell);
        if (cell.length() > MAX_SHEET_DIGITS && CellParser.isLikelyNumber(cell)) {
            types.add(ValueType.NUMERIC);
        }
        return types;
    }

    private static void keep(
            Column column, Set<ValueType> kept, ValueType type, String text, Predicate<String> looksSo) {
        if (column.possible.contains(type) && looksSo.test(text)) {
            kept.add(type);
        }
    }

    void value(String name, JsonNode value) {
        var column = columns.computeIfAbsent(name, any -> new Column());
        if (value.isNull()) {
            return;
        }
        column.retain(
                switch (value.getNodeType()) {
                    case STRING -> texts(value.stringValue());
                    case NUMBER -> EnumSet.of(ValueType.NUMERIC);
                    case BOOLEAN -> EnumSet.of(ValueType.BOOL);
                    default -> EnumSet.noneOf(ValueType.class);
                });
    }

    private static Set<ValueType> texts(String text) {
        if (!DateParser.isLikely(text)) {
            return EnumSet.of(ValueType.TEXT);
        }
        return DateParser.isLikelyDay(text)
                ? EnumSet.of(ValueType.DATE, ValueType.DATETIME, ValueType.TEXT)
                : EnumSet.of(ValueType.DATETIME, ValueType.TEXT);
    }

    /** The types by column name, in order of appearance. */
    Map<String, ValueType> types() {
        var types = new LinkedHashMap<String, ValueType>();
        columns.forEach((name, column) -> types.put(name, column.type()));
        return types;
    }
}
