package io.hiroba.platform.markdown;

import java.util.List;

/** A whole text as its blocks. */
public record Document(List<Node> blocks) {

    public Document {
        blocks = List.copyOf(blocks);
    }

    /** Safe to be put into a page as it is. */
    public String html() {
        return HtmlWriter.html(blocks);
    }

    public Snippet snippet() {
        return Snippet.of(this);
    }

    /** The words without markup; one line a block, image descriptions included. */
    public String text() {
        return TextWriter.text(blocks);
    }
}
