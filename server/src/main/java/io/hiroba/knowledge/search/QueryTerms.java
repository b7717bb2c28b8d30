package io.hiroba.knowledge.search;

import io.hiroba.knowledge.search.CandidateQuery.Size;
import io.hiroba.knowledge.search.CandidateQuery.Trust;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.ScriptLanguage;
import io.hiroba.platform.text.TokenVector;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The terms of a query with their weights: a rare term weighs more than a common one, and words that only make a
 * sentence of it are left out, unless there are no others.
 *
 * @param terms by rarity, the rarest first
 * @param chunks the approximate number of chunks
 */
record QueryTerms(List<Term> terms, double chunks) {

    /** The breadth of the candidates to rank. */
    enum Breadth {
        USUAL,
        /** Used if the usual candidates are too few. */
        WIDE
    }

    static final QueryTerms NONE = new QueryTerms(List.of(), 1);

    /** More would not improve the results; fewer than an int has bits. */
    private static final int MAX_TERMS = 24;

    /**
     * A term.
     *
     * @param chunks the approximate document frequency
     * @param counted false if that is a guess, and no chunk may contain it
     * @param weight its inverse document frequency, by its share of the meaning
     */
    record Term(Phrase phrase, double chunks, boolean counted, double weight) {

        /** Whether it is a number, a version or a code. */
        boolean isNumber() {
            return lexeme().chars().anyMatch(Character::isDigit);
        }

        /** Whether texts in every language write it so, as they do names, words in Latin script and codes. */
        boolean isOfAnyLanguage() {
            var language = ScriptLanguage.of(lexeme());
            return language.isEmpty() || language.get() == Language.ENGLISH;
        }

        private String lexeme() {
            return phrase.terms().getFirst().lexeme();
        }

        /** The phrases that are it: a version has two spellings. */
        List<Phrase> spellings() {
            return VersionNumber.otherSpelling(lexeme())
                    .map(other -> List.of(phrase, Phrase.mark(other)))
                    .orElse(List.of(phrase));
        }

        /** As PostgreSQL's tsquery, in text form. */
        String tsquery() {
            return spellings().stream().map(Phrase::keys).collect(Collectors.joining(" | ", "(", ")"));
        }
    }

    static QueryTerms of(String text, TermStatistics frequencies) {
        double all = Math.max(1, frequencies.chunks());
        return new QueryTerms(
                shares(text).entrySet().stream()
                        .map(entry -> term(entry.getKey(), entry.getValue(), all, frequencies))
                        .sorted(Comparator.comparingDouble(Term::weight).reversed())
                        .limit(MAX_TERMS)
                        .sorted(Comparator.comparingDouble(Term::chunks))
                        .toList(),
                all);
    }

    private static Map<String, Double> shares(String text) {
        var tokens = Analysis.tokens(text).stream()
                .filter(token -> TokenVector.holds(token.term()))
                .toList();
        var shares = new LinkedHashMap<String, Double>();
        for (var token : tokens) {
            double share = TermShare.of(token, text);
            if (share > 0) {
                shares.merge(token.term(), share, Math::max);
            }
        }
        if (shares.isEmpty()) {
            tokens.stream().filter(token -> !token.part()).forEach(token -> shares.put(token.term(), 1.0));
        }
        return shares;
    }

    private static Term term(String lexeme, double share, double all, TermStatistics frequencies) {
        double chunks = Math.min(all, frequencies.chunksWith(lexeme));
        double weight = share * Math.log(1 + (all - chunks + 0.5) / (chunks + 0.5));
        return new Term(Phrase.mark(lexeme), chunks, frequencies.isListed(lexeme), weight);
    }

    boolean isEmpty() {
        return terms.isEmpty();
    }

    /** @param wanted the number of hits that the candidates must contain */
    CandidateQuery candidates(Breadth breadth, int wanted) {
        return switch (breadth) {
            case USUAL -> CandidateQuery.of(terms, chunks, new Size(10.0 * wanted, 2.0 * wanted), Trust.GUESSES);
            case WIDE -> CandidateQuery.of(terms, chunks, new Size(5_000, 10.0 * wanted), Trust.COUNTS);
        };
    }

    /** The significant terms, to highlight in snippets. */
    List<Phrase> shown() {
        double heaviest = terms.stream().mapToDouble(Term::weight).max().orElse(0);
        return terms.stream()
                .filter(term -> term.weight >= heaviest / 4)
                .flatMap(term -> term.spellings().stream())
                .toList();
    }
}
