package io.hiroba.knowledge.search;

import io.hiroba.knowledge.search.CandidateQuery.Size;
import io.hiroba.knowledge.search.CandidateQuery.Trust;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.TokenVector;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The terms of a query with their weights: a rare term weighs more than a common one.
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

    /** More would not improve the results; fewer than an int has bits. */
    private static final int MAX_TERMS = 30;

    /**
     * A term.
     *
     * @param chunks the approximate document frequency
     * @param counted false if that is a guess, and no chunk may contain it
     * @param weight its inverse document frequency
     */
    record Term(Phrase phrase, double chunks, boolean counted, double weight) {}

    static QueryTerms of(String text, TermStatistics frequencies) {
        var lexemes = new LinkedHashSet<String>();
        Phrase.of(text).terms().forEach(term -> lexemes.add(term.lexeme()));
        double all = Math.max(1, frequencies.chunks());
        return new QueryTerms(
                lexemes.stream()
                        .filter(TokenVector::holds)
                        .map(lexeme -> {
                            double chunks = frequencies.chunksWith(lexeme);
                            double weight = Math.log(1 + (all - chunks + 0.5) / (chunks + 0.5));
                            return new Term(Phrase.mark(lexeme), chunks, frequencies.isListed(lexeme), weight);
                        })
                        .sorted(Comparator.comparingDouble(Term::chunks))
                        .limit(MAX_TERMS)
                        .toList(),
                all);
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

    /** A tsquery for any of the terms. */
    String any() {
        return terms.stream().map(term -> term.phrase().keys()).collect(Collectors.joining(" | "));
    }

    /** The significant terms, to highlight in snippets. */
    List<Phrase> shown() {
        double heaviest = terms.isEmpty() ? 0 : terms.getFirst().weight;
        return terms.stream()
                .filter(term -> term.weight >= heaviest / 4)
                .map(Term::phrase)
                .toList();
    }
}
