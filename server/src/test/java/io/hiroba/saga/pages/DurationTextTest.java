package io.hiroba.saga.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationTextTest {

    @Test
    void timesAreWrittenInTwoUnitsAtMost() {
        assertThat(DurationText.text(Duration.ofMillis(-5))).isEqualTo("0 ms");
        assertThat(DurationText.text(Duration.ofMillis(999))).isEqualTo("999 ms");
        assertThat(DurationText.text(Duration.ofMillis(3_270))).isEqualTo("3.2 s");
        assertThat(DurationText.text(Duration.ofSeconds(30))).isEqualTo("30 s");
        assertThat(DurationText.text(Duration.ofSeconds(60))).isEqualTo("1 min");
        assertThat(DurationText.text(Duration.ofSeconds(125))).isEqualTo("2 min 5 s");
        assertThat(DurationText.text(Duration.ofMinutes(61))).isEqualTo("1 h 1 min");
        assertThat(DurationText.text(Duration.ofHours(49))).isEqualTo("2 d 1 h");
    }
}
