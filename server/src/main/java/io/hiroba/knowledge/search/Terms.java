package io.hiroba.knowledge.search;

import io.hiroba.knowledge.search.Candidates.Size;
import io.hiroba.knowledge.search.Candidates.Trust;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.TokenVector;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The words of a question, weighed: a rare one says more about what is looked for than a common one.
 *
 * @param terms the rarest first
 * @param chunks about how many chunks there are
 */
record Terms(List<Term> terms, double chunks) {

    /** How much of what holds some of the words is ranked. */
    enum Breadth {
        USUAL,
        /** Where that turns out to be too little. */
        WIDE
    }

    /** More would not make the answer better; fewer than an int has bits. */
    private static final int MOST_TERMS = 30;

    /**
     * A word.
     *
     * @param chunks about how many chunks hold it
     * @param counted false if that is a guess, and there may be none
     * @param weight how much it says
     */
    record Term(Phrase phrase, double chunks, boolean counted, double weight) {}

    static Terms of(String text, Frequencies frequencies) {
        var lexemes = new LinkedHashSet<String>();
        Phrase.of(text).terms().forEach(term -> lexemes.add(term.lexeme()));
        double all = Math.max(1, frequencies.chunks());
        return new Terms(
                lexemes.stream()
                        .filter(TokenVector::holds)
                        .map(lexeme -> {
                            double chunks = frequencies.chunksWith(lexeme);
                            double weight = Math.log(1 + (all - chunks + 0.5) / (chunks + 0.5));
                            return new Term(Phrase.mark(lexeme), chunks, frequencies.knows(lexeme), weight);
                        })
                        .sorted(Comparator.comparingDouble(Term::chunks))
                        .limit(MOST_TERMS)
                        .toList(),
                all);
    }

    boolean isEmpty() {
        return terms.isEmpty();
    }

    /** @param wanted how many have to be among them */
    Candidates candidates(Breadth breadth, int wanted) {
        return switch (breadth) {
            case USUAL -> Candidates.of(terms, chunks, new Size(10.0 * wanted, 2.0 * wanted), Trust.GUESSES);
            case WIDE -> Candidates.of(terms, chunks, new Size(5_000, 10.0 * wanted), Trust.COUNTS);
        };
    }

    /** What holds one of the words, as a tsquery in text form. */
    String any() {
        return terms.stream().map(term -> term.phrase().keys()).collect(Collectors.joining(" | "));
    }

    /** For showing why a chunk was found: the words that say something. */
    List<Phrase> shown() {
        double heaviest = terms.isEmpty() ? 0 : terms.getFirst().weight;
        return terms.stream()
                .filter(term -> term.weight >= heaviest / 4)
                .map(Term::phrase)
                .toList();
    }
}
