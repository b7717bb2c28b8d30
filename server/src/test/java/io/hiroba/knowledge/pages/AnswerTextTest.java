package io.hiroba.knowledge.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.pages.ChatView.Cited;
import io.hiroba.platform.i18n.Text;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a model wrote, on its way into a page. */
class AnswerTextTest {

    private static final List<Cited> CHUNKS = List.of(chunk(1), chunk(2));

    private static Cited chunk(int number) {
        var path = KnowledgePaths.chunk(new SourceId(10 + number), new ChunkId(20 + number));
        return new Cited(number, "Tea", Text.verbatim("Page 1"), List.of(), null, path, path);
    }

    private static String html(String markdown) {
        return AnswerText.of(markdown, CHUNKS).html().value();
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
        assertThat(DeadLetterItem.excerpt("a\n\n b")).isEqualTo("a b");
        assertThat(DeadLetterItem.excerpt("😀".repeat(300))).hasSize(401).endsWith("😀…");
    }
}
