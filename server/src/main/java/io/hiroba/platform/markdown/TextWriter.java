package io.hiroba.platform.markdown;

import java.util.List;

/** Writes nodes as plain text. */
final class TextWriter {

    private final StringBuilder out = new StringBuilder();

    private TextWriter() {}

    static String text(List<HtmlNode> nodes) {
        var writer = new TextWriter();
        nodes.forEach(writer::write);
        return writer.out.toString().strip();
    }

    private void write(HtmlNode node) {
        switch (node) {
            case HtmlNode.Text text -> out.append(text.text());
            case HtmlNode.Element element -> write(element);
        }
    }

    private void write(HtmlNode.Element element) {
        switch (element.tag()) {
            case IMG -> out.append(element.attributes().getOrDefault(HtmlAttribute.ALT, ""));
            case BR -> out.append('\n');
            case TD, TH -> {
                element.children().forEach(this::write);
                out.append(' ');
            }
            default -> {
                if (element.inline()) {
                    element.children().forEach(this::write);
                } else {
                    newLine();
                    element.children().forEach(this::write);
                    newLine();
                }
            }
        }
    }

    private void newLine() {
        while (!out.isEmpty() && out.charAt(out.length() - 1) == ' ') {
            out.setLength(out.length() - 1);
        }
        if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
            out.append('\n');
        }
    }
}
