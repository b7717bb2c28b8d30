package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ValueType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Labels and links of the groups of a chart. */
final class ChartGroups {

    private static final MathContext DIGITS = new MathContext(4);
    private static final int ENOUGH = 6;

    private final ProjectAccess access;
    private final RecordTitles titles;
    private final Reader reader;
    private final ChartChoice.By by;
    private final @Nullable BigDecimal bin;

    /** @param bin the width of the ranges of numbers */
    ChartGroups(ProjectAccess access, RecordTitles titles, Reader reader, ChartChoice.By by, @Nullable BigDecimal bin) {
        this.access = access;
        this.titles = titles;
        this.reader = reader;
        this.by = by;
        this.bin = bin;
    }

    String label(@Nullable JsonNode key) {
        if (key == null || key.isNull()) {
            return reader.text("records.chart-none");
        }
        if (by.attribute().references() != null) {
            return titles.title(access, by.attribute(), key.asString())
                    .orElseGet(() -> RecordTitles.shortened(key.asString()));
        }
        if (bin != null) {
            var from = key.decimalValue();
            return reader.text("records.chart-range", "from", number(from), "to", number(from.add(bin)));
        }
        var unit = by.unit();
        if (unit == null) {
            return new CellFormatter(reader, titles::person)
                    .of(by.attribute(), key)
                    .text();
        }
        var local = day(key);
        return switch (unit) {
            case DAY -> formatted(local, reader.text("records.chart-day"));
            case WEEK -> reader.text("records.chart-week", "day", formatted(local, reader.text("records.chart-day")));
            case MONTH -> formatted(local, reader.text("records.chart-month"));
            case YEAR -> formatted(local, reader.text("records.chart-year"));
        };
    }

    /** The first day of a group. */
    private LocalDate day(JsonNode key) {
        return FormValues.day(key.asString())
                .orElseGet(() -> FormValues.moment(key)
                        .orElse(Instant.EPOCH)
                        .atZone(reader.zone())
                        .toLocalDate());
    }

    private String formatted(LocalDate local, String pattern) {
        return DateTimeFormatter.ofPattern(pattern, reader.language().locale()).format(local);
    }

    /** The grid of the records of one group. */
    @Nullable
    String href(String path, GridRequest request, @Nullable JsonNode key) {
        if (request.any()) {
            return null;
        }
        var conditions = new ArrayList<>(request.conditions());
        conditions.addAll(of(key));
        return path + request.withConditions(conditions).query();
    }

    private List<FilterClause> of(@Nullable JsonNode key) {
        var name = by.attribute().name();
        if (key == null || key.isNull()) {
            return List.of(new FilterClause(name, FilterComparison.MISSING, ""));
        }
        if (bin != null) {
            var from = key.decimalValue();
            return List.of(
                    new FilterClause(name, FilterComparison.GTE, from.toPlainString()),
                    new FilterClause(name, FilterComparison.LT, from.add(bin).toPlainString()));
        }
        var unit = by.unit();
        if (unit == null) {
            var value = by.attribute().type() == ValueType.NUMERIC ? FormValues.number(key) : key.asString();
            return List.of(new FilterClause(name, FilterComparison.EQ, value));
        }
        var from = day(key);
        var to = switch (unit) {
            case DAY -> from.plusDays(1);
            case WEEK -> from.plusWeeks(1);
            case MONTH -> from.plusMonths(1);
            case YEAR -> from.plusYears(1);
        };
        return List.of(
                new FilterClause(name, FilterComparison.GTE, bound(from)),
                new FilterClause(name, FilterComparison.LT, bound(to)));
    }

    private String bound(LocalDate day) {
        return by.attribute().type() == ValueType.DATE
                ? day.toString()
                : day.atStartOfDay(reader.zone()).toInstant().toString();
    }

    /** With thousands separators; long fractions are rounded to four significant digits. */
    static String number(BigDecimal value) {
        var rounded = value;
        if (value.scale() > ENOUGH) {
            boolean small = value.abs().compareTo(BigDecimal.ONE) < 0;
            var cut = small ? value.round(DIGITS) : value.setScale(DIGITS.getPrecision(), RoundingMode.HALF_UP);
            rounded = cut.stripTrailingZeros();
        }
        var text = rounded.toPlainString();
        if (text.length() > 40) {
            return rounded.toString();
        }
        int point = text.indexOf('.');
        var whole = point < 0 ? text : text.substring(0, point);
        return whole.replaceAll("(?<=\\d)(?=(\\d{3})+$)", ",") + (point < 0 ? "" : text.substring(point));
    }
}
