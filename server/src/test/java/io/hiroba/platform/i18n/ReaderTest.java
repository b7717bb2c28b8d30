package io.hiroba.platform.i18n;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReaderTest {

    private static final Reader WHEN =
            new Reader(Language.ENGLISH, ZoneId.of("Asia/Tokyo"), Instant.parse("2026-05-12T20:00:00Z"));

    @ParameterizedTest
    @CsvSource({
        "PT0S,just now",
        "PT59S,just now",
        "PT1M,1 minute ago",
        "PT59M,59 minutes ago",
        "PT1H,1 hour ago",
        "PT23H,23 hours ago",
        "P1D,1 day ago",
        "P6D,6 days ago",
        "P7D,on 6 May 2026"
    })
    void whatIsLongAgoHasTheDateOfTheReader(Duration age, String words) {
        assertThat(WHEN.ago(WHEN.now().minus(age))).isEqualTo(words);
    }
}
