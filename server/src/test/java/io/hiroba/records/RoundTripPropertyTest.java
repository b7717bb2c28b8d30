package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.TestRecords;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** Whatever is written is read back as it was, and the indexed copy is the same value. */
class RoundTripPropertyTest {

    private static final TestRecords TEST = new TestRecords();
    private static final ProjectAccess SHOP = shop();

    private static ProjectAccess shop() {
        var shop = TEST.project();
        TEST.schema(shop, "thing", "n numeric", "t text", "d datetime", "day date", "j jsonb");
        return shop;
    }

    @AfterContainer
    static void stop() {
        TEST.close();
    }

    @Property(tries = 100)
    void numbersKeepEveryDigit(@ForAll("numbers") BigDecimal number) {
        var values = Json.exact().createObjectNode().put("n", number);
        values.putObject("j").put("deep", number);
        var id = new RowId(java.util.UUID.fromString(
                TEST.records.create(SHOP, "thing", values).id()));
        var read = TEST.get(SHOP, "thing", id).values();
        assertThat(read.path("n").decimalValue()).isEqualByComparingTo(number);
        assertThat(Math.max(0, read.path("n").decimalValue().scale())).isEqualTo(Math.max(0, number.scale()));
        assertThat(read.path("j").path("deep").decimalValue()).isEqualByComparingTo(number);
        assertThat(indexed("value_numeric", id, BigDecimal.class)).isEqualByComparingTo(number);
    }

    @Property(tries = 100)
    void textsAreTheSameToTheLastCharacter(@ForAll("texts") String text) {
        var id = new RowId(java.util.UUID.fromString(TEST.records
                .create(SHOP, "thing", Json.exact().createObjectNode().put("t", text))
                .id()));
        assertThat(TEST.get(SHOP, "thing", id).values().path("t").stringValue()).isEqualTo(text);
        assertThat(indexed("value_text", id, String.class)).isEqualTo(text);
    }

    @Property(tries = 100)
    void momentsAreTheSameToTheMicrosecondWhateverTheirOffset(@ForAll("moments") OffsetDateTime moment) {
        var id = new RowId(java.util.UUID.fromString(TEST.records
                .create(SHOP, "thing", Json.exact().createObjectNode().put("d", moment.toString()))
                .id()));
        var expected = moment.toInstant().truncatedTo(ChronoUnit.MICROS);
        assertThat(Instant.parse(TEST.get(SHOP, "thing", id).values().path("d").stringValue()))
                .isEqualTo(expected);
        assertThat(indexed("value_date", id, OffsetDateTime.class).toInstant()).isEqualTo(expected);
    }

    @Property(tries = 100)
    void daysAreTheSameInEveryYear(@ForAll("moments") OffsetDateTime moment) {
        var day = moment.toLocalDate();
        var id = new RowId(java.util.UUID.fromString(TEST.records
                .create(SHOP, "thing", Json.exact().createObjectNode().put("day", day.toString()))
                .id()));
        assertThat(TEST.get(SHOP, "thing", id).values().path("day").stringValue())
                .isEqualTo(day.toString());
        assertThat(indexed("value_date", id, OffsetDateTime.class).toInstant())
                .isEqualTo(day.atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    @Provide
    Arbitrary<BigDecimal> numbers() {
        return Combinators.combine(
                        Arbitraries.bigIntegers()
                                .between(
                                        new java.math.BigInteger("-" + "9".repeat(90)),
                                        new java.math.BigInteger("9".repeat(90))),
                        Arbitraries.integers().between(-100, 100))
                .as(BigDecimal::new);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.strings().ascii().excludeChars('\0').ofMaxLength(100),
                Arbitraries.strings()
                        .withChars('é', '日', '\'', '"', '\\', '%', '\u2028')
                        .ofMaxLength(100),
                Arbitraries.of("'; DROP TABLE x; --", ":name", "?", "{}", "null", "😀", "\u007f", "a\r\nb\t"));
    }

    @Provide
    Arbitrary<OffsetDateTime> moments() {
        return Combinators.combine(
                        Arbitraries.longs().between(-62_000_000_000L, 253_000_000_000L),
                        Arbitraries.integers().between(0, 999_999_999),
                        Arbitraries.integers().between(-18 * 60, 18 * 60))
                .as((seconds, nanos, minutes) ->
                        Instant.ofEpochSecond(seconds, nanos).atOffset(ZoneOffset.ofTotalSeconds(minutes * 60)));
    }

    private static <T> T indexed(String column, RowId id, Class<T> type) {
        return TEST.db.read(reads -> reads.query("SELECT %s FROM %s WHERE row_id = :id AND %s IS NOT NULL"
                        .formatted(column, SHOP.tables().eav(), column))
                .bind("id", id.value())
                .map(row -> row.getObject(1, type))
                .one());
    }
}
