package io.hiroba.platform.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownTest {

    @Test
    void taskListsShowBoxes() {
        assertThat(Markdown.parse("- [ ] milk\n- [x] *tea*\n- [X]\n- [y] no\n- plain")
                        .html())
                .isEqualTo("<ul><li class=\"task-open\">☐ milk</li><li class=\"task-done\">☑ <em>tea</em></li>"
                        + "<li>[X]</li><li>[y] no</li><li>plain</li></ul>");
        assertThat(Markdown.parse("1. [x] one\n\n2. [ ] two\n\n   more").html())
                .isEqualTo("<ol><li class=\"task-done\"><p>☑ one</p></li>"
                        + "<li class=\"task-open\"><p>☐ two</p><p>more</p></li></ol>");
        assertThat(Markdown.parse("[x] no item").html()).isEqualTo("<p>[x] no item</p>");
        var snippet = Markdown.parse("- [x] done").snippet();
        assertThat(Snippet.fromJson(snippet.json())).isEqualTo(snippet);
    }

    @Test
    void rawHtmlIsShownAsText() {
        assertThat(html("<script>alert('x')</script>\n\na <b onclick=\"x\">b</b>"))
                .isEqualTo("<p>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</p>"
                        + "<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>");
    }

    @Test
    void linksCarryTheirRelation() {
        assertThat(html("[a](https://a.example/?b=1&c=2)"))
                .isEqualTo("<p><a href=\"https://a.example/?b=1&amp;c=2\" rel=\"nofollow ugc noopener\">a</a></p>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "JaVaScRiPt:alert(1)",
                "&#106;avascript:alert(1)",
                "<java\tscript:alert(1)>",
                "data:text/html,x",
                "vbscript:x",
                "//evil.example",
                "/local",
                "http:",
            })
    void aLinkWithAnotherSchemeLosesItsAddress(String destination) {
        assertThat(html("[a](" + destination + ")")).isEqualTo("<p><a>a</a></p>");
    }

    @Test
    void anUploadedPictureIsShownFromItsPath() {
        assertThat(html("![a cat](/media/0198C2E846E00000/0198C2E9A1200000.512.jpg)"))
                .contains("<img src=\"/media/0198C2E846E00000/0198C2E9A1200000.512.jpg\" alt=\"a cat\"");
    }

    @Test
    void aPictureOfAnotherSiteIsALinkToIt() {
        assertThat(html("![a chart](https://other.example/x.png)"))
                .isEqualTo("<p><a href=\"https://other.example/x.png\" rel=\"nofollow ugc noopener\">a chart</a></p>");
        assertThat(html("![](https://other.example/x.png)")).contains(">https://other.example/x.png</a>");
        assertThat(html("[![built](https://ci.example/b.svg)](https://ci.example/)"))
                .contains("href=\"https://ci.example/\"", ">built</a>")
                .doesNotContain("b.svg");
    }

    @Test
    void addressesInWordsBecomeLinks() {
        assertThat(html("see http://a.example and m@b.example and <https://c.example>"))
                .contains("href=\"http://a.example\"", "href=\"mailto:m@b.example\"", "href=\"https://c.example\"");
    }

    @Test
    void anAutomaticLinkInsideALinkIsOnlyWords() {
        assertThat(html("[see <https://a.example>](https://b.example)"))
                .isEqualTo(
                        "<p><a href=\"https://b.example\" rel=\"nofollow ugc noopener\">see https://a.example</a></p>");
    }

    @Test
    void anImageOfTheSiteMayHaveASize() {
        assertThat(html("![x](/data/y.png){size=large}"))
                .isEqualTo(
                        "<figure><img src=\"/data/y.png\" alt=\"x\" class=\"size-large\" loading=\"lazy\"></figure>");
    }

    @Test
    void bracesThatAreNoMarkStayText() {
        assertThat(html("![x](/y.png){hello}")).endsWith(">{hello}</p>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"//evil.example/x.png", "/\\evil.example/x.png", "data:image/png,x", "x.png", "javascript:x"})
    void anImageFromElsewhereIsItsDescription(String source) {
        assertThat(html("![seen](" + source + ")"))
                .doesNotContain("src=\"//")
                .satisfiesAnyOf(
                        html -> assertThat(html).isEqualTo("<p>seen</p>"),
                        html -> assertThat(html).contains("src=\"/%5Cevil.example/x.png\""));
    }

    @Test
    void tablesListsAndCodeKeepTheirShape() {
        assertThat(html("|a|b|\n|-|-:|\n|~~c~~|d|"))
                .isEqualTo("<table><thead><tr><th>a</th><th class=\"align-right\">b</th></tr></thead>"
                        + "<tbody><tr><td><del>c</del></td><td class=\"align-right\">d</td></tr></tbody></table>");
        assertThat(html("3. a\n4. b\n   - c"))
                .isEqualTo("<ol start=\"3\"><li>a</li><li>b<ul><li>c</li></ul></li></ol>");
        assertThat(html("- a\n\n- b")).isEqualTo("<ul><li><p>a</p></li><li><p>b</p></li></ul>");
        assertThat(html("```sql:small\nSELECT '<'\n```"))
                .isEqualTo("<pre><code class=\"language-sql\">SELECT &#39;&lt;&#39;</code></pre>");
    }

    @Test
    void aTextWithTooManyCellsKeepsItsWords() {
        assertThat(html("|a|b|\n|-|-|\n" + "|c|d|\n".repeat(10_000)))
                .startsWith("<p>|a|b|\n")
                .endsWith("|c|d|</p>");
    }

    @Test
    void plainTextHasTheWordsAndNoMarks() {
        assertThat(Markdown.text("# Hi *you*\n\n- a\n- b\n\n![a cat](/c.png)\n\n|x|y|\n|-|-|\n|1|2|\n\n`co` <b>"))
                .isEqualTo("Hi you\na\nb\na cat\nx y\n1 2\nco <b>");
    }

    @Test
    void whatPostgresqlCannotStoreIsReplaced() {
        assertThat(Markdown.text("a\u0000b\uD83Dc&#1;d\r\ne")).isEqualTo("a b\uFFFDc d\ne");
    }

    private static String html(String markdown) {
        return Markdown.parse(markdown).html();
    }
}
