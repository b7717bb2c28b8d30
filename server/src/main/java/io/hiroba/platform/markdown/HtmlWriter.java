package io.hiroba.platform.markdown;

import java.util.List;

/** Writes nodes as HTML; the only place where they become markup. */
final class HtmlWriter {

    private final StringBuilder out = new StringBuilder();

    private HtmlWriter() {}

    static String html(List<HtmlNode> nodes) {
        var writer = new HtmlWriter();
        nodes.forEach(writer::write);
        return writer.out.toString();
    }

    private void write(HtmlNode node) {
        switch (node) {
            case HtmlNode.Text text -> escape(text.text());
            case HtmlNode.Element element -> write(element);
        }
    }

    private void write(HtmlNode.Element element) {
        if (element.tag() == HtmlTag.OMITTED) {
            out.append("<p class=\"omitted\">");
            element.children().forEach(this::write);
            out.append("</p>");
            return;
        }
        out.append('<').append(element.tag().text());
        element.attributes().forEach((attribute, value) -> attribute(attribute.text(), value));
        if (element.attributes().containsKey(HtmlAttribute.HREF)) {
            attribute("rel", "nofollow ugc noopener");
        }
        if (element.tag() == HtmlTag.IMG) {
            attribute("loading", "lazy");
        }
        out.append('>');
        if (!element.tag().empty()) {
            element.children().forEach(this::write);
            out.append("</").append(element.tag().text()).append('>');
        }
    }

    private void attribute(String name, String value) {
        out.append(' ').append(name).append("=\"");
        escape(value);
        out.append('"');
    }

    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c);
            }
        }
    }
}
