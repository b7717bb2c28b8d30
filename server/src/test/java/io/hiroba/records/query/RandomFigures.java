package io.hiroba.records.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.records.ValueType;
import io.hiroba.records.query.Aggregates.Function;
import io.hiroba.records.query.Aggregates.Group;
import io.hiroba.records.query.Aggregates.Measure;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Random groups and measures, and what they are of given records. */
record RandomFigures(Map<String, ValueType> types, List<Group> groups, List<Measure> measures, ZoneId zone) {

    private static final int MAX_GROUPS = 1000;
    private static final BigDecimal TOLERANCE = new BigDecimal("1e-12");

    static RandomFigures of(Random random, Map<String, ValueType> types, List<String> ordered) {
        var groups = new ArrayList<Group>();
        for (int i = random.nextInt(3); i > 0; i--) {
            var name = ordered.get(random.nextInt(ordered.size()));
            if (groups.stream().noneMatch(each -> each.attribute().equals(name))) {
                groups.add(group(random, name, type(types, name)));
            }
        }
        var measures = new ArrayList<Measure>();
        measures.add(new Measure(Function.COUNT, null));
        for (int i = random.nextInt(4); i > 0; i--) {
            var names =
                    types.keySet().stream().filter(each -> !each.contains(".")).toList();
            var name = names.get(random.nextInt(names.size()));
            var functions = Stream.of(Function.values())
                    .filter(each -> suits(each, type(types, name)))
                    .toList();
            measures.add(new Measure(functions.get(random.nextInt(functions.size())), name));
        }
        var zones = List.of("UTC", "Asia/Tokyo", "America/Los_Angeles");
        return new RandomFigures(types, groups, measures, ZoneId.of(zones.get(random.nextInt(zones.size()))));
    }

    private static Group group(Random random, String name, ValueType type) {
        if (type.isTime() && random.nextBoolean()) {
            return new Group(name, Aggregates.Unit.values()[random.nextInt(Aggregates.Unit.values().length)]);
        }
        var widths = List.of("0.5", "1", "20");
        return type == ValueType.NUMERIC && random.nextBoolean()
                ? new Group(name, null, new BigDecimal(widths.get(random.nextInt(widths.size()))))
                : new Group(name, null);
    }

    private static ValueType type(Map<String, ValueType> types, String name) {
        return Objects.requireNonNull(types.get(name));
    }

    private static boolean suits(Function function, ValueType type) {
        return switch (function) {
            case COUNT -> true;
            case SUM, AVG -> type == ValueType.NUMERIC;
            case MIN, MAX -> type.isOrdered() && type != ValueType.BOOL;
        };
    }

    @Override
    public String toString() {
        return "%s by %s in %s".formatted(measures, groups, zone);
    }

    Aggregates.Query query(@Nullable Condition where) {
        return new Aggregates.Query("thing", where, groups, measures, MAX_GROUPS, zone.getId(), false);
    }

    void requireSame(String what, Aggregates.Result result, List<ObjectNode> records) {
        var expected = new LinkedHashMap<List<@Nullable Object>, List<ObjectNode>>();
        if (groups.isEmpty()) {
            expected.put(List.of(), new ArrayList<>());
        }
        for (var each : records) {
            expected.computeIfAbsent(
                            groups.stream()
                                    .<@Nullable Object>map(group -> key(group, each.get(group.attribute())))
                                    .toList(),
                            _ -> new ArrayList<>())
                    .add(each);
        }
        assertThat(result.complete()).as(what).isTrue();
        assertThat(result.rows()).as(what).hasSameSizeAs(expected.keySet());
        for (var row : result.rows()) {
            var key = new ArrayList<@Nullable Object>();
            for (var group : groups) {
                var value = row.keys().get(key.size());
                key.add(value == null ? null : plain(type(types, group.attribute()), value));
            }
            assertThat(expected).as(what).containsKey(key);
            var of = Objects.requireNonNull(expected.get(key));
            for (int i = 0; i < measures.size(); i++) {
                var figure = figure(measures.get(i), of);
                var found = row.figures().get(i);
                assertThat(isSame(measures.get(i), found, figure))
                        .as("%s, %s of %s is %s, not %s", what, measures.get(i), key, found, figure)
                        .isTrue();
            }
        }
    }

    private boolean isSame(Measure measure, @Nullable JsonNode is, @Nullable Object figure) {
        if (is == null || figure == null) {
            return is == null && figure == null;
        }
        if (figure instanceof BigDecimal number) {
            var difference = number.subtract(is.decimalValue()).abs();
            return measure.function() == Function.AVG
                    ? difference.compareTo(TOLERANCE.multiply(number.abs().max(BigDecimal.ONE))) <= 0
                    : difference.signum() == 0;
        }
        return figure.equals(plain(type(types, Objects.requireNonNull(measure.attribute())), is));
    }

    private @Nullable Object key(Group group, @Nullable JsonNode value) {
        if (value == null) {
            return null;
        }
        var type = type(types, group.attribute());
        if (group.bin() != null) {
            return value.decimalValue()
                    .divide(group.bin(), MathContext.UNLIMITED)
                    .setScale(0, RoundingMode.FLOOR)
                    .multiply(group.bin())
                    .stripTrailingZeros();
        }
        if (group.unit() == null) {
            return plain(type, value);
        }
        var in = type == ValueType.DATE ? ZoneId.of("UTC") : zone;
        var day = RecordOracle.moment(value).atZone(in).toLocalDate();
        return begin(group.unit(), day).atStartOfDay(in).toInstant();
    }

    private static LocalDate begin(Aggregates.Unit unit, LocalDate day) {
        return switch (unit) {
            case DAY -> day;
            case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case MONTH -> day.withDayOfMonth(1);
            case YEAR -> day.withDayOfYear(1);
        };
    }

    /** A value so that what is equal in the database is equal here. */
    private static Object plain(ValueType type, JsonNode value) {
        return switch (type) {
            case NUMERIC -> value.decimalValue().stripTrailingZeros();
            case DATE, DATETIME -> RecordOracle.moment(value);
            case BOOL -> value.booleanValue();
            case TEXT -> value.stringValue();
            case JSONB, MULTI_SELECT -> value;
        };
    }

    private @Nullable Object figure(Measure measure, List<ObjectNode> of) {
        var name = measure.attribute();
        if (name == null) {
            return new BigDecimal(of.size());
        }
        var type = type(types, name);
        var values = of.stream()
                .filter(each -> each.has(name))
                .map(each -> each.path(name))
                .toList();
        if (measure.function() == Function.COUNT) {
            return new BigDecimal(values.size());
        }
        if (values.isEmpty()) {
            return null;
        }
        Comparator<JsonNode> by = (one, other) -> RecordOracle.compare(type, one, other);
        var sum = measure.function() == Function.SUM || measure.function() == Function.AVG
                ? values.stream().map(JsonNode::decimalValue).reduce(BigDecimal.ZERO, BigDecimal::add)
                : BigDecimal.ZERO;
        return switch (measure.function()) {
            case COUNT, SUM -> sum;
            case AVG -> sum.divide(new BigDecimal(values.size()), MathContext.DECIMAL128);
            case MIN -> plain(type, Collections.min(values, by));
            case MAX -> plain(type, Collections.max(values, by));
        };
    }
}
