package io.hiroba.social.search;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.Phrase;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Parses a search query from left to right. There are no syntax errors: anything else is text. */
final class PostSearchParser {

    private static final String TAG = "tag:";
    private static final String FROM = "from:";

    private final String typed;
    private final List<Phrase> words = new ArrayList<>();
    private final List<Phrase> tags = new ArrayList<>();
    private final List<Phrase> excluded = new ArrayList<>();
    private final List<UserId> authors = new ArrayList<>();
    private final List<String> nicknames = new ArrayList<>();
    private final Set<Phrase> quoted = new HashSet<>();
    private int at;

    PostSearchParser(String typed) {
        this.typed = Analysis.clean(typed);
    }

    PostSearchQuery read() {
        while (at < typed.length()) {
            if (Character.isWhitespace(typed.charAt(at))) {
                at++;
            } else if (typed.charAt(at) == '-') {
                at++;
                exclude();
            } else {
                include();
            }
        }
        return new PostSearchQuery(words, tags, excluded, authors, nicknames, quoted, 0);
    }

    private void exclude() {
        if (skip(TAG)) {
            tag(excluded, value());
        } else {
            add(excluded, value());
        }
    }

    private void include() {
        if (skip(TAG)) {
            tag(tags, value());
        } else if (skip(FROM)) {
            from(value());
        } else {
            boolean inQuotes = isQuote(typed.charAt(at));
            add(words, value());
            if (inQuotes && !words.isEmpty()) {
                quoted.add(words.getLast());
            }
        }
    }

    /** Skips the name of a filter if a value follows it; the name alone is a word. */
    private boolean skip(String filter) {
        int end = at + filter.length();
        if (!typed.regionMatches(true, at, filter, 0, filter.length())
                || end == typed.length()
                || Character.isWhitespace(typed.charAt(end))) {
            return false;
        }
        at = end;
        return true;
    }

    private static void tag(List<Phrase> to, String name) {
        var tag = Analysis.name(name);
        if (!tag.isEmpty()) {
            to.add(Phrase.mark(IndexEntry.tagToken(tag.startsWith("#") ? tag.substring(1) : tag)));
        }
    }

    private void from(String author) {
        var name = Normalizer.normalize(author, Normalizer.Form.NFC).strip();
        name = name.startsWith("@") ? name.substring(1) : name;
        if (Ids.isId(name)) {
            authors.add(UserId.parse(name));
        } else if (!name.isEmpty()) {
            nicknames.add(name);
        }
    }

    private static void add(List<Phrase> to, String text) {
        var phrase = Phrase.of(text);
        if (!phrase.isEmpty()) {
            to.add(phrase);
        }
    }

    /** The text in quotes, or up to the next space or quote. An unclosed quote extends to the end. */
    private String value() {
        boolean quoted = at < typed.length() && isQuote(typed.charAt(at));
        int start = quoted ? ++at : at;
        while (at < typed.length()
                && !isQuote(typed.charAt(at))
                && (quoted || !Character.isWhitespace(typed.charAt(at)))) {
            at++;
        }
        var value = typed.substring(start, at);
        if (quoted && at < typed.length()) {
            at++;
        }
        return value;
    }

    private static boolean isQuote(char c) {
        return c == '"' || c == '\u201C' || c == '\u201D' || c == '\uFF02';
    }
}
