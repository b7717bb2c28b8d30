package io.hiroba.records.transfer;

import io.hiroba.records.DateOrder;
import io.hiroba.records.DecimalMark;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.ValueType;
import io.hiroba.records.WrittenValues;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Infers the types of columns from their values: the narrowest type that all values of a column have. Missing values
 * are ignored, and a column without values is text.
 */
final class TypeInference {

    /** A kind that all values of a column may have. */
    private enum Kind {
        BOOL,
        PERCENTAGE,
        NUMERIC,
        DURATION,
        DATE,
        DATETIME,
        TEXT,
        JSONB
    }

    private static final List<Kind> NARROWEST_FIRST =
            List.of(Kind.BOOL, Kind.PERCENTAGE, Kind.NUMERIC, Kind.DURATION, Kind.DATE, Kind.DATETIME, Kind.TEXT);

    /** The digits of numbers in sheets. */
    private static final int MAX_SHEET_DIGITS = 15;

    private final Map<String, Column> columns = new LinkedHashMap<>();

    /** The type of a column, and the format of its values if they have one. */
    record Inferred(ValueType type, ValueFormat.@Nullable Kind format) {}

    private static final class Column {

        private final Set<Kind> possible = EnumSet.allOf(Kind.class);
        private final Set<DateOrder> orders = EnumSet.allOf(DateOrder.class);
        private final Set<DecimalMark> marks = EnumSet.allOf(DecimalMark.class);
        private boolean hasComma;
        /** Whether the mark before decimals matters. */
        private boolean marked;

        /** Whether the order of a day such as {@code 8/7/2026} matters. */
        private boolean ordered;

        /** The sign of the column's amounts of money. */
        private @Nullable String sign;

        private final Clocks clocks = new Clocks();

        private long values;
        private boolean mixed;

        void retain(Set<Kind> these) {
            values++;
            possible.retainAll(these);
            mixed |= possible.isEmpty();
        }

        /** The same of a cell, which is a text whatever else it may be. */
        void retainCell(Set<Kind> these) {
            retain(these);
            if (mixed) {
                possible.add(Kind.TEXT);
            }
        }

        void retainOrders(Set<DateOrder> these) {
            ordered = true;
            orders.retainAll(these);
        }

        /** Whether {@code text} looks like a number; of money, of the same as those before. */
        boolean isNumber(String text) {
            if (!WrittenValues.isLikelyNumber(text)
                    && (isPercentage(text) || DecimalMark.of(text).isEmpty())) {
                return false;
            }
            var found = WrittenValues.sign(text);
            if (found.isEmpty()) {
                return true;
            }
            sign = sign == null ? found.get() : sign;
            return found.get().equals(sign);
        }

        /** Takes note of the mark before decimals, while the column may be numbers. */
        void noteMark(String text) {
            boolean comma = text.indexOf(',') >= 0;
            if ((comma || text.indexOf('.') >= 0) && isNumeric()) {
                var possibleMarks = DecimalMark.of(text);
                if (!possibleMarks.isEmpty()) {
                    marked = true;
                    hasComma |= comma;
                    marks.retainAll(possibleMarks);
                }
            }
        }

        boolean isNumeric() {
            return possible.contains(Kind.NUMERIC) || possible.contains(Kind.PERCENTAGE);
        }

        /** Whether its numbers tell the mark: points alone may be anything's. */
        boolean tellsMark() {
            return marked && isNumeric() && marks.size() == 1 && (hasComma || marks.contains(DecimalMark.POINT));
        }

        boolean isMarkOpen() {
            return marked && isNumeric() && marks.size() > 1;
        }

        boolean isTime() {
            return possible.contains(Kind.DATETIME);
        }

        boolean isClocks() {
            return clocks.any && possible.contains(Kind.DURATION);
        }

        Inferred inferred(@Nullable DateOrder order, @Nullable DurationReading durations, DecimalMark mark) {
            if (values == 0) {
                return new Inferred(ValueType.TEXT, null);
            }
            for (var kind : NARROWEST_FIRST) {
                boolean isWritten = !ordered || kind == Kind.TEXT || (order != null && orders.contains(order));
                boolean isDuration = durations == null ? clocks.areDurations() : durations != DurationReading.TEXT;
                boolean isMarked = !marked || (kind != Kind.NUMERIC && kind != Kind.PERCENTAGE) || marks.contains(mark);
                if (possible.contains(kind) && isWritten && isMarked && (kind != Kind.DURATION || isDuration)) {
                    return switch (kind) {
                        case PERCENTAGE -> new Inferred(ValueType.NUMERIC, ValueFormat.Kind.PERCENT);
                        case DURATION -> new Inferred(ValueType.NUMERIC, ValueFormat.Kind.DURATION);
                        case BOOL, NUMERIC, DATE, DATETIME, TEXT, JSONB ->
                            new Inferred(ValueType.valueOf(kind.name()), null);
                    };
                }
            }
            return new Inferred((ordered && !mixed) || isClocks() ? ValueType.TEXT : ValueType.JSONB, null);
        }
    }

    /** The texts with colons of a column, which are times of a day unless something tells that they are durations. */
    private static final class Clocks {

        /** An hour at which a list of times of a day hardly ever begins. */
        private static final long EARLY = 6;

        private static final long DAY = 24;

        private boolean any;
        /** Whether a cell says that it is a duration. */
        private boolean certain;

        private boolean hasShort;
        private boolean hasLong;
        private boolean padded;
        private long least = Long.MAX_VALUE;
        private long most;

        void add(String text) {
            any = true;
            hasShort |= DurationReading.isShort(text);
            hasLong |= !DurationReading.isShort(text);
            padded |= text.startsWith("0") && text.charAt(1) != ':';
            long first = Math.abs(Long.parseLong(text.substring(0, text.indexOf(':'))));
            least = Math.min(least, first);
            most = Math.max(most, first);
        }

        /** Beyond a day, or early without a zero before it: not {@code 09:30}, and not {@code 9:30} beside {@code 14:00}. */
        boolean areDurations() {
            return certain || most >= DAY || (!padded && least < EARLY);
        }
    }

    /** Adds a column without a value. */
    void column(String name) {
        columns.computeIfAbsent(name, any -> new Column());
    }

    /** Removes those of the columns that have no value. */
    void removeEmpty(Set<String> names) {
        columns.entrySet().removeIf(each -> names.contains(each.getKey()) && each.getValue().values == 0);
    }

    void cell(String name, String cell) {
        if (cell.isEmpty()) {
            column(name);
            return;
        }
        var column = columns.computeIfAbsent(name, any -> new Column());
        var text = cell.strip();
        // Only the remaining candidates are checked: most columns are text after a line or two.
        var kept = EnumSet.of(Kind.TEXT);
        keep(column, kept, Kind.BOOL, text, CellParser::isBoolean);
        column.noteMark(text);
        keep(column, kept, Kind.PERCENTAGE, text, TypeInference::isPercentage);
        keep(column, kept, Kind.NUMERIC, text, column::isNumber);
        if (column.possible.contains(Kind.DURATION) && DurationReading.isClock(text)) {
            column.clocks.add(text);
            kept.add(Kind.DURATION);
        }
        if (column.isTime()) {
            keepTimes(column, kept, text);
        }
        keep(column, kept, Kind.JSONB, text, CellParser::isJson);
        if (kept.contains(Kind.JSONB)) {
            kept.remove(Kind.TEXT);
        }
        column.retainCell(kept);
    }

    private static boolean isPercentage(String text) {
        return WrittenValues.plain(text).endsWith("%") && !DecimalMark.of(text).isEmpty();
    }

    private static void keepTimes(Column column, Set<Kind> kept, String text) {
        var orders = DateOrder.of(text);
        if (!orders.isEmpty()) {
            column.retainOrders(orders);
            kept.add(Kind.DATETIME);
            if (column.possible.contains(Kind.DATE) && text.indexOf(':') < 0) {
                kept.add(Kind.DATE);
            }
            return;
        }
        keep(column, kept, Kind.DATE, text, DateParser::isLikelyDay);
        keep(column, kept, Kind.DATETIME, text, DateParser::isLikely);
    }

    /** A cell that has a type. A text may be what its type cannot hold in a sheet: a date long ago, a number of many digits. */
    void typed(String name, String cell, ValueType type) {
        if (cell.isEmpty()) {
            column(name);
            return;
        }
        var column = columns.computeIfAbsent(name, any -> new Column());
        column.retainCell(
                switch (type) {
                    case TEXT -> written(column, cell);
                    case DATE -> EnumSet.of(Kind.DATE, Kind.DATETIME);
                    case NUMERIC -> number(column, cell);
                    case BOOL -> EnumSet.of(Kind.BOOL);
                    case DATETIME -> EnumSet.of(Kind.DATETIME);
                    case JSONB, MULTI_SELECT -> EnumSet.of(Kind.JSONB);
                });
    }

    private static Set<Kind> number(Column column, String cell) {
        if (cell.indexOf(':') > 0) {
            column.clocks.add(cell);
            column.clocks.certain = true;
            return EnumSet.of(Kind.DURATION, Kind.TEXT);
        }
        // Beside numbers that are none, a percentage is its hundredth. Beside durations, a number is one of seconds.
        return cell.endsWith("%") ? EnumSet.of(Kind.PERCENTAGE, Kind.NUMERIC) : EnumSet.of(Kind.NUMERIC, Kind.DURATION);
    }

    private static Set<Kind> written(Column column, String cell) {
        if (CellParser.isJson(cell)) {
            return EnumSet.of(Kind.JSONB);
        }
        var kinds = texts(column, cell);
        if (cell.length() > MAX_SHEET_DIGITS && WrittenValues.isLikelyNumber(cell)) {
            kinds.add(Kind.NUMERIC);
        }
        return kinds;
    }

    private static void keep(Column column, Set<Kind> kept, Kind kind, String text, Predicate<String> looksSo) {
        if (column.possible.contains(kind) && looksSo.test(text)) {
            kept.add(kind);
        }
    }

    void value(String name, JsonNode value) {
        var column = columns.computeIfAbsent(name, any -> new Column());
        if (value.isNull()) {
            return;
        }
        column.retain(
                switch (value.getNodeType()) {
                    case STRING -> texts(column, value.stringValue());
                    case NUMBER -> EnumSet.of(Kind.NUMERIC);
                    case BOOLEAN -> EnumSet.of(Kind.BOOL);
                    default -> EnumSet.of(Kind.JSONB);
                });
    }

    private static Set<Kind> texts(Column column, String text) {
        var kinds = EnumSet.of(Kind.TEXT);
        if (column.isTime()) {
            keepTimes(column, kinds, text);
        }
        return kinds;
    }

    /**
     * The order of the file's days such as {@code 8/20/2026}, by those columns that have one that shows it; null if none does, or if they
     * contradict each other.
     */
    @Nullable
    DateOrder order() {
        var orders = EnumSet.allOf(DateOrder.class);
        columns.values().stream()
                .filter(column -> column.ordered && column.isTime() && column.orders.size() == 1)
                .forEach(column -> orders.retainAll(column.orders));
        return orders.size() == 1 ? orders.iterator().next() : null;
    }

    /** Whether a column may be days of either order. */
    boolean isOrderOpen() {
        return columns.values().stream()
                .anyMatch(column -> column.ordered && column.isTime() && column.orders.size() > 1);
    }

    /**
     * The mark before the decimals of the file's numbers, by those columns that have one that shows it. Where none does, commas are decimal
     * in a file with semicolons between its cells, which spreadsheets write for that reason.
     */
    DecimalMark decimal(char delimiter) {
        var marks = EnumSet.allOf(DecimalMark.class);
        columns.values().stream().filter(Column::tellsMark).forEach(column -> marks.retainAll(column.marks));
        if (marks.size() == 1) {
            return marks.iterator().next();
        }
        boolean isLikelyComma = delimiter == ';'
                && marks.size() > 1
                && columns.values().stream().anyMatch(column -> column.isMarkOpen() && column.hasComma);
        return isLikelyComma ? DecimalMark.COMMA : DecimalMark.POINT;
    }

    /** Whether numbers of a column may have either mark. */
    boolean isMarkOpen() {
        return columns.values().stream().anyMatch(Column::isMarkOpen);
    }

    /**
     * The likely reading of the file's texts such as {@code 1:30}: durations with minutes in a column that has hours before another colon,
     * else with hours; null without such texts.
     */
    @Nullable
    DurationReading durations() {
        var clocks = columns.values().stream().filter(Column::isClocks).toList();
        var durations =
                clocks.stream().filter(column -> column.clocks.areDurations()).toList();
        if (durations.isEmpty()) {
            return clocks.isEmpty() ? null : DurationReading.TEXT;
        }
        return durations.stream().anyMatch(column -> column.clocks.hasShort && column.clocks.hasLong)
                ? DurationReading.MINUTES
                : DurationReading.HOURS;
    }

    /**
     * The columns in order of appearance, with days in {@code order}, without which such days are texts, with durations as they were
     * chosen (null for those that look like some), and with numbers of that decimal mark.
     */
    Map<String, Inferred> columns(@Nullable DateOrder order, @Nullable DurationReading durations, DecimalMark mark) {
        var inferred = new LinkedHashMap<String, Inferred>();
        columns.forEach((name, column) -> inferred.put(name, column.inferred(order, durations, mark)));
        return inferred;
    }
}
