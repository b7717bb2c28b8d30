package io.hiroba.platform.i18n;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ENGLISH|3 hours ago|13 May 2026, 02:00|tomorrow, 02:00|Thursday, 14 May 2026 at 02:00|1,234,567",
                "JAPANESE|3 時間前|2026年5月13日 02:00|明日 02:00|2026年5月14日（木）02:00|1,234,567",
                "CHINESE|3小时前|2026年5月13日 02:00|明天 02:00|2026年5月14日（周四）02:00|1,234,567"
            })
    void eachLanguageWritesTimesAndNumbersInItsWay(
            Language language, String ago, String dateTime, String upcoming, String longDateTime, String number) {
        var reader = new Reader(language, WHEN.zone(), WHEN.now());
        var earlier = WHEN.now().minus(Duration.ofHours(3));
        var later = earlier.plus(Duration.ofDays(1));
        assertThat(reader.ago(earlier)).isEqualTo(ago);
        assertThat(reader.dateTime(earlier)).isEqualTo(dateTime);
        assertThat(reader.upcoming(later)).isEqualTo(upcoming);
        assertThat(reader.longDateTime(later)).isEqualTo(longDateTime);
        assertThat(reader.number(1_234_567)).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"ENGLISH, ann Bob Émile 二葉 王芳 龍", "CHINESE, 二葉 龍 王芳 ann Bob Émile"})
    void namesAreInTheOrderOfTheReadersLanguage(Language language, String names) {
        var ordered = new ArrayList<>(List.of(names.split(" ")));
        Collections.shuffle(ordered, new Random(3));
        ordered.sort(new Reader(language, WHEN.zone(), WHEN.now()).nameOrder());
        assertThat(String.join(" ", ordered)).isEqualTo(names);
    }

    @Test
    void aFieldsMessageIsASentenceBelowTheField() {
        var message = Text.of("http.field.boolean");
        assertThat(WHEN.sentence(message)).isEqualTo("Must be true or false.");
        assertThat(new Reader(Language.JAPANESE, WHEN.zone(), WHEN.now()).sentence(message))
                .isEqualTo("true か false を指定してください。");
        assertThat(new Reader(Language.CHINESE, WHEN.zone(), WHEN.now()).sentence(message))
                .isEqualTo("必须是 true 或 false。");
    }

    @ParameterizedTest
    @CsvSource({"ja,JAPANESE", "zh-TW,CHINESE", "de;q=0.9|zh-Hans;q=0.5,CHINESE", "fr|en;q=0.1,ENGLISH"})
    void aBrowserAsksForALanguage(String header, Language language) {
        assertThat(Language.accepted(header.replace('|', ','))).contains(language);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "de", "*;q=x", "ja;q=2;;", "\0"})
    void whatIsNoLanguageOfOursIsNone(String header) {
        assertThat(Language.accepted(header)).isEmpty();
    }
}
