package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.Aggregates;
import io.hiroba.records.query.Aggregates.Function;
import io.hiroba.records.query.Aggregates.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The measures and groups that a chart of a schema offers. */
final class ChartChoice {

    private ChartChoice() {}

    /** The measure: {@code count}, or a function and its attribute, as in {@code sum.price}. */
    record Shown(String value, Text label, Aggregates.Measure measure) {}

    /**
     * The grouping: an attribute, with a unit for dates, as in {@code created.month}.
     *
     * @param isBinned whether numbers fall into ranges, as in {@code price.bins}
     */
    record By(
            String value,
            Text label,
            SchemaAttribute attribute,
            @Nullable Unit unit,
            boolean isBinned) {

        /** The rank as the first chart of a schema: of groups that are few by their nature, the fewest first. */
        private int rank() {
            if (!attribute.options().isEmpty() || attribute.type() == ValueType.BOOL) {
                return 0;
            }
            return attribute.references() != null ? 1 : unit == Unit.MONTH ? 2 : isBinned ? 3 : UNFIT;
        }
    }

    /** The rank of a grouping that may have as many groups as there are records. */
    private static final int UNFIT = 4;

    /** The grouping that a chart begins with; empty if each could be a group for every record. */
    static Optional<By> first(List<By> choices) {
        return choices.stream().filter(each -> each.rank() < UNFIT).min(Comparator.comparingInt(By::rank));
    }

    static List<Shown> shown(RecordAccess recordAccess) {
        var choices = new ArrayList<Shown>();
        choices.add(new Shown("count", Text.of("records.measure.count"), new Aggregates.Measure(Function.COUNT, null)));
        for (var attribute : recordAccess.shown()) {
            if (attribute.type() == ValueType.NUMERIC) {
                for (var function : List.of(Function.SUM, Function.AVG, Function.MIN, Function.MAX)) {
                    var word = function.name().toLowerCase(Locale.ROOT);
                    choices.add(new Shown(
                            word + "." + attribute.name(),
                            Text.of("records.measure." + word, "attribute", attribute.label()),
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
                case TEXT, BOOL -> choices.add(of(attribute));
                case NUMERIC -> {
                    choices.add(new By(
                            attribute.name() + ".bins",
                            Text.of("records.by.bins", "attribute", attribute.label()),
                            attribute,
                            null,
                            true));
                    choices.add(of(attribute));
                }
                case DATE, DATETIME -> {
                    for (var unit : List.of(Unit.MONTH, Unit.DAY, Unit.WEEK, Unit.YEAR)) {
                        var word = unit.name().toLowerCase(Locale.ROOT);
                        choices.add(new By(
                                attribute.name() + "." + word,
                                Text.of("records.by." + word, "attribute", attribute.label()),
                                attribute,
                                unit,
                                false));
                    }
                }
                case JSONB, MULTI_SELECT -> {
                    // Neither JSON nor lists are grouped.
                }
            }
        }
        return choices;
    }

    private static By of(SchemaAttribute attribute) {
        return new By(attribute.name(), Text.verbatim(attribute.label()), attribute, null, false);
    }
}
