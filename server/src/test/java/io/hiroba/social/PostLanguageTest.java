package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.i18n.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostLanguageTest {

    @ParameterizedTest
    @ValueSource(strings = {"こんにちは", "本と煮物の話をします。", "カレー", "ｶﾚｰ", "Javaのvirtual threadsを試した"})
    void kanaIsJapanese(String text) {
        assertThat(PostLanguage.guess(text)).contains(Language.JAPANESE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"大家好，我在台北的書店上班。", "用 PostgreSQL 做搜索", "𠮷"})
    void hanWithoutKanaIsChinese(String text) {
        assertThat(PostLanguage.guess(text)).contains(Language.CHINESE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Hello!", "The angle α is 30°", "x", "「Yes」・ー"})
    void mostlyLatinIsEnglish(String text) {
        assertThat(PostLanguage.guess(text)).contains(Language.ENGLISH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "42 + 1 = 43", "🍅", "Привет, мир", "안녕하세요 OK", "ab βγ"})
    void whateverElseIsUnknown(String text) {
        assertThat(PostLanguage.guess(text)).isEmpty();
    }

    @Test
    void aCodeNamesALanguageOfHiroba() {
        assertThat(PostLanguage.parse("ja")).isEqualTo(Language.JAPANESE);
        assertThatThrownBy(() -> PostLanguage.parse("fr")).hasMessage("`lang` must be one of en, ja, zh.");
    }
}
