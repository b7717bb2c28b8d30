package io.hiroba.platform.markdown;

import java.util.Set;
import org.jsoup.nodes.CDataNode;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.ParseSettings;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeFilter;

/**
 * Writes the characters of HTML that are prose, with a line feed where an element begins or ends. The HTML is read as XML is: an
 * element without an end ends with the one around it, and nothing is moved elsewhere, which takes the square of the time in texts
 * that are made for it.
 */
final class ProseText implements NodeFilter {

    /** Stands for what is no prose: no word, no space and no part of a name. */
    private static final String GAP = " ` ";

    /** Their content is shown as it is, leads elsewhere or is not shown. */
    private static final Set<String> NO_PROSE =
            Set.of("a", "code", "pre", "style", "script", "textarea", "svg", "math");

    private final StringBuilder prose = new StringBuilder();

    private ProseText() {}

    static String of(String html) {
        var text = new ProseText();
        Parser.xmlParser()
                .settings(ParseSettings.htmlDefault)
                .parseInput(html, "")
                .filter(text);
        return text.prose.toString();
    }

    @Override
    public FilterResult head(Node node, int depth) {
        if (node instanceof TextNode text && !(node instanceof CDataNode)) {
            prose.append(text.getWholeText());
        } else if (node instanceof Element element) {
            if (NO_PROSE.contains(element.normalName())) {
                prose.append(GAP);
                return FilterResult.SKIP_ENTIRELY;
            }
            prose.append(element.normalName().equals("img") ? GAP : "\n");
        }
        return FilterResult.CONTINUE;
    }

    @Override
    public FilterResult tail(Node node, int depth) {
        if (node instanceof Element) {
            prose.append('\n');
        }
        return FilterResult.CONTINUE;
    }
}
