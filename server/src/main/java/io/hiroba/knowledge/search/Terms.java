package io.hiroba.knowledge.search;

import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.TokenVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The words of a question, weighed: a rare one says more about what is looked for than a common one.
 *
 * @param terms the rarest first
 */
record Terms(List<Term> terms) {

    /** About how many chunks are ranked. */
    enum Breadth {
        USUAL(2_000),
        /** Where the rare words turn out to be in no chunk. */
        WIDE(20_000);

        private final double chunks;

        Breadth(double chunks) {
            this.chunks = chunks;
        }
    }

    /** More would not make the answer better. */
    private static final int MOST_TERMS = 32;

    /**
     * A word.
     *
     * @param chunks about how many chunks hold it
     * @param weight how much it says
     */
    record Term(Phrase phrase, double chunks, double weight) {}

    static Terms of(String text, Frequencies frequencies) {
        var lexemes = new LinkedHashSet<String>();
        Phrase.of(text).terms().forEach(term -> lexemes.add(term.lexeme()));
        double all = Math.max(1, frequencies.chunks());
        return new Terms(lexemes.stream()
                .filter(TokenVector::holds)
                .map(lexeme -> {
                    double chunks = frequencies.chunksWith(lexeme);
                    return new Term(Phrase.mark(lexeme), chunks, Math.log(1 + (all - chunks + 0.5) / (chunks + 0.5)));
                })
                .sorted(Comparator.comparingDouble(Term::chunks))
                .limit(MOST_TERMS)
                .toList());
    }

    boolean isEmpty() {
        return terms.isEmpty();
    }

    /**
     * What chunks must hold to be ranked at all, as a tsquery: one of the rare words; where all of them are too common for
     * that, every word.
     */
    String candidates(Breadth breadth) {
        var rare = new ArrayList<String>();
        double chunks = 0;
        for (var term : terms) {
            chunks += term.chunks;
            if (chunks <= breadth.chunks) {
                rare.add(term.phrase.keys());
            }
        }
        return rare.isEmpty()
                ? terms.stream().map(term -> term.phrase.keys()).collect(Collectors.joining(" & "))
                : String.join(" | ", rare);
    }

    /** Whether there are words that are too common to be looked for beside the others. */
    boolean leavesOut(Breadth breadth) {
        double chunks = terms.stream().mapToDouble(Term::chunks).sum();
        return chunks > breadth.chunks;
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
