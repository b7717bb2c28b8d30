package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.social.Author;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CardsViewTest {

    private static final Instant NOW = Instant.parse("2025-08-22T20:00:00Z");

    private final Reader reader = new Reader(Language.ENGLISH, ZoneId.of("Asia/Tokyo"), NOW);

    @ParameterizedTest
    @CsvSource({
        "2025-08-22T19:30:00Z, 'Today, 30 minutes ago'",
        "2025-08-22T15:00:00Z, 'Today, 5 hours ago'",
        "2025-08-22T14:59:59Z, Yesterday",
        "2025-08-21T14:59:59Z, 21 August 2025"
    })
    void aDayIsCalledAsItsReaderCallsIt(Instant newest, String day) {
        assertThat(time(card("2025-08-22", newest), reader).day()).isEqualTo(day);
    }

    /** The term is of the zone that the reader had when the act happened: there it was the day before, or the day after. */
    @ParameterizedTest
    @CsvSource({"Pacific/Pago_Pago, 2025-08-23", "Pacific/Kiritimati, 2025-08-22", "Asia/Tokyo, 2025-08-22"})
    void aChangedZoneDoesNotTurnHalfAnHourAgoIntoAnotherDay(String zone, String term) {
        var now = new Reader(Language.ENGLISH, ZoneId.of(zone), NOW);
        var halfAnHourAgo = NOW.minus(Duration.ofMinutes(30));
        assertThat(time(card(term, halfAnHourAgo), now).day()).isEqualTo("Today, 30 minutes ago");
    }

    @Test
    void aCardWhosePeopleAreGoneIsOfTheTimeItWasUpdated() {
        var card = new Card(Slot.FOLLOW, "2025-08-21", false, NOW, NOW, 1, null, null, List.of());
        assertThat(time(card, reader).day()).isEqualTo("Today, just now");
    }

    @ParameterizedTest
    @CsvSource({"JAPANESE, 今日、30 分前", "CHINESE, 今天，30分钟前"})
    void theDayIsInTheLanguageOfItsReader(Language language, String day) {
        var now = new Reader(language, ZoneId.of("Asia/Tokyo"), NOW);
        assertThat(time(card("2025-08-23", NOW.minus(Duration.ofMinutes(30))), now)
                        .day())
                .isEqualTo(day);
    }

    @Test
    void theTimeOfADigestIsInTheZoneOfItsReader() {
        assertThat(reader.longDateTime(Instant.parse("2025-08-24T23:00:00Z")))
                .isEqualTo("Monday, 25 August 2025 at 08:00");
    }

    private static CardsView.Time time(Card card, Reader reader) {
        return CardsView.Item.of(card, new UserId(1), reader).time();
    }

    /** A card of one follower; the older act is the one that the time must not follow from. */
    private static Card card(String term, Instant newest) {
        var ann = new Author(new UserId(2), "Ann", null, false);
        var acts = List.of(new Card.Act(newest, ann, null), new Card.Act(newest.minus(Duration.ofHours(9)), ann, null));
        return new Card(Slot.FOLLOW, term, false, NOW, NOW, 1, null, null, acts);
    }
}
