package io.hiroba.platform.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.parser.ParseErrorList;
import org.jsoup.parser.Parser;

@Domain(MarkdownTexts.class)
class MarkdownPropertyTest {

    private static final Set<String> TAGS = Set.of(
            "p",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "blockquote",
            "ul",
            "ol",
            "li",
            "pre",
            "hr",
            "figure",
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "em",
            "strong",
            "del",
            "code",
            "a",
            "img",
            "br");
    private static final Set<String> ATTRIBUTES = Set.of("href", "src", "alt", "class", "start", "rel", "loading");

    @Property
    void htmlHoldsOnlyWhatIsAllowed(@ForAll String markdown) {
        assertSafe(Markdown.parse(markdown).html());
    }

    @Property
    void theHtmlOfASnippetHoldsOnlyWhatIsAllowed(@ForAll String markdown) {
        assertSafe(Markdown.parse(markdown).snippet().html());
    }

    @Property
    void aBrowserReadsTheSameWordsAsTheTreeHolds(@ForAll String markdown) {
        var document = Markdown.parse(markdown);

        var body = Jsoup.parseBodyFragment(document.html()).body();
        body.select("br").remove();

        assertThat(body.wholeText()).isEqualTo(Measured.of(document.blocks()).words());
    }

    @Property
    void aSnippetKeepsToItsBudgets(@ForAll String markdown) {
        var snippet = Markdown.parse(markdown).snippet();

        var measured = Measured.of(snippet.nodes());
        assertThat(measured.characters()).isLessThanOrEqualTo(200);
        assertThat(measured.halfLines()).isLessThanOrEqualTo(20);
        assertThat(snippet.json()).hasSizeLessThanOrEqualTo(4096);
    }

    @Property
    void aSnippetComesBackFromItsStoredForm(@ForAll String markdown) {
        var snippet = Markdown.parse(markdown).snippet();

        assertThat(Snippet.fromJson(snippet.json())).isEqualTo(snippet);
    }

    @Property
    void aCutSnippetEndsInOneMark(@ForAll String markdown) {
        var document = Markdown.parse(markdown);
        var snippet = document.snippet();

        if (snippet.cut()) {
            assertThat(Measured.of(snippet.nodes()).words()).endsWith("…");
            assertThat(snippet.nodes().stream().filter(MarkdownPropertyTest::omitted))
                    .hasSize(1);
        } else {
            assertThat(Measured.of(snippet.nodes()).characters())
                    .isEqualTo(Measured.of(document.blocks()).characters());
        }
    }

    @Property
    void aSnippetShowsNothingThatTheTextDoesNotBeginWith(@ForAll String markdown) {
        var document = Markdown.parse(markdown);

        var words = Measured.of(document.snippet().nodes()).words();

        var kept = document.snippet().cut() ? words.substring(0, words.length() - 1) : words;
        assertThat(Measured.of(document.blocks()).words()).startsWith(kept);
    }

    private static boolean omitted(HtmlNode node) {
        return node instanceof HtmlNode.Element element && element.tag() == HtmlTag.OMITTED;
    }

    private static void assertSafe(String html) {
        var errors = ParseErrorList.tracking(10);
        var nodes = Parser.parseFragment(html, new Element("body"), "", errors);
        assertThat(errors).as(html).isEqualTo(List.of());
        var body = new Element("body");
        nodes.forEach(body::appendChild);
        for (var element : body.select("body > *, body > * *")) {
            assertThat(element.tagName()).isIn(TAGS);
            for (var attribute : element.attributes()) {
                assertThat(attribute.getKey()).isIn(ATTRIBUTES);
            }
        }
        for (var link : body.select("a[href]")) {
            assertThat(link.attr("href")).matches("(?is)(https?://|mailto:).*");
            assertThat(link.attr("rel")).isEqualTo("nofollow ugc noopener");
        }
        for (var image : body.select("img")) {
            assertThat(image.attr("src")).matches("(?is)https?://.*|/(?![/\\\\]).*");
        }
    }
}
