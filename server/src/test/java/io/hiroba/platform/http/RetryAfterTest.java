package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-31T12:00:00Z"), ZoneOffset.UTC);
    private static final Duration MAX = Duration.ofMinutes(15);

    @Test
    void secondsAndDatesAreReadAndBounded() {
        assertThat(RetryAfter.parse(" 3 ", CLOCK, MAX)).isEqualTo(Duration.ofSeconds(3));
        assertThat(RetryAfter.parse("0.5", CLOCK, MAX)).isEqualTo(Duration.ofMillis(500));
        assertThat(RetryAfter.parse("Sat, 31 Jan 2026 12:01:00 GMT", CLOCK, MAX))
                .isEqualTo(Duration.ofMinutes(1));
        assertThat(RetryAfter.parse("Sat, 31 Jan 2026 11:00:00 GMT", CLOCK, MAX))
                .isEqualTo(Duration.ZERO);
        assertThat(RetryAfter.parse("999999999999999999", CLOCK, MAX)).isEqualTo(MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1", "1e9", "12:00"})
    void nonsenseIsIgnored(String header) {
        assertThat(RetryAfter.parse(header, CLOCK, MAX)).isNull();
    }
}
