package io.hiroba.knowledge.pages;

import io.hiroba.platform.markdown.Attribute;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.markdown.Node;
import io.hiroba.platform.markdown.Tag;
import io.hiroba.platform.web.SafeHtml;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a model wrote, as HTML: Markdown in which each {@code [2]} or {@code [1, 3]} that names a passage leads to it. */
record AnswerText(SafeHtml html) {

    private static final Pattern CITATION = Pattern.compile("\\[\\s*(\\d{1,3}(?:\\s*[,;]\\s*\\d{1,3}){0,20})\\s*]");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,3}");

    static AnswerText of(String markdown, List<CitedItem> passages) {
        Map<Integer, CitedItem> known =
                passages.stream().collect(Collectors.toMap(CitedItem::number, Function.identity(), (a, b) -> a));
        var document = Markdown.parse(markdown).replacingText(text -> linked(text.text(), known));
        return new AnswerText(SafeHtml.ofDocument(document.html()));
    }

    private static List<Node> linked(String text, Map<Integer, CitedItem> known) {
        var nodes = new ArrayList<Node>();
        var citation = CITATION.matcher(text);
        int done = 0;
        while (citation.find()) {
            var links = links(citation.group(1), known);
            if (links.isEmpty()) {
                continue;
            }
            if (citation.start() > done) {
                nodes.add(new Node.Text(text.substring(done, citation.start())));
            }
            nodes.addAll(links);
            done = citation.end();
        }
        if (done < text.length()) {
            nodes.add(new Node.Text(text.substring(done)));
        }
        return nodes;
    }

    /** None if one of the numbers is no passage's: then it is not a citation, or one that is made up. */
    private static List<Node> links(String numbers, Map<Integer, CitedItem> known) {
        var cited = new ArrayList<CitedItem>();
        var number = NUMBER.matcher(numbers);
        while (number.find()) {
            var passage = known.get(Integer.valueOf(number.group()));
            if (passage == null) {
                return List.of();
            }
            cited.add(passage);
        }
        var links = new ArrayList<Node>();
        for (var passage : cited) {
            if (!links.isEmpty()) {
                links.add(new Node.Text(" "));
            }
            links.add(new Node.Element(
                    Tag.A,
                    Map.of(Attribute.HREF, passage.passage()),
                    List.of(new Node.Text("[" + passage.number() + "]"))));
        }
        return links;
    }
}
