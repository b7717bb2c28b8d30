package io.hiroba.platform.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.text.Transliterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The file of Chinese characters, compared with ICU. */
@Tag("slow")
class ChineseCharactersTest {

    /** Both simplified itself, of another, and traditional. */
    private static final String BOTH = "苧";

    @Test
    void formsAreThoseOfTheTransliterator() {
        var icu = Transliterator.getInstance("Traditional-Simplified");
        var others = IntStream.rangeClosed('\u4E00', '\u9FFF')
                .mapToObj(Character::toString)
                .filter(each -> !BOTH.equals(each))
                .filter(each -> {
                    var simplified = icu.transliterate(each);
                    return simplified.matches("[\u4E00-\u9FFF]")
                            && !ChineseCharacters.forms(each.charAt(0)).startsWith(simplified);
                })
                .toList();
        assertThat(others).isEmpty();
        assertThat(ChineseCharacters.forms('髮')).isEqualTo("发發髮");
        assertThat(ChineseCharacters.forms('あ')).isEqualTo("あ");
    }
}
