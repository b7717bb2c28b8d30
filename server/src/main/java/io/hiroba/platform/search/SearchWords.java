package io.hiroba.platform.search;

import io.hiroba.platform.text.Analysis;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The words of a query for texts without an index of words: each must be somewhere in the text, also within another word.
 *
 * @param words in lower case, without repetitions
 */
public record SearchWords(List<String> words) {

    private static final int MAX_WORDS = 10;
    private static final Pattern QUOTES = Pattern.compile("[\"\u201C\u201D\uFF02]");

    public SearchWords {
        words = List.copyOf(words);
    }

    public static SearchWords of(String typed) {
        return new SearchWords(Arrays.stream(
                        QUOTES.matcher(Analysis.clean(typed)).replaceAll(" ").split("[\\s\u3000]+"))
                .filter(word -> !word.isEmpty())
                .map(word -> word.toLowerCase(Locale.ROOT))
                .distinct()
                .limit(MAX_WORDS)
                .toList());
    }

    /** The words in their usual width, for texts that are {@link #folded} too. */
    public static SearchWords ofFolded(String typed) {
        return of(folded(typed));
    }

    /** A text in the usual width of its characters: Ｉｓｓｕｅ is Issue, ｱ is ア. */
    public static String folded(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    /** Whether something in the query is in quotes, and so is no part of another word. */
    public static boolean areQuoted(String typed) {
        return QUOTES.matcher(typed).find();
    }

    /** The query without quotes. */
    public static String unquoted(String typed) {
        return QUOTES.matcher(typed).replaceAll("").strip();
    }

    public boolean isEmpty() {
        return words.isEmpty();
    }

    /** Whether {@code text} has all of them, in any case. */
    public boolean areIn(String text) {
        var lower = text.toLowerCase(Locale.ROOT);
        return words.stream().allMatch(lower::contains);
    }

    /** The patterns with which {@code ILIKE ALL} finds them. */
    public List<String> patterns() {
        return words.stream().map(SearchWords::pattern).toList();
    }

    /** The pattern of {@code LIKE} for texts that have {@code part} in them. */
    public static String pattern(String part) {
        return "%" + part.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
    }
}
