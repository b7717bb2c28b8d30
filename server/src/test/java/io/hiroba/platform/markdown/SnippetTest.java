package io.hiroba.platform.markdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnippetTest {

    private static final String EMPTY_MARK = "<p class=\"omitted\"></p>";
    private static final String MARK = "<p class=\"omitted\">…</p>";

    @Test
    void aShortTextIsItsOwnSnippet() {
        var document = Markdown.parse("# Hi\n\nsome **words**");

        assertThat(document.snippet().nodes()).isEqualTo(document.blocks());
        assertThat(document.snippet().cut()).isFalse();
    }

    @Test
    void exactlyTwoHundredCharactersAreNotCut() {
        assertThat(snippet("a".repeat(200)).html()).isEqualTo("<p>" + "a".repeat(200) + "</p>");
        assertThat(snippet("a".repeat(201)).html()).isEqualTo("<p>" + "a".repeat(199) + "…</p>" + EMPTY_MARK);
    }

    @Test
    void aCutKeepsWhatEnclosesIt() {
        assertThat(snippet("> - *" + "a".repeat(300) + "*").html())
                .isEqualTo("<blockquote><ul><li><em>" + "a".repeat(199) + "…</em></li></ul></blockquote>" + EMPTY_MARK);
    }

    @Test
    void tenLinesAreNotCutAndElevenAre() {
        assertThat(snippet("- a\n".repeat(10)).html()).isEqualTo("<ul>" + "<li>a</li>".repeat(10) + "</ul>");
        assertThat(snippet("- a\n".repeat(11)).html()).isEqualTo("<ul>" + "<li>a</li>".repeat(9) + "</ul>" + MARK);
    }

    @Test
    void aCodeBlockIsAsHighAsItsLines() {
        assertThat(snippet("```\n" + "a\n".repeat(10) + "```").cut()).isFalse();
        assertThat(snippet("```\n" + "a\n".repeat(11) + "```").html())
                .isEqualTo("<pre><code>" + "a\n".repeat(8) + "a…</code></pre>" + EMPTY_MARK);
    }

    @Test
    void fourImagesFillASnippet() {
        assertThat(snippet("![a](/a)\n\n".repeat(4)).cut()).isFalse();
        assertThat(snippet("![a](/a)\n\n".repeat(5)).html())
                .containsOnlyOnce(MARK)
                .contains("<img");
    }

    @Test
    void theFeaturedImageComesFirst() {
        assertThat(snippet("words\n\n![a](/a)\n\n- ![b](/b){featured size=small}\n\nmore")
                        .html())
                .isEqualTo("<figure><img src=\"/b\" alt=\"b\" class=\"featured size-small\" loading=\"lazy\"></figure>"
                        + "<p>words</p><figure><img src=\"/a\" alt=\"a\" loading=\"lazy\"></figure><p>more</p>");
    }

    @Test
    void aFeaturedImageIsFoundBehindTheCut() {
        assertThat(snippet("word ".repeat(100) + "\n\n![b](/b){featured}").html())
                .startsWith("<figure><img src=\"/b\"");
    }

    @Test
    void anImageBehindTheCutFollowsTheWords() {
        var html = snippet("word ".repeat(100) + "\n\n![a](/a)\n\nmore\n\n![b](/b)")
                .html();
        assertThat(html)
                .startsWith("<p>word")
                .endsWith("…</p><figure><img src=\"/a\" alt=\"a\" loading=\"lazy\"></figure>" + EMPTY_MARK)
                .doesNotContain("/b");
        assertThat(Measured.of(snippet("word ".repeat(100) + "\n\n![a](/a)").nodes())
                        .words()
                        .length())
                .as("an image takes a quarter of the room")
                .isBetween(140, 150);
        assertThat(snippet("a\n\n".repeat(20) + "![a](/a)").html())
                .contains("<p>a</p>", "<img")
                .endsWith(MARK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\uD83D\uDE00",
                "e\u0301",
                "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67",
                "\uD83C\uDDEF\uD83C\uDDF5"
            })
    void aCutDividesNoVisibleCharacter(String character) {
        for (String shift : new String[] {"", "a", "aa", "aaa", "aaaa"}) {
            var words =
                    Measured.of(snippet(shift + character.repeat(300)).nodes()).words();

            var kept = words.substring(shift.length(), words.length() - 1);
            assertThat(kept.length() % character.length()).isZero();
            assertThat(kept).isNotEmpty();
        }
    }

    @Test
    void marksWithoutEndOnOneLetterAreCut() {
        assertThat(snippet("e" + "\u0301".repeat(500)).html()).isEqualTo(MARK);
    }

    @Test
    void aLinkTooLongToStoreKeepsItsWords() {
        var longLink = "[a](https://a.example/" + "x".repeat(1_500) + ") ";

        var snippet = snippet(longLink + longLink + "[b](https://b.example)");

        assertThat(snippet.html()).contains("xxx\" rel", "<a>a</a>", "href=\"https://b.example\"");
        assertThat(snippet.json()).hasSizeLessThanOrEqualTo(Snippet.MAX_JSON);
    }

    @Test
    void moreMarksThanWordsStillFitTheColumn() {
        var snippet = snippet("***~~`a`~~*** ".repeat(60) + "> ".repeat(10));

        assertThat(snippet.json()).hasSizeLessThanOrEqualTo(Snippet.MAX_JSON);
        assertThat(snippet.cut()).isTrue();
        assertThat(Snippet.fromJson(snippet.json())).isEqualTo(snippet);
    }

    @Test
    void theStoredFormIsShort() {
        assertThat(snippet("Hello World").json()).isEqualTo("[{\"T\":\"p\",\"X\":\"Hello World\"}]");
        assertThat(snippet("![x](/y.png) *[b](http://c)*").json())
                .isEqualTo("[{\"T\":\"p\",\"C\":[{\"T\":\"img\",\"SR\":\"/y.png\",\"AT\":\"x\"},{\"X\":\" \"},"
                        + "{\"T\":\"em\",\"C\":[{\"T\":\"a\",\"HF\":\"http://c\",\"X\":\"b\"}]}]}]");
        assertThat(snippet("").json()).isEqualTo("[]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[",
                "[1]",
                "[{}]",
                "[{\"T\":1}]",
                "[{\"T\":\"script\",\"X\":\"x\"}]",
                "[{\"T\":\"p\",\"ON\":\"x\"}]",
                "[{\"T\":\"p\",\"HF\":\"http://a\"}]",
                "[{\"T\":\"a\",\"HF\":\"javascript:x\"}]",
                "[{\"T\":\"img\",\"SR\":\"//evil\"}]",
                "[{\"T\":\"img\",\"CL\":\"navigation\"}]",
            })
    void aStoredFormThatIsNotOursIsRefused(String json) {
        assertThatThrownBy(() -> Snippet.fromJson(json)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Snippet snippet(String markdown) {
        return Markdown.parse(markdown).snippet();
    }
}
