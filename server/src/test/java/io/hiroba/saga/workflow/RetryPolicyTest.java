package io.hiroba.saga.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.saga.workflow.RetryPolicy.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofSeconds(1);

    private static List<Long> delays(Backoff backoff, int... attempts) {
        var retry = new RetryPolicy(100, backoff, FIRST, MOST, 0);
        return IntStream.of(attempts)
                .mapToObj(attempt -> retry.delayAfter(attempt, new Random(1)).toMillis())
                .toList();
    }

    @Test
    void exponentialDoublesUpToTheLongestInterval() {
        assertThat(delays(Backoff.EXPONENTIAL, 1, 2, 3, 4, 5, 6)).containsExactly(100L, 200L, 400L, 800L, 1000L, 1000L);
    }

    @Test
    void manyAttemptsDoNotOverflow() {
        assertThat(delays(Backoff.EXPONENTIAL, 31, 63, 64, 65, Integer.MAX_VALUE))
                .containsOnly(1000L);
        for (var first : List.of(Duration.ofMillis(1), Duration.ofDays(1), Duration.ofDays(365))) {
            var retry = new RetryPolicy(1000, Backoff.EXPONENTIAL, first, Duration.ofDays(365), 0.5);
            assertThat(IntStream.rangeClosed(1, 1000).mapToObj(attempt -> retry.delayAfter(attempt, new Random(1))))
                    .allMatch(delay -> !delay.isNegative() && delay.compareTo(Duration.ofDays(365)) <= 0);
        }
    }

    @Test
    void fixedStaysAndNoneDoesNotWait() {
        assertThat(delays(Backoff.FIXED, 1, 2, 50)).containsOnly(100L);
        assertThat(delays(Backoff.NONE, 1, 2, 50)).containsOnly(0L);
    }

    @Test
    void aFirstIntervalAboveTheLongestIsCut() {
        for (var backoff : List.of(Backoff.FIXED, Backoff.EXPONENTIAL)) {
            var retry = new RetryPolicy(3, backoff, Duration.ofSeconds(9), MOST, 0);
            assertThat(retry.delayAfter(1, new Random(1))).isEqualTo(MOST);
        }
    }

    @Test
    void jitterShortensByUpToItsPartAndNeverLengthens() {
        var retry = new RetryPolicy(3, Backoff.FIXED, FIRST, MOST, 0.3);
        var random = new Random(1);
        var delays = Stream.generate(() -> retry.delayAfter(1, random).toNanos())
                .limit(1000)
                .toList();
        assertThat(delays).allMatch(nanos -> nanos > 70_000_000 && nanos <= 100_000_000);
        assertThat(delays).anyMatch(nanos -> nanos < 72_000_000).anyMatch(nanos -> nanos > 98_000_000);
    }

    @Test
    void whatIsLeftOutIsThreeAttemptsASecondApartAndDoubling() {
        assertThat(RetryPolicy.DEFAULT.maxAttempts()).isEqualTo(3);
        assertThat(RetryPolicy.DEFAULT.delayAfter(1, new Random(1))).isEqualTo(Duration.ofSeconds(1));
        assertThat(RetryPolicy.DEFAULT.delayAfter(2, new Random(1))).isEqualTo(Duration.ofSeconds(2));
        assertThat(RetryPolicy.DEFAULT.delayAfter(20, new Random(1))).isEqualTo(Duration.ofMinutes(1));
    }
}
