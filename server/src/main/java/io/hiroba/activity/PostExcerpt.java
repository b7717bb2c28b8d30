package io.hiroba.activity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.Snippet;
import java.text.BreakIterator;
import java.util.Locale;
import java.util.regex.Pattern;

/** The first words of a post on one line, without markup. */
final class PostExcerpt {

    /** In grapheme clusters. */
    static final int MAX_CHARACTERS = 100;

    private static final String ELLIPSIS = "…";

    /** The same posts are on many cards, which are read again and again. */
    private static final Cache<String, String> RECENT =
            Caffeine.newBuilder().maximumSize(10_000).build();

    private static final Pattern SPACES = Pattern.compile("\\s+");

    private PostExcerpt() {}

    /** Of a snippet in its stored form; empty where the post begins with a picture without a description. */
    static String of(String snippet) {
        return RECENT.get(snippet, PostExcerpt::make);
    }

    private static String make(String snippet) {
        var stored = Snippet.fromJson(snippet);
        var nodes = stored.cut() ? stored.nodes().subList(0, stored.nodes().size() - 1) : stored.nodes();
        var words = SPACES.matcher(new Document(nodes).text()).replaceAll(" ").strip();
        var characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(words);
        int end = characters.next(MAX_CHARACTERS);
        if (end == BreakIterator.DONE || end == words.length()) {
            return stored.cut() && !words.endsWith(ELLIPSIS) ? words + ELLIPSIS : words;
        }
        return words.substring(0, end).strip() + ELLIPSIS;
    }
}
