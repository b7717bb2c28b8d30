package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Formats a snippet, the tree that the server sends for the beginning of a post, as plain text: a line per block, lists
 * with their markers, images by their description. Unknown nodes are replaced by their children.
 */
final class SnippetText {

    private static final Set<String> BLOCKS = Set.of(
            "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "pre", "tr", "figure", "hr", "blockquote");

    private final List<StringBuilder> lines = new ArrayList<>();
    private String indent = "";
    private boolean fresh = true;

    private SnippetText() {}

    static List<String> lines(JsonNode snippet) {
        var text = new SnippetText();
        snippet.forEach(text::node);
        return text.lines.stream()
                .map(line -> line.toString().stripTrailing())
                .filter(line -> !line.isBlank())
                .toList();
    }

    private void node(JsonNode node) {
        String tag = node.path("T").asString("");
        boolean block = BLOCKS.contains(tag);
        fresh |= block;
        switch (tag) {
            case "hr" -> say("———");
            case "br" -> fresh = true;
            case "omitted" -> {}
            case "img" -> say("[" + alt(node) + "]");
            case "ol" -> numbered(node);
            case "li" -> item(node, "• ");
            case "blockquote" -> indented(node, "> ", "> ");
            case "pre" -> indented(node, "    ", "    ");
            case "td", "th" -> {
                content(node);
                say("  ");
            }
            default -> content(node);
        }
        fresh |= block;
    }

    private void numbered(JsonNode list) {
        int number = list.path("ST").asInt(1);
        for (var item : list.path("C")) {
            fresh = true;
            item(item, number++ + ". ");
        }
    }

    private void item(JsonNode item, String mark) {
        indented(item, mark, " ".repeat(mark.length()));
    }

    private static String alt(JsonNode image) {
        String alt = image.path("AT").asString("");
        return alt.isBlank() ? text("post.image") : alt;
    }

    /** The content after {@code first}, with {@code others} before further lines. */
    private void indented(JsonNode node, String first, String others) {
        String outer = indent;
        indent = outer + others;
        int before = lines.size();
        content(node);
        if (lines.size() > before && !first.equals(others)) {
            lines.get(before).replace(outer.length(), indent.length(), first);
        }
        indent = outer;
    }

    private void content(JsonNode node) {
        if (node.has("X")) {
            say(node.path("X").asString(""));
        }
        node.path("C").forEach(this::node);
    }

    private void say(String text) {
        for (String part : text.split("\\R", -1)) {
            if (fresh) {
                lines.add(new StringBuilder(indent));
                fresh = false;
            }
            lines.getLast().append(part);
            fresh = true;
        }
        fresh = false;
    }
}
