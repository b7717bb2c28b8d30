package io.hiroba.records.pages;

import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.Aggregates;
import io.hiroba.records.query.Aggregates.Function;
import io.hiroba.records.query.Aggregates.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The measures and groups that a chart of a schema offers. */
final class ChartChoice {

    private ChartChoice() {}

    /** The measure: {@code count}, or a function and its attribute, as in {@code sum.price}. */
    record Shown(String value, String label, Aggregates.Measure measure) {}

    /** The grouping: an attribute, with a unit for dates, as in {@code created.month}. */
    record By(
            String value,
            String label,
            SchemaAttribute attribute,
            @Nullable Unit unit) {}

    static List<Shown> shown(RecordAccess recordAccess) {
        var choices = new ArrayList<Shown>();
        choices.add(new Shown("count", "Number of records", new Aggregates.Measure(Function.COUNT, null)));
        for (var attribute : recordAccess.shown()) {
            if (attribute.type() == ValueType.NUMERIC) {
                for (var function : List.of(Function.SUM, Function.AVG, Function.MIN, Function.MAX)) {
                    choices.add(new Shown(
                            function.name().toLowerCase(Locale.ROOT) + "." + attribute.name(),
                            words(function) + " of " + attribute.name(),
                            new Aggregates.Measure(function, attribute.name())));
                }
            }
        }
        return choices;
    }

    static List<By> by(RecordAccess recordAccess) {
        var choices = new ArrayList<By>();
        for (var attribute : recordAccess.shown()) {
            switch (attribute.type()) {
                case TEXT, BOOL, NUMERIC -> choices.add(new By(attribute.name(), attribute.name(), attribute, null));
                case DATE -> {
                    for (var unit : List.of(Unit.MONTH, Unit.DAY, Unit.WEEK, Unit.YEAR)) {
                        var word = unit.name().toLowerCase(Locale.ROOT);
                        choices.add(new By(
                                attribute.name() + "." + word, attribute.name() + ", by " + word, attribute, unit));
                    }
                }
                case JSONB -> {
                    // JSON cannot be grouped.
                }
            }
        }
        return choices;
    }

    private static String words(Function function) {
        return switch (function) {
            case COUNT -> "Number";
            case SUM -> "Sum";
            case AVG -> "Average";
            case MIN -> "Minimum";
            case MAX -> "Maximum";
        };
    }
}
