package io.hiroba.activity;

import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.Snippet;
import java.text.BreakIterator;
import java.util.Locale;

/** The first words of a post on one line, without markup. */
final class PostExcerpt {

    /** In grapheme clusters. */
    static final int MAX_CHARACTERS = 100;

    private static final String ELLIPSIS = "…";

    private PostExcerpt() {}

    /** Of a snippet in its stored form; empty where the post begins with a picture without a description. */
    static String of(String snippet) {
        var stored = Snippet.fromJson(snippet);
        var nodes = stored.cut() ? stored.nodes().subList(0, stored.nodes().size() - 1) : stored.nodes();
        var words = new Document(nodes).text().replaceAll("\\s+", " ").strip();
        var characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(words);
        int end = characters.next(MAX_CHARACTERS);
        if (end == BreakIterator.DONE || end == words.length()) {
            return stored.cut() && !words.endsWith(ELLIPSIS) ? words + ELLIPSIS : words;
        }
        return words.substring(0, end).strip() + ELLIPSIS;
    }
}
