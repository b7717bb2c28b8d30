package io.hiroba.knowledge.documents;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A section of a document under one heading, or on one page.
 *
 * @param path the headings that lead to it, from the outermost to its own; empty before the first
 * @param page the page, slide, chapter or message it stands on, from 1, if there are any
 * @param anchor what an address of the document ends in to lead here, without the number sign
 * @param numbering the kind of thing that {@code page} counts
 */
record Section(
        List<String> path, @Nullable Integer page, @Nullable String anchor, List<Block> blocks, Numbering numbering) {

    /** The kinds of things that the numbers of sections count. */
    enum Numbering {
        PAGE,
        SLIDE,
        CHAPTER,
        MESSAGE
    }

    public Section {
        path = List.copyOf(path);
        blocks = List.copyOf(blocks);
    }

    Section(List<String> path, @Nullable Integer page, @Nullable String anchor, List<Block> blocks) {
        this(path, page, anchor, blocks, Numbering.PAGE);
    }

    public static Section of(List<String> path, List<Block> blocks) {
        return new Section(path, null, null, blocks);
    }
}
