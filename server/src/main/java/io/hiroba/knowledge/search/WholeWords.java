package io.hiroba.knowledge.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the short words of a query in a script without spaces that a text has as a whole or not at all: of two pairs of characters of
 * {@code ギター}, {@code フィルター} has one, and is no guitar half the time.
 */
final class WholeWords {

    private static final Pattern KATAKANA = Pattern.compile("[ァ-ヺー]{2}");
    private static final Pattern HAN = Pattern.compile("\\p{IsHan}{2}");

    /** A longer run may be several words, of which a text has some. */
    private static final int MAX_PAIRS = 4;

    private WholeWords() {}

    /** By the plain spelling of a term, the other terms that must be there as well; terms without such a word are left out. */
    static Map<String, Set<String>> in(String text) {
        var pairs = SpelledTerm.of(text).stream()
                .filter(term -> !term.token().part())
                .toList();
        var words = new HashMap<String, Set<String>>();
        var run = new ArrayList<SpelledTerm>();
        for (var pair : pairs) {
            if (!run.isEmpty()
                    && pair.token().position() != run.getLast().token().position() + 1) {
                add(run, words);
            }
            if (KATAKANA.matcher(pair.token().term()).matches()) {
                run.add(pair);
            } else {
                add(run, words);
            }
        }
        add(run, words);
        if (pairs.size() == 1 && HAN.matcher(pairs.getFirst().token().term()).matches()) {
            // A question of one word: each character of it is in many others.
            var word = Set.of(pairs.getFirst().plain());
            SpelledTerm.of(text).stream()
                    .filter(term -> term.token().part())
                    .forEach(part -> words.put(part.plain(), word));
        }
        return words;
    }

    /** Ends a run of katakana. A long vowel at its end may be left out: サーバー is サーバ. */
    private static void add(List<SpelledTerm> run, Map<String, Set<String>> words) {
        if (run.size() > 1 && run.size() <= MAX_PAIRS) {
            boolean isLong = run.getLast().token().term().endsWith("ー");
            var needed = run.subList(0, isLong ? run.size() - 1 : run.size()).stream()
                    .map(SpelledTerm::plain)
                    .collect(Collectors.toUnmodifiableSet());
            // A pair that two words have counts by itself.
            run.forEach(pair -> words.merge(pair.plain(), needed, (one, other) -> one.equals(other) ? one : Set.of()));
        }
        run.clear();
    }
}
