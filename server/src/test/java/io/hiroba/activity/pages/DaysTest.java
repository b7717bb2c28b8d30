package io.hiroba.activity.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class DaysTest {

    private final Days days = new Days(Instant.parse("2025-08-22T20:00:00Z"), ZoneId.of("Asia/Tokyo"));

    @Test
    void aDayIsCalledAsItsReaderCallsIt() {
        assertThat(days.of("2025-08-23")).isEqualTo("Today");
        assertThat(days.of("2025-08-22")).isEqualTo("Yesterday");
        assertThat(days.of("2025-08-21")).isEqualTo("21 August 2025");
        assertThat(days.of("2025-08-24")).isEqualTo("24 August 2025");
    }

    @Test
    void aTermThatIsNoDayIsShownAsItIs() {
        assertThat(days.of("spring")).isEqualTo("spring");
        assertThat(days.isToday("spring")).isFalse();
    }

    @Test
    void aMomentHasTheHourOfItsReader() {
        assertThat(days.moment(Instant.parse("2025-08-24T23:00:00Z"))).isEqualTo("Monday, 25 August 2025 at 08:00");
    }
}
