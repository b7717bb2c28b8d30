package io.hiroba.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnoozePresetTest {

    @ParameterizedTest
    @CsvSource({
        "1h, Asia/Tokyo, 2026-05-01T12:00:00Z, 2026-05-01T13:00:00Z",
        "4h, Asia/Tokyo, 2026-05-01T12:00:00Z, 2026-05-01T16:00:00Z",
        // Half past midnight of the second of May: the morning of the third.
        "tomorrow, Asia/Tokyo, 2026-05-01T15:30:00Z, 2026-05-02T23:00:00Z",
        "tomorrow, America/Los_Angeles, 2026-05-01T06:59:00Z, 2026-05-01T15:00:00Z",
        // The night is an hour shorter, or longer, and the morning at eight all the same.
        "tomorrow, Europe/Berlin, 2026-03-28T20:00:00Z, 2026-03-29T06:00:00Z",
        "tomorrow, America/New_York, 2026-10-31T12:00:00Z, 2026-11-01T13:00:00Z",
        // An hour is an hour, whatever the clocks show.
        "4h, Europe/Berlin, 2026-03-29T00:30:00Z, 2026-03-29T04:30:00Z",
        "next-week, Europe/Berlin, 2026-05-01T12:00:00Z, 2026-05-04T06:00:00Z",
        "next-week, Europe/Berlin, 2026-05-04T05:00:00Z, 2026-05-11T06:00:00Z",
        "next-week, Pacific/Kiritimati, 2026-05-03T09:59:00Z, 2026-05-03T18:00:00Z",
        "next-week, Europe/Berlin, 2026-10-20T12:00:00Z, 2026-10-26T07:00:00Z"
    })
    void aPresetEndsByTheClockWhereSomebodyLives(String name, String zone, Instant now, Instant end) {
        assertThat(Snooze.preset(name).end(now, ZoneId.of(zone))).contains(end);
    }
}
