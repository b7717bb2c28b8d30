package io.hiroba.social.search;

import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.Phrase;

/** The tokens of authors and tags in an index entry, to filter by. No word begins like them. */
final class FilterTokens {

    private FilterTokens() {}

    static String author(String hex) {
        return "@" + hex;
    }

    static String tag(String name) {
        return "#" + name;
    }

    /** The tag as somebody typed it, with or without its hash sign. */
    static Phrase typedTag(String typed) {
        var name = Analysis.name(typed);
        return Phrase.mark(tag(name.startsWith("#") ? name.substring(1) : name));
    }
}
