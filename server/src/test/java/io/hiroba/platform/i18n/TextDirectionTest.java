package io.hiroba.platform.i18n;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Bidi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextDirectionTest {

    @Test
    void aTextWithoutSignsStaysAsItIs() {
        for (var text : new String[] {"", "tea", "שלום tea 12", "👩\u200D💻", "\u200Fمرحبا"}) {
            assertThat(TextDirection.isolated(text)).isSameAs(text);
            assertThat(TextDirection.isSet(text)).isFalse();
        }
    }

    @Test
    void whatIsBegunIsEndedAndNothingElseIs() {
        assertThat(TextDirection.isolated("a\u202Eb")).isEqualTo("\u2068a\u202Eb\u202C\u2069");
        assertThat(TextDirection.isolated("\u202A\u2067x")).isEqualTo("\u2068\u202A\u2067x\u2069\u202C\u2069");
        assertThat(TextDirection.isolated("a\u2069\u202C\u202Eb")).isEqualTo("\u2068a\u202Eb\u202C\u2069");
        assertThat(TextDirection.isolated("\u2066\u202Ba\u2069b")).isEqualTo("\u2068\u2066\u202Ba\u202C\u2069b\u2069");
        assertThat(TextDirection.isolated("\u202Da\u202Cb")).isEqualTo("\u2068\u202Da\u202Cb\u2069");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\u202E", "x\u202E", "\u2069\u202Ex", "\u202C\u202B", "\u2067x", "\u2066\u202E\u2069\u2069\u202E"
            })
    void whatIsAroundItKeepsItsOrder(String text) {
        var sentence = "Read " + TextDirection.isolated(text) + " 12 - 34 now";
        var levels = new Bidi(sentence, Bidi.DIRECTION_LEFT_TO_RIGHT);
        for (int i = sentence.indexOf(" 12"); i < sentence.length(); i++) {
            assertThat(levels.getLevelAt(i)).as(sentence.substring(i)).isZero();
        }
        assertThat(new Bidi("Read " + text + "\u202E 12", Bidi.DIRECTION_LEFT_TO_RIGHT).isLeftToRight())
                .isFalse();
    }

    @Test
    void anArgumentOfAMessageDoesNotTurnTheRestOfIt() {
        var said = Text.of("problem.field", "field", "a\u202Eb", "message", "is wrong")
                .in(Language.ENGLISH);
        assertThat(said).isEqualTo("`\u2068a\u202Eb\u202C\u2069` is wrong.");
    }
}
