package io.hiroba.knowledge.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a model wrote, on its way into a page. */
class AnswerTextTest {

    private static final List<CitedItem> PASSAGES = List.of(passage(1), passage(2));

    private static CitedItem passage(int number) {
        var path = Paths.passage(new SourceId(10 + number), new ChunkId(20 + number));
        return new CitedItem(number, "Tea", "Page 1", List.of(), path, path);
    }

    private static String html(String markdown) {
        return AnswerText.of(markdown, PASSAGES).html().value();
    }

    @Test
    void numbersInBracketsLeadToTheirPassages() {
        assertThat(html("Steep it [1], **briefly** [1, 2]."))
                .contains(">[1]</a>, <strong>briefly</strong> ")
                .contains("href=\"/knowledge/sources/000000000000000C?chunk=0000000000000016\"")
                .doesNotContain("[1, 2]");
    }

    @Test
    void whatIsNoPassageIsNoCitation() {
        assertThat(html("See [7] and [1, 9].")).isEqualTo("<p>See [7] and [1, 9].</p>");
        assertThat(html("`array[1]`")).isEqualTo("<p><code>array[1]</code></p>");
    }

    @Test
    void markupOfTheModelIsOnlyText() {
        assertThat(html("<script>alert(1)</script> [1] <img src=x onerror=alert(1)>"))
                .doesNotContain("<script")
                .doesNotContain("<img");
        assertThat(html("[click](javascript:alert(1))")).doesNotContain("href");
    }

    @Test
    void longPassagesAreShownByTheirBeginning() {
        assertThat(Excerpt.of("a\n\n b")).isEqualTo("a b");
        assertThat(Excerpt.of("😀".repeat(300))).hasSize(401).endsWith("😀…");
    }
}
