package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkLocationTest {

    @ParameterizedTest
    @CsvSource({
        "Page 1200, 1200ページ, 第 1200 页",
        "Paragraph 2, 段落2, 第 2 段",
        "Message 7, メッセージ7, 消息 7",
        "Messages 1–4, メッセージ1～4, 消息 1–4",
        "Messages #0–#4, メッセージ#0～#4, 消息 #0–#4",
        "Brewing › Water, Brewing › Water, Brewing › Water",
        "Page two, Page two, Page two"
    })
    void aStoredLabelIsShownInTheLanguageOfTheReader(String label, String japanese, String chinese) {
        var text = ChunkLocation.text(label);
        assertThat(text).hasToString(label);
        assertThat(text.in(Language.JAPANESE)).isEqualTo(japanese);
        assertThat(text.in(Language.CHINESE)).isEqualTo(chinese);
    }

    @Test
    void whatIsStoredCanBeTranslated() {
        assertThat(ChunkLocation.text(ChunkLocation.label("PAGE", 3)).key()).isEqualTo("knowledge.place.page");
        assertThat(ChunkLocation.text(ChunkLocation.paragraphLabel(3)).key()).isEqualTo("knowledge.place.paragraph");
        assertThat(ChunkLocation.text(ChunkLocation.messagesLabel("#", 3, 3)).key())
                .isEqualTo("knowledge.place.message");
        assertThat(ChunkLocation.text(ChunkLocation.messagesLabel("", 3, 5)).key())
                .isEqualTo("knowledge.place.messages");
    }
}
