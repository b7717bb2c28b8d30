package io.hiroba.platform.markdown;

import java.util.List;

/** Writes nodes as plain words. */
final class TextWriter {

    private final StringBuilder out = new StringBuilder();

    private TextWriter() {}

    static String text(List<Node> nodes) {
        var writer = new TextWriter();
        nodes.forEach(writer::write);
        return writer.out.toString().strip();
    }

    private void write(Node node) {
        switch (node) {
            case Node.Text text -> out.append(text.text());
            case Node.Element element -> write(element);
        }
    }

    private void write(Node.Element element) {
        switch (element.tag()) {
            case IMG -> out.append(element.attributes().getOrDefault(Attribute.ALT, ""));
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
