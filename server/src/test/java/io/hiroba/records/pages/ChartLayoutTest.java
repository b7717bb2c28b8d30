package io.hiroba.records.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.query.Aggregates;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Numbers and moments as people see them. */
class ChartLayoutTest {

    private static List<ChartLayout.Point> points(String... values) {
        return Stream.of(values)
                .map(value -> new ChartLayout.Point(value, new BigDecimal(value), value))
                .toList();
    }

    @Test
    void rangesAreAboutTenAndRound() {
        assertThat(Aggregates.binWidth(new BigDecimal("3"), new BigDecimal("90")))
                .isEqualByComparingTo("10");
        assertThat(Aggregates.binWidth(new BigDecimal("0"), new BigDecimal("1923")))
                .isEqualByComparingTo("200");
        assertThat(Aggregates.binWidth(new BigDecimal("-0.4"), new BigDecimal("0.05")))
                .isEqualByComparingTo("0.05");
        assertThat(Aggregates.binWidth(new BigDecimal("7"), new BigDecimal("7")))
                .isEqualByComparingTo("1");
    }

    @Test
    void barsBeginAtZeroOnBothSides() {
        var chart = ChartLayout.bars(points("50", "-50", "0"));
        assertThat(chart.bars().get(0).x()).isEqualTo("50.00%");
        assertThat(chart.bars().get(0).width()).isEqualTo("41.67%");
        assertThat(chart.bars().get(1).x()).isEqualTo("8.33%");
        assertThat(chart.bars().get(1).isNegative()).isTrue();
        assertThat(chart.bars().get(2).width()).isEqualTo("0.00%");
    }

    @Test
    void anAxisHasRoundNumbers() {
        var scale = ChartScale.of(List.of(new BigDecimal("93.4"), new BigDecimal("3")));
        assertThat(scale.ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
        assertThat(ChartScale.of(List.of(new BigDecimal("2"), BigDecimal.ONE)).ticks())
                .as("half a record is none")
                .containsExactly(0.0, 1.0, 2.0);
        assertThat(ChartScale.of(List.of(new BigDecimal("1.5"))).ticks()).containsExactly(0.0, 0.5, 1.0, 1.5);
        assertThat(Stream.of(0.0, 1500.0, 20_000.0, 3e6, 0.25).map(ChartScale::label))
                .containsExactly("0", "1500", "20k", "3M", "0.25");
    }

    @Test
    void oneValueAndNoneAreDrawnToo() {
        assertThat(ChartLayout.line(points("7")).dots()).hasSize(1);
        assertThat(ChartLayout.bars(points("0")).bars().getFirst().width()).isEqualTo("0.00%");
    }

    @Test
    void numbersAreGroupedAndRoundedWhereTheyDoNotEnd() {
        assertThat(Stream.of("1234567.50", "437.234067797", "0.0000123456789", "-1000")
                        .map(text -> ChartGroups.number(new BigDecimal(text))))
                .containsExactly("1,234,567.50", "437.2341", "0.00001235", "-1,000");
    }

    @Test
    void whatIsTypedIsMeantInTheReadersZoneAndComesBackTheSame() {
        var clock = new Reader(Language.ENGLISH, ZoneId.of("Asia/Tokyo"), Instant.EPOCH);
        assertThat(clock.absolute("2026-08-20")).isEqualTo("2026-08-19T15:00:00Z");
        assertThat(clock.absolute("2026-02-30")).isEqualTo("2026-02-30");
        var absolute = clock.absolute("2026-01-31T12:00");
        assertThat(absolute).isEqualTo("2026-01-31T03:00:00Z");
        assertThat(clock.localText(Instant.parse(absolute))).isEqualTo("2026-01-31T12:00");
        assertThat(clock.absolute("2026-01-31T12:00+01:00")).isEqualTo("2026-01-31T12:00+01:00");
        assertThat(clock.absolute("2026-13-31T12:00")).isEqualTo("2026-13-31T12:00");
    }
}
