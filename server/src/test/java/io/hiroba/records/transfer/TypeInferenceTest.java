package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.records.DateOrder;
import io.hiroba.records.DecimalMark;
import io.hiroba.records.Documents;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.ValueType;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypeInferenceTest {

    @Test
    void theNumbersOfAFileShowTheirDecimalMark() throws InvalidValueException {
        assertThat(decimal(',', "1,5")).isEqualTo(DecimalMark.COMMA);
        assertThat(decimal(',', "1.234,56 €")).isEqualTo(DecimalMark.COMMA);
        assertThat(decimal(';', "1.5", "1,500")).isEqualTo(DecimalMark.POINT);
        assertThat(decimal(';', "1,500")).isEqualTo(DecimalMark.COMMA);
        assertThat(decimal(',', "1,500")).isEqualTo(DecimalMark.POINT);
        assertThat(decimal(';', "1.500")).isEqualTo(DecimalMark.POINT);
        assertThat(decimal(',', "10.0.0.1", "1.234.567")).isEqualTo(DecimalMark.POINT);
        assertThat(ofCells("1,5", "1.234,56", "-3", "1.234.567")).isEqualTo(ValueType.NUMERIC);
        assertThat(ofCells("12,5 %", "3%")).isEqualTo(ValueType.NUMERIC);
        assertThat(ofCells("1,5", "1.5")).isEqualTo(ValueType.TEXT);
        assertThat(ofCells("1.234.567")).isEqualTo(ValueType.TEXT);
        var cells = new CellParser(ZoneId.of("UTC"), null, null, DecimalMark.COMMA);
        assertThat(cells.value(ValueType.NUMERIC, "1.234,56").toString()).isEqualTo("1234.56");
        assertThat(cells.value(ValueType.NUMERIC, "1,500").toString()).isEqualTo("1.500");
        assertThat(cells.value(ValueType.NUMERIC, "€ 1,5").toString()).isEqualTo("1.5");
        assertThatThrownBy(() -> cells.value(ValueType.NUMERIC, "1.5")).isInstanceOf(InvalidValueException.class);
    }

    private static DecimalMark decimal(char delimiter, String... cells) {
        var inference = new TypeInference();
        for (int i = 0; i < cells.length; i++) {
            inference.cell("c" + i, cells[i]);
        }
        return inference.decimal(delimiter);
    }

    private static ValueType ofCells(String... cells) {
        return inferred(cells).type();
    }

    private static TypeInference.Inferred inferred(String... cells) {
        var inference = new TypeInference();
        for (var cell : cells) {
            inference.cell("a", cell);
        }
        return type(inference);
    }

    private static TypeInference.Inferred type(TypeInference inference) {
        return inference
                .columns(inference.order(), null, inference.decimal(','))
                .values()
                .iterator()
                .next();
    }

    private static ValueType ofValues(String... values) {
        var inference = new TypeInference();
        for (var value : values) {
            inference.value("a", Documents.exact().readTree(value));
        }
        return type(inference).type();
    }

    @Test
    void aColumnIsWhatAllOfItsCellsCouldBe() {
        assertThat(ofCells("1", "-2.5", "", "1e3")).isEqualTo(ValueType.NUMERIC);
        assertThat(ofCells("1", "n/a")).isEqualTo(ValueType.TEXT);
        assertThat(ofCells("true", "No")).isEqualTo(ValueType.BOOL);
        assertThat(ofCells("true", "1")).isEqualTo(ValueType.TEXT);
        assertThat(ofCells("2026-01-31", "2026-01-31 12:00", "2026-01-31T12:00:00+09:00"))
                .isEqualTo(ValueType.DATETIME);
        assertThat(ofCells("2026-01-31", "", "2026-02-01")).isEqualTo(ValueType.DATE);
        assertThat(ofCells("{\"a\":1}", "[]")).isEqualTo(ValueType.JSONB);
        assertThat(ofCells("{\"a\":1}", "x", "{}")).isEqualTo(ValueType.TEXT);
        assertThat(ofCells("", "")).isEqualTo(ValueType.TEXT);
    }

    @Test
    void textsWithColonsAreDurationsUnlessTheyLookLikeTimesOfADay() {
        var duration = new TypeInference.Inferred(ValueType.NUMERIC, ValueFormat.Kind.DURATION);
        var text = new TypeInference.Inferred(ValueType.TEXT, null);
        assertThat(inferred("1:30", "", "12:05")).isEqualTo(duration);
        assertThat(inferred("0:01:30", "10:00:00.5")).isEqualTo(duration);
        assertThat(inferred("08:00", "26:30")).isEqualTo(duration);
        assertThat(inferred("-0:30")).isEqualTo(duration);
        assertThat(inferred("09:30", "14:00")).isEqualTo(text);
        assertThat(inferred("9:30", "14:00")).isEqualTo(text);
        assertThat(inferred("01:30")).isEqualTo(text);
        assertThat(inferred("1:30", "n/a")).isEqualTo(text);
        assertThat(inferred("1:75")).isEqualTo(text);
        assertThat(inferred("16:9")).isEqualTo(text);
        assertThat(inferred("1:30", "90")).isEqualTo(text);

        assertThat(reading("1:30", "9:15")).isEqualTo(DurationReading.HOURS);
        assertThat(reading("3:45", "1:02:10")).isEqualTo(DurationReading.MINUTES);
        assertThat(reading("09:30")).isEqualTo(DurationReading.TEXT);
        assertThat(reading("9")).isNull();

        assertThat(DurationReading.HOURS.plain(" 1:30")).isEqualTo("1:30:00");
        assertThat(DurationReading.HOURS.plain("0:01:30")).isEqualTo("0:01:30");
        assertThat(DurationReading.MINUTES.plain("1:30")).isEqualTo("1:30");
    }

    private static @Nullable DurationReading reading(String... cells) {
        var inference = new TypeInference();
        for (var cell : cells) {
            inference.cell("a", cell);
        }
        return inference.durations();
    }

    @Test
    void daysAndNumbersAreReadAsPeopleWriteThem() throws InvalidValueException {
        assertThat(ofCells("2026/8/20", "2026年8月20日", "2026-08-20")).isEqualTo(ValueType.DATE);
        assertThat(ofCells("2026/8/20", "2026/8/20 9:05")).isEqualTo(ValueType.DATETIME);
        assertThat(ofCells("2026/13/20")).isEqualTo(ValueType.TEXT);
        assertThat(ofCells("1,234.5", "１２", "-3")).isEqualTo(ValueType.NUMERIC);
        assertThat(ofCells("0,123")).as("a decimal comma").isEqualTo(ValueType.NUMERIC);
        assertThat(ofCells("2024.1.3")).as("a version").isEqualTo(ValueType.TEXT);
        var cells = new CellParser(ZoneId.of("Asia/Tokyo"), null, null, DecimalMark.POINT);
        for (var day : List.of("2026/8/20", "2026年8月20日", "２０２６／８／２０", "2026.08.20", " 2026-8-20 ")) {
            assertThat(cells.value(ValueType.DATE, day).stringValue()).isEqualTo("2026-08-20");
        }
        assertThat(cells.value(ValueType.DATETIME, "2026/8/20 9:05").stringValue())
                .isEqualTo("2026-08-20T09:05:00+09:00");
        assertThat(cells.value(ValueType.DATETIME, "2026年8月20日").stringValue()).isEqualTo("2026-08-20T00:00:00+09:00");
        assertThat(cells.value(ValueType.NUMERIC, "1,234.5").toString()).isEqualTo("1234.5");
        assertThat(cells.value(ValueType.NUMERIC, "１，２３４").toString()).isEqualTo("1234");
        assertThat(cells.value(ValueType.NUMERIC, "-12\u202f345").toString()).isEqualTo("-12345");
        assertThatThrownBy(() -> cells.value(ValueType.DATE, "2026/2/30")).hasMessage("must be a date that there is");
        assertThatThrownBy(() -> cells.value(ValueType.NUMERIC, "12,34")).hasMessage("must be a number");
    }

    @Test
    void amountsPercentagesAndChecksAreWhatTheySay() throws InvalidValueException {
        assertThat(ofCells("$1,200.50", "3", "-＄400")).isEqualTo(ValueType.NUMERIC);
        assertThat(ofCells("7", "$5", "€5")).as("two currencies").isEqualTo(ValueType.TEXT);
        assertThat(ofCells("$1,200.50", "12 US")).isEqualTo(ValueType.TEXT);
        assertThat(inferred("25%", "1,250.5 %")).isEqualTo(percentages());
        assertThat(ofCells("25%", "0.25")).as("two meanings").isEqualTo(ValueType.TEXT);
        assertThat(ofCells("checked", "no")).isEqualTo(ValueType.BOOL);
        var sheet = new TypeInference();
        sheet.typed("a", "25%", ValueType.NUMERIC);
        assertThat(type(sheet)).isEqualTo(percentages());
        sheet.typed("a", "0.5", ValueType.NUMERIC);
        assertThat(type(sheet)).isEqualTo(new TypeInference.Inferred(ValueType.NUMERIC, null));
        var cells = new CellParser(ZoneId.of("UTC"), null, null, DecimalMark.POINT);
        assertThat(cells.value(ValueType.NUMERIC, "$1,200.50").toString()).isEqualTo("1200.50");
        assertThat(cells.value(ValueType.NUMERIC, "25%").toString()).isEqualTo("0.25");
        assertThat(cells.value(ValueType.BOOL, "Checked").booleanValue()).isTrue();
        assertThatThrownBy(() -> cells.value(ValueType.NUMERIC, "$")).hasMessage("must be a number");
    }

    private static TypeInference.Inferred percentages() {
        return new TypeInference.Inferred(ValueType.NUMERIC, ValueFormat.Kind.PERCENT);
    }

    @Test
    void aColumnTellsWhetherItsDaysBeginWithTheMonth() throws InvalidValueException {
        assertThat(ofCells("8/7/2026", "8/20/2026")).isEqualTo(ValueType.DATE);
        assertThat(ofCells("20/8/2026", "7/8/2026 9:05 PM")).isEqualTo(ValueType.DATETIME);
        assertThat(ofCells("8/7/2026", "9/7/2026")).as("either").isEqualTo(ValueType.TEXT);
        assertThat(ofCells("8/20/2026", "20/8/2026")).as("neither").isEqualTo(ValueType.TEXT);
        assertThat(ofCells("20.8.2026", "1. 2. 2026")).isEqualTo(ValueType.DATE);
        var open = new TypeInference();
        open.cell("a", "8/7/2026");
        assertThat(open.isOrderOpen()).isTrue();
        assertThat(open.columns(DateOrder.DAY_FIRST, null, DecimalMark.POINT).values())
                .extracting(TypeInference.Inferred::type)
                .containsExactly(ValueType.DATE);
        var zone = ZoneId.of("Asia/Tokyo");
        var american = new CellParser(zone, DateOrder.MONTH_FIRST, null, DecimalMark.POINT);
        assertThat(american.value(ValueType.DATE, "8/7/2026").stringValue()).isEqualTo("2026-08-07");
        assertThat(american.value(ValueType.DATETIME, "8/7/2026 12:05 AM").stringValue())
                .isEqualTo("2026-08-07T00:05:00+09:00");
        assertThatThrownBy(() -> american.value(ValueType.DATE, "20/8/2026"))
                .hasMessage("must be a date that there is");
        assertThatThrownBy(() -> new CellParser(zone, null, null, DecimalMark.POINT).value(ValueType.DATE, "8/7/2026"))
                .hasMessageContaining("two days");
    }

    @Test
    void codesKeepTheirZeros() {
        assertThat(ofCells("0123", "4567")).isEqualTo(ValueType.TEXT);
        assertThat(ofCells("+81", "1")).isEqualTo(ValueType.TEXT);
        assertThat(ofCells("0", "0.5")).isEqualTo(ValueType.NUMERIC);
    }

    @Test
    void valuesInJsonTellTheirTypeThemselves() {
        assertThat(ofValues("1", "null", "2.5")).isEqualTo(ValueType.NUMERIC);
        assertThat(ofValues("\"1\"")).isEqualTo(ValueType.TEXT);
        assertThat(ofValues("\"2026-01-31\"")).isEqualTo(ValueType.DATE);
        assertThat(ofValues("\"2026-01-31\"", "\"2026-01-31T12:00:00Z\"")).isEqualTo(ValueType.DATETIME);
        assertThat(ofValues("true")).isEqualTo(ValueType.BOOL);
        assertThat(ofValues("1", "\"x\"")).isEqualTo(ValueType.JSONB);
        assertThat(ofValues("{}")).isEqualTo(ValueType.JSONB);
        assertThat(ofValues("\"8/7/2026\"", "5")).isEqualTo(ValueType.JSONB);
        assertThat(ofValues("\"8/7/2026\"", "{\"a\":1}")).isEqualTo(ValueType.JSONB);
        var sheet = new TypeInference();
        sheet.typed("a", "2026-08-20", ValueType.DATE);
        sheet.typed("a", "8/7/2026", ValueType.TEXT);
        assertThat(type(sheet).type()).as("a day of either order beside one").isEqualTo(ValueType.TEXT);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-31, 2026-01-31T00:00:00+09:00",
        "2026-01-31 12:30, 2026-01-31T12:30:00+09:00",
        "2026-01-31T12:30:05.123456, 2026-01-31T12:30:05.123456+09:00",
        "2026-01-31T12:30:00Z, 2026-01-31T12:30:00Z",
        "2026-01-31 12:30:00 +0200, 2026-01-31T12:30:00+02:00",
        "2026-01-31T12:30+02, 2026-01-31T12:30:00+02:00",
    })
    void aDateWithoutAnOffsetIsMeantInTheImportsTimeZone(String written, String meant) throws InvalidValueException {
        assertThat(new DateParser(ZoneId.of("Asia/Tokyo"), null).moment(written))
                .isEqualTo(meant);
    }

    @Test
    void whatIsNoSuchValueIsRefused() throws InvalidValueException {
        var cells = new CellParser(ZoneId.of("UTC"), null, null, DecimalMark.POINT);
        assertThatThrownBy(() -> cells.value(ValueType.DATE, "2026-02-30")).hasMessage("must be a date that there is");
        assertThatThrownBy(() -> cells.value(ValueType.DATE, "2026-02-03 12:00"))
                .hasMessageContaining("without a time");
        assertThat(cells.value(ValueType.DATE, "2026-02-03 00:00:00").stringValue())
                .isEqualTo("2026-02-03");
        assertThatThrownBy(() -> cells.value(ValueType.NUMERIC, "1,5")).hasMessage("must be a number");
        assertThatThrownBy(() -> cells.value(ValueType.NUMERIC, "1e99999")).hasMessage("must be a number");
        assertThatThrownBy(() -> cells.value(ValueType.BOOL, "maybe")).hasMessage("must be true or false");
        assertThatThrownBy(() -> cells.value(ValueType.JSONB, "{")).hasMessage("must be JSON");
        assertThatThrownBy(() -> cells.value(ValueType.TEXT, "a\0b")).hasMessageContaining("cannot hold");
    }
}
