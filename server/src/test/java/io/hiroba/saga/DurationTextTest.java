package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationTextTest {

    @Test
    void timesAreWrittenInTwoUnitsAtMost() {
        assertThat(DurationText.text(Duration.ofMillis(-5))).hasToString("0 ms");
        assertThat(DurationText.text(Duration.ofMillis(999))).hasToString("999 ms");
        assertThat(DurationText.text(Duration.ofMillis(3_270))).hasToString("3.2 s");
        assertThat(DurationText.text(Duration.ofSeconds(30))).hasToString("30 s");
        assertThat(DurationText.text(Duration.ofSeconds(60))).hasToString("1 min");
        assertThat(DurationText.text(Duration.ofSeconds(125))).hasToString("2 min 5 s");
        assertThat(DurationText.text(Duration.ofMinutes(61))).hasToString("1 h 1 min");
        assertThat(DurationText.text(Duration.ofHours(49))).hasToString("2 d 1 h");
    }

    @Test
    void timesAreWrittenInTheLanguageOfTheReader() {
        var time = DurationText.text(Duration.ofSeconds(125));
        assertThat(time.in(Language.JAPANESE)).isEqualTo("2分5秒");
        assertThat(time.in(Language.CHINESE)).isEqualTo("2 分钟 5 秒");
    }
}
