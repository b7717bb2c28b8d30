package io.hiroba.knowledge.reading;

import java.util.regex.Pattern;

/** Reads plain text: paragraphs between empty lines. */
final class TextReader {

    private static final Pattern GAP = Pattern.compile("\\R[ \\t]*\\R\\s*");

    private TextReader() {}

    static Reading read(String text) {
        var outline = new Outline();
        GAP.splitAsStream(text).forEach(outline::text);
        return new Reading(null, outline.sections());
    }
}
