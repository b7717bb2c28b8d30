package io.hiroba.knowledge.documents;

import java.util.regex.Pattern;

/** Reads plain text: paragraphs between empty lines. */
final class TextReader {

    private static final Pattern GAP = Pattern.compile("\\R[ \\t]*\\R\\s*");

    private TextReader() {}

    static ParsedDocument read(String text) {
        var outline = new SectionBuilder();
        GAP.splitAsStream(text).forEach(outline::text);
        return new ParsedDocument(null, outline.sections());
    }
}
