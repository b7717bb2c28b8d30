package io.hiroba.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AvatarTest {

    @ParameterizedTest
    @CsvSource({"Hana,H", "山田 太郎,山", "👩‍🌾 Farmer,👩‍🌾", "🇯🇵 Nippon,🇯🇵", "' ',?"})
    void theFirstCharacterIsWholeAsPeopleSeeIt(String nickname, String letter) {
        assertThat(Avatar.of("1", nickname).letter()).isEqualTo(letter);
    }
}
