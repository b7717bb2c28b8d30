package io.hiroba.platform.markdown;

import java.util.List;

/**
 * The beginning of a text, short enough for a list: at most {@value #MAX_CHARACTERS} visible characters and
 * {@value #MAX_LINES} lines of height, cut inside the tree so that no markup is ever broken.
 *
 * <p>It is stored as it is, never as Markdown, and its {@link #json() stored form} has at most {@value #MAX_JSON}
 * characters whatever the text was.
 */
public record Snippet(List<HtmlNode> nodes) {

    public static final int MAX_CHARACTERS = 200;
    public static final int MAX_LINES = 10;
    public static final int MAX_JSON = 4096;

    public Snippet {
        nodes = List.copyOf(nodes);
    }

    public static Snippet of(Document document) {
        return new Snippet(SnippetCutter.cut(FeaturedImage.first(document.blocks())));
    }

    /** Reads a stored form; anything else is an {@link IllegalArgumentException}. */
    public static Snippet fromJson(String json) {
        return new Snippet(SnippetJson.read(json));
    }

    public String json() {
        return SnippetJson.write(nodes);
    }

    /** Safe to be put into a page as it is. */
    public String html() {
        return HtmlWriter.html(nodes);
    }

    /** Whether the text goes on after this. */
    public boolean cut() {
        return !nodes.isEmpty() && nodes.getLast() instanceof HtmlNode.Element last && last.tag() == HtmlTag.OMITTED;
    }
}
