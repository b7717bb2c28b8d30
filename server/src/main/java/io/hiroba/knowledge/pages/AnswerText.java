package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.pages.ChatView.Cited;
import io.hiroba.platform.markdown.HtmlAttribute;
import io.hiroba.platform.markdown.HtmlNode;
import io.hiroba.platform.markdown.HtmlTag;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.web.SafeHtml;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A model's answer as HTML: Markdown whose citations, {@code [2]} or {@code [1, 3]}, link to the cited chunks. */
record AnswerText(SafeHtml html) {

    private static final Pattern CITATION = Pattern.compile("\\[\\s*(\\d{1,3}(?:\\s*[,;]\\s*\\d{1,3}){0,20})\\s*]");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,3}");

    static AnswerText of(String markdown, List<Cited> chunks) {
        Map<Integer, Cited> known =
                chunks.stream().collect(Collectors.toMap(Cited::number, Function.identity(), (a, b) -> a));
        var document = Markdown.parse(markdown).replacingText(text -> linked(text.text(), known));
        return new AnswerText(SafeHtml.ofDocument(document.html()));
    }

    private static List<HtmlNode> linked(String text, Map<Integer, Cited> known) {
        var nodes = new ArrayList<HtmlNode>();
        var citation = CITATION.matcher(text);
        int done = 0;
        while (citation.find()) {
            var links = links(citation.group(1), known);
            if (links.isEmpty()) {
                continue;
            }
            if (citation.start() > done) {
                nodes.add(new HtmlNode.Text(text.substring(done, citation.start())));
            }
            nodes.addAll(links);
            done = citation.end();
        }
        if (done < text.length()) {
            nodes.add(new HtmlNode.Text(text.substring(done)));
        }
        return nodes;
    }

    /** None if one of the numbers is not a chunk's: then it is not a citation, or an invented one. */
    private static List<HtmlNode> links(String numbers, Map<Integer, Cited> known) {
        var cited = new ArrayList<Cited>();
        var number = NUMBER.matcher(numbers);
        while (number.find()) {
            var chunk = known.get(Integer.valueOf(number.group()));
            if (chunk == null) {
                return List.of();
            }
            cited.add(chunk);
        }
        var links = new ArrayList<HtmlNode>();
        for (var chunk : cited) {
            if (!links.isEmpty()) {
                links.add(new HtmlNode.Text(" "));
            }
            links.add(new HtmlNode.Element(
                    HtmlTag.A,
                    Map.of(HtmlAttribute.HREF, chunk.path()),
                    List.of(new HtmlNode.Text("[" + chunk.number() + "]"))));
        }
        return links;
    }
}
