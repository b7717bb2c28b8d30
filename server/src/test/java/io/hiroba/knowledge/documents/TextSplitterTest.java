package io.hiroba.knowledge.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class TextSplitterTest {

    @Test
    void whatFitsStaysWhole() {
        assertThat(TextSplitter.split("One.\n\nTwo.", 50)).isEqualTo(List.of("One.\n\nTwo."));
        assertThat(TextSplitter.split("  \n ", 50)).isEmpty();
    }

    @Test
    void itIsCutAtTheCoarsestBoundaryThatHelps() {
        var paragraph = "Cats sleep a lot. Dogs bark at night, and birds sing.";
        assertThat(TextSplitter.split(paragraph + "\n\n" + paragraph, 16)).containsExactly(paragraph, paragraph);
        assertThat(TextSplitter.split("a b c\nd e f", 4)).containsExactly("a b c", "d e f");
        assertThat(TextSplitter.split("吾輩は猫である。名前はまだ無い。", 14)).containsExactly("吾輩は猫である。", "名前はまだ無い。");
        assertThat(TextSplitter.split("alpha beta, gamma delta", 4)).containsExactly("alpha beta,", "gamma delta");
    }

    @Property(tries = 200)
    void everyPartFitsAndNothingButWhiteSpaceIsLost(
            @ForAll @StringLength(max = 400) String text, @ForAll @IntRange(min = 8, max = 40) int most) {
        var parts = TextSplitter.split(text, most);
        assertThat(parts)
                .allSatisfy(part -> assertThat(TokenCounter.count(part)).isLessThanOrEqualTo(most));
        assertThat(visible(String.join("", parts))).isEqualTo(visible(text));
    }

    private static String visible(String text) {
        return text.codePoints()
                .filter(character -> !Character.isWhitespace(character))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
