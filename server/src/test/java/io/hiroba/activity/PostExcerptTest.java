package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.markdown.Markdown;
import org.junit.jupiter.api.Test;

class PostExcerptTest {

    private static String of(String markdown) {
        return PostExcerpt.of(Markdown.parse(markdown).snippet().json());
    }

    @Test
    void anExcerptIsTheFirstWordsOnOneLineWithoutMarkup() {
        assertThat(of("# Tomatoes\n\nThe **first** one,\n`ripe` & [red](https://example.org)."))
                .isEqualTo("Tomatoes The first one, ripe & red.");
        assertThat(of("<script>alert(1)</script>")).isEqualTo("<script>alert(1)</script>");
        assertThat(of("")).isEmpty();
    }

    @Test
    void aLongTextIsCutBetweenCharactersAsPeopleCountThem() {
        var families = "👨‍👩‍👧".repeat(20);
        assertThat(of("a".repeat(80) + families + "bc")).isEqualTo("a".repeat(80) + families + "…");
        assertThat(of("a".repeat(81) + families)).isEqualTo("a".repeat(81) + families.substring(8) + "…");
        assertThat(of("a".repeat(PostExcerpt.MAX_CHARACTERS))).isEqualTo("a".repeat(PostExcerpt.MAX_CHARACTERS));
        assertThat(of("a".repeat(99) + " and so on")).isEqualTo("a".repeat(99) + "…");
    }

    @Test
    void aShortTextThatGoesOnSaysSo() {
        assertThat(of("one\n\n".repeat(20))).isEqualTo("one one one one one one one one one…");
    }
}
