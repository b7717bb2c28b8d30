package io.hiroba.records.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** Whatever the values are and however they spread, what is estimated of them is near what is so. */
class ValueSamplePropertyTest {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int RECORDS = 6000;

    /** From all of them the shares are known to within half a step between bounds; from a part by chance besides. */
    private static final double FROM_ALL = 0.012;

    private static final double FROM_A_PART = 0.06;

    private static SchemaAttribute attribute(ValueType type) {
        return new SchemaAttribute(
                SchemaAttribute.id(0, type),
                "a",
                null,
                type,
                false,
                false,
                null,
                List.of(),
                null,
                null,
                null,
                false,
                null);
    }

    /** The higher {@code skew}, the more often the same few are met. */
    private static int skewed(Random random, int distinct, int skew) {
        return (int) (distinct * Math.pow(random.nextDouble(), skew));
    }

    private static AttributeStatistics statistics(ValueType type, List<@Nullable String> values, int sampled) {
        var shuffled = new ArrayList<>(values);
        Collections.shuffle(shuffled, new Random(7));
        var sample = new ValueSample(List.of(attribute(type)));
        shuffled.stream().limit(sampled).forEach(value -> sample.add(new @Nullable String[] {value}));
        return sample.of(values.size()).attribute(attribute(type));
    }

    private static double share(long count) {
        return (double) count / RECORDS;
    }

    @Property(tries = 60)
    void numbers(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 8000) int distinct,
            @ForAll @IntRange(min = 1, max = 5) int skew,
            @ForAll @IntRange(min = 0, max = 90) int missing,
            @ForAll boolean all) {
        var random = new Random(seed);
        var values = new ArrayList<@Nullable String>();
        for (int i = 0; i < RECORDS; i++) {
            boolean none = random.nextInt(100) < missing;
            values.add(
                    none
                            ? null
                            : BigDecimal.valueOf(skewed(random, distinct, skew), 2)
                                    .toString());
        }
        var known = values.stream()
                .filter(value -> value != null)
                .map(BigDecimal::new)
                .toList();
        var statistics = statistics(ValueType.NUMERIC, values, all ? RECORDS : RECORDS / 3);
        var margin = within(all ? FROM_ALL : FROM_A_PART);

        assertThat(statistics.present()).isCloseTo(share(known.size()), margin);
        for (int i = 0; i < 10; i++) {
            var one = BigDecimal.valueOf(random.nextInt(-2, distinct + 2), 2);
            var other = BigDecimal.valueOf(random.nextInt(-2, distinct + 2), 2);
            var low = one.min(other);
            var high = one.max(other);
            assertThat(statistics.between(JSON.numberNode(low), JSON.numberNode(high)))
                    .as("from %s to %s", low, high)
                    .isCloseTo(
                            share(known.stream()
                                    .filter(value -> value.compareTo(low) >= 0 && value.compareTo(high) <= 0)
                                    .count()),
                            margin);
            assertThat(statistics.between(null, JSON.numberNode(high)))
                    .isCloseTo(
                            share(known.stream()
                                    .filter(value -> value.compareTo(high) <= 0)
                                    .count()),
                            margin);
            assertThat(statistics.equal(JSON.numberNode(one)))
                    .isCloseTo(
                            share(known.stream()
                                    .filter(value -> value.compareTo(one) == 0)
                                    .count()),
                            margin);
        }
    }

    @Property(tries = 60)
    void texts(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 5000) int distinct,
            @ForAll @IntRange(min = 1, max = 4) int skew) {
        var random = new Random(seed);
        var words = new ArrayList<String>();
        for (int i = 0; i < distinct; i++) {
            words.add(word(random));
        }
        var values = new ArrayList<@Nullable String>();
        for (int i = 0; i < RECORDS; i++) {
            values.add(words.get(skewed(random, distinct, skew)));
        }
        var statistics = statistics(ValueType.TEXT, values, RECORDS);
        for (int i = 0; i < 10; i++) {
            var word = words.get(random.nextInt(distinct));
            var beginning = word.substring(0, word.offsetByCodePoints(0, 1));
            assertThat(statistics.startsWith(beginning))
                    .as("starts with %s", beginning)
                    .isCloseTo(
                            share(values.stream()
                                    .filter(value -> String.valueOf(value).startsWith(beginning))
                                    .count()),
                            within(0.03));
            assertThat(statistics.between(JSON.stringNode(word), null))
                    .isCloseTo(
                            share(values.stream()
                                    .filter(value -> order(String.valueOf(value), word) >= 0)
                                    .count()),
                            within(0.02));
            assertThat(statistics.equal(JSON.stringNode(word)))
                    .isCloseTo(share(values.stream().filter(word::equals).count()), within(FROM_ALL));
        }
    }

    /** In the order of the collation "C". */
    private static int order(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static String word(Random random) {
        var word = new StringBuilder();
        for (int i = random.nextInt(1, 8); i > 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> word.appendCodePoint(random.nextInt('a', 'f'));
                case 1 -> word.appendCodePoint(random.nextInt('0', '9'));
                case 2 -> word.appendCodePoint(random.nextInt(0x3041, 0x3046));
                default -> word.appendCodePoint(random.nextInt(0x1F600, 0x1F604));
            }
        }
        return word.toString();
    }

    @Property(tries = 60)
    void whatIsStoredIsReadAgain(@ForAll long number, @ForAll String text) {
        var date = Objects.requireNonNull(HistogramKey.of(ValueType.DATE, JSON.numberNode(number)));
        assertThat(HistogramKey.of(ValueType.DATE, date.stored(ValueType.DATE))).isEqualTo(date);
        assertThat(date.stored(ValueType.DATE).asString()).isEqualTo(String.valueOf(number));
        var written = Objects.requireNonNull(HistogramKey.written(ValueType.TEXT, text));
        assertThat(HistogramKey.of(ValueType.TEXT, written.stored(ValueType.TEXT)))
                .isEqualTo(written);
    }
}
