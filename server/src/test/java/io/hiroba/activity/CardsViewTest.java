package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class CardsViewTest {

    private final Reader clock = new Reader(Language.ENGLISH, ZoneId.of("Asia/Tokyo"), Instant.parse("2025-08-22T20:00:00Z"));

    @Test
    void aDayIsCalledAsItsReaderCallsIt() {
        assertThat(CardsView.Item.day("2025-08-23", clock)).isEqualTo("Today");
        assertThat(CardsView.Item.day("2025-08-22", clock)).isEqualTo("Yesterday");
        assertThat(CardsView.Item.day("2025-08-21", clock)).isEqualTo("21 August 2025");
        assertThat(CardsView.Item.day("2025-08-24", clock)).isEqualTo("24 August 2025");
    }

    @Test
    void aTermThatIsNoDayIsShownAsItIs() {
        assertThat(CardsView.Item.day("spring", clock)).isEqualTo("spring");
    }

    @Test
    void theTimeOfADigestIsInTheZoneOfItsReader() {
        assertThat(clock.longDateTime(Instant.parse("2025-08-24T23:00:00Z")))
                .isEqualTo("Monday, 25 August 2025 at 08:00");
    }
}
