package io.hiroba.platform.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptLanguageTest {

    @ParameterizedTest
    @CsvSource({
        "お茶は70度のお湯で淹れます。, ja",
        "カタカナ, ja",
        "ｶﾚｰ, ja",
        "Javaのvirtual threadsを試した, ja",
        "𠮷, zh-CN",
        "用 PostgreSQL 做搜索, zh-CN",
        "The angle α is 30°, en",
        "「Yes」・ー, en",
        "サーバーをJava 25とPostgreSQLで動かす, ja",
        "绿茶要用七十度的水泡。, zh-CN",
        "用 PostgreSQL 存储所有数据，不需要其他服务, zh-CN",
        "Brew green tea at 70 degrees., en",
        "The word 広場 (ひろば) means a square in a town, en",
        "café, en"
    })
    void theScriptTellsTheLanguage(String text, String tag) {
        assertThat(ScriptLanguage.tag(text)).isEqualTo(tag);
    }

    @Test
    void charactersThatTwoLanguagesShareAreTheReaders() {
        assertThat(ScriptLanguage.of("緊急会議開催", () -> Language.JAPANESE)).contains(Language.JAPANESE);
        assertThat(ScriptLanguage.of("緊急会議開催", () -> Language.ENGLISH)).contains(Language.CHINESE);
        assertThat(ScriptLanguage.of("meeting", () -> Language.JAPANESE)).contains(Language.ENGLISH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "70 – 80 %", "😀", "Зелёный чай", "녹차", "안녕하세요 OK", "ab βγ", "شاي", "Hiroba на площади"})
    void anotherScriptOrNoneTellsNothing(String text) {
        assertThat(ScriptLanguage.tag(text)).isNull();
    }
}
