package io.hiroba.platform.text;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class FoldingPropertyTest {

    @Provide
    Arbitrary<String> ascii() {
        return Arbitraries.strings().withCharRange('\0', '\u007F').ofMaxLength(60);
    }

    @Provide
    Arbitrary<String> joined() {
        return Arbitraries.strings().withChars("ab1._:-' \n").ofMaxLength(20);
    }

    @Property
    void theShortWayFoldsAsTheLongOne(@ForAll("ascii") String text) {
        same(text);
    }

    @Property
    void wordsArePartedAlikeEitherWay(@ForAll("joined") String text) {
        same(text);
    }

    private static void same(String text) {
        var one = Folding.of(text);
        var other = Folding.any(text);
        assertThat(one.text()).isEqualTo(other.text());
        for (int i = 0; i < text.length(); i++) {
            assertThat(one.start(i)).isEqualTo(other.start(i));
            assertThat(one.end(i + 1)).isEqualTo(other.end(i + 1));
        }
    }
}
