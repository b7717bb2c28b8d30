package io.hiroba.knowledge.search;

import io.hiroba.knowledge.KnowledgeReader;
import io.hiroba.knowledge.embedding.EnglishWords;
import io.hiroba.knowledge.search.SpellingStore.ReadableTerm;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.Token;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Corrects misspelt words of a query to words of passages that the caller may read: those that neither a passage nor the English
 * vocabulary has, and that one letter more, less or other, or two that change places, make a word of a passage. Words in quotation
 * marks stay as they are, and so do codes. A word of a passage that the caller may not read is no correction, or it would betray the passage.
 */
final class Spelling {

    private static final Pattern WORD = Pattern.compile("[A-Za-z]{4,24}");

    /** What is in quotation marks, and codes: words with a capital inside, with digits, or joined by signs. */
    private static final Pattern AS_WRITTEN = Pattern.compile(
            "[\"\u201C\u201D\uFF02][^\"\u201C\u201D\uFF02]*[\"\u201C\u201D\uFF02]"
                    + "|[\\p{IsLatin}\\p{N}_-]*(?:\\p{Ll}\\p{Lu}|\\p{Lu}{2}\\p{Ll}|\\p{N}|_|[\\p{IsLatin}\\p{N}][.:/@\\\\+#][\\p{IsLatin}\\p{N}_])[\\p{IsLatin}\\p{N}_.:/@\\\\+#-]*");

    /** Of shorter lexemes, too many are one letter from another. */
    private static final int MIN_LENGTH = 4;

    /** A text with many unknown words is in a language of its own, or no text. */
    private static final int MAX_WORDS = 4;

    /** The words that are compared by how common they are. */
    private static final int MAX_CANDIDATES = 8;

    private final Db db;
    private final TermStatistics frequencies;
    private final SpellingStore store = new SpellingStore();

    Spelling(Db db, TermStatistics frequencies) {
        this.db = db;
        this.frequencies = frequencies;
    }

    /**
     * A query with its misspelt words.
     *
     * @param query with each correction behind the word as it was written, which may be right after all
     * @param shown the text with the corrections in the place of the words
     * @param terms of the misspelt words, with those of their corrections
     */
    record Corrected(KnowledgeQuery query, String shown, Map<String, String> terms) {

        Corrected {
            terms = Map.copyOf(terms);
        }
    }

    /** The query with misspelt words corrected; as it is if there are none. */
    Corrected correct(KnowledgeReader caller, KnowledgeQuery query) {
        var unknown = unknown(query.text());
        if (unknown.isEmpty() || unknown.size() > MAX_WORDS) {
            return new Corrected(query, query.text(), Map.of());
        }
        return db.read(reads -> {
            var both = new StringBuilder(query.text());
            var shown = new StringBuilder(query.text());
            var terms = new HashMap<String, String>();
            // From the end, so that the places of those before stay.
            for (var word : unknown.reversed()) {
                correction(reads, caller, word).ifPresent(right -> {
                    shown.replace(word.start(), word.end(), right.written());
                    both.insert(word.end(), " " + right.written());
                    terms.put(word.term(), right.lexeme());
                });
            }
            return terms.isEmpty() || both.length() > KnowledgeQuery.MAX_LENGTH
                    ? new Corrected(query, query.text(), Map.of())
                    : new Corrected(query.withText(both.toString()), shown.toString(), terms);
        });
    }

    private List<Token> unknown(String text) {
        var asWritten = AS_WRITTEN.matcher(text).results().toList();
        return Analysis.tokens(text).stream()
                .filter(token -> token.term().length() >= MIN_LENGTH && TermShare.of(token, text) > 0)
                .filter(token -> isUnknown(text.substring(token.start(), token.end()), token.term()))
                .filter(token -> asWritten.stream()
                        .noneMatch(part -> part.start() <= token.start() && token.end() <= part.end()))
                .toList();
    }

    private boolean isUnknown(String word, String lexeme) {
        // What is written in capitals is a code or an abbreviation.
        return WORD.matcher(word).matches()
                && !word.equals(word.toUpperCase(Locale.ROOT))
                && !EnglishWords.contain(word.toLowerCase(Locale.ROOT))
                && !EnglishWords.contain(lexeme)
                && !frequencies.isListed(lexeme);
    }

    /** @param written as a passage has it */
    private record Correction(String lexeme, String written) {}

    private Optional<Correction> correction(Reads reads, KnowledgeReader caller, Token word) {
        var lexeme = word.term();
        var held = store.terms(reads, variants(lexeme));
        if (held.isEmpty() || isBeginning(reads, caller, lexeme)) {
            return Optional.empty();
        }
        if (held.contains(lexeme) && store.isReadable(reads, caller, List.of(lexeme))) {
            return Optional.empty();
        }
        var candidates = held.stream()
                .filter(term -> !term.equals(lexeme) && !TermShare.isFunctionTerm(term))
                .sorted(Comparator.comparing((String term) -> term.charAt(0) != lexeme.charAt(0))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MAX_CANDIDATES)
                .toList();
        return store.readable(reads, caller, candidates).stream()
                .max(Comparator.comparing((ReadableTerm term) -> term.lexeme().charAt(0) == lexeme.charAt(0))
                        .thenComparingInt(ReadableTerm::chunks)
                        .thenComparing(ReadableTerm::lexeme))
                .flatMap(Spelling::written);
    }

    /** Whether it may be the beginning of a word; of one that the caller may read, or the answer would betray the others. */
    private boolean isBeginning(Reads reads, KnowledgeReader caller, String lexeme) {
        var longer = store.longer(reads, lexeme);
        return !longer.isEmpty() && store.isReadable(reads, caller, longer);
    }

    /** The term as a passage has it, with the ending that the index leaves out. */
    private static Optional<Correction> written(ReadableTerm term) {
        return Analysis.tokens(term.text()).stream()
                .filter(token -> token.term().equals(term.lexeme()))
                .map(token -> term.text().substring(token.start(), token.end()).toLowerCase(Locale.ROOT))
                .min(Comparator.comparingInt(String::length))
                .map(written -> new Correction(term.lexeme(), written));
    }

    /** The lexeme, and all that are one edit away from it. */
    private static Set<String> variants(String lexeme) {
        var variants = new LinkedHashSet<String>();
        variants.add(lexeme);
        for (int at = 0; at <= lexeme.length(); at++) {
            var before = lexeme.substring(0, at);
            var after = lexeme.substring(at);
            for (char letter = 'a'; letter <= 'z'; letter++) {
                variants.add(before + letter + after);
                if (!after.isEmpty()) {
                    variants.add(before + letter + after.substring(1));
                }
            }
            if (!after.isEmpty()) {
                variants.add(before + after.substring(1));
            }
            if (after.length() > 1) {
                variants.add(before + after.charAt(1) + after.charAt(0) + after.substring(2));
            }
        }
        return variants;
    }
}
