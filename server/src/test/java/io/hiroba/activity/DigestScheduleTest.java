package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigestScheduleTest {

    @ParameterizedTest(name = "{0} in {1} at {2}")
    @CsvSource({
        // The same morning, and exactly at eight the next one.
        "DAILY, Asia/Tokyo, 2026-01-01T22:59:59Z, 2026-01-01T23:00:00Z",
        "DAILY, Asia/Tokyo, 2026-01-01T23:00:00Z, 2026-01-02T23:00:00Z",
        // 2026-01-05 is a Monday.
        "WEEKLY, Asia/Tokyo, 2026-01-01T00:00:00Z, 2026-01-04T23:00:00Z",
        "WEEKLY, Asia/Tokyo, 2026-01-04T23:00:00Z, 2026-01-11T23:00:00Z",
        "WEEKLY, UTC, 2026-01-05T07:59:59.999Z, 2026-01-05T08:00:00Z",
        // The clocks of Berlin go forward on 2026-03-29 and back on 2026-10-25: eight stays eight.
        "DAILY, Europe/Berlin, 2026-03-28T07:00:00Z, 2026-03-29T06:00:00Z",
        "DAILY, Europe/Berlin, 2026-10-24T06:00:00Z, 2026-10-25T07:00:00Z",
        "WEEKLY, Europe/Berlin, 2026-10-19T06:00:00Z, 2026-10-26T07:00:00Z",
        // Apia left out the whole of 2011-12-30.
        "DAILY, Pacific/Apia, 2011-12-29T18:00:00Z, 2011-12-30T18:00:00Z",
    })
    void aDigestIsDueAtEightInTheMorningWhereItsReaderLives(
            DigestFrequency digest, String zone, Instant now, Instant due) {
        assertThat(DigestSchedule.next(digest, ZoneId.of(zone), now)).isEqualTo(due);
    }

    @Test
    void whateverTheZoneItIsSoonAndNeverNow() {
        var from = Instant.parse("2026-01-01T00:00:00Z");
        for (var zone : ZoneId.getAvailableZoneIds()) {
            for (int hour = 0; hour < 366 * 24; hour += 23) {
                var now = from.plus(Duration.ofHours(hour));
                var wait = Duration.between(now, DigestSchedule.next(DigestFrequency.DAILY, ZoneId.of(zone), now));
                assertThat(wait).as(zone + " at " + now).isBetween(Duration.ofNanos(1), Duration.ofHours(26));
            }
        }
    }

    @Test
    void noDigestIsNeverDue() {
        assertThatThrownBy(() -> DigestSchedule.next(DigestFrequency.OFF, ZoneId.of("UTC"), Instant.EPOCH))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
