package io.hiroba.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AvatarTest {

    @ParameterizedTest
    @CsvSource({"Hana,H", "山田 太郎,山", "👩‍🌾 Farmer,👩‍🌾", "🇯🇵 Nippon,🇯🇵", "' ',?"})
    void theFirstCharacterIsWholeAsPeopleSeeIt(String nickname, String letter) {
        assertThat(Avatar.of("1", nickname, null).letter()).isEqualTo(letter);
    }

    @Test
    void aPictureIsShownByItsThumbnailIfItIsOurs() {
        assertThat(Avatar.of("1", "x", "/media/A/B.jpg").thumbnail()).isEqualTo("/media/A/B.128.jpg");
        assertThat(Avatar.of("1", "x", "https://evil.example/a.jpg").thumbnail())
                .isNull();
        assertThat(Avatar.of("1", "x", "//evil.example/a.jpg").thumbnail()).isNull();
        assertThat(Avatar.of("1", "x", "/plain").thumbnail()).isNull();
        assertThat(Avatar.of("1", "x", null).thumbnail()).isNull();
    }
}
