package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.knowledge.search.CandidateQuery.Size;
import io.hiroba.knowledge.search.CandidateQuery.Trust;
import io.hiroba.knowledge.search.QueryTerms.Term;
import io.hiroba.platform.text.Phrase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CandidateQueryTest {

    private static final double CHUNKS = 100_000;
    private static final Size USUAL = new Size(500, 100);

    private static Term term(String word, double chunks, boolean counted) {
        return new Term(List.of(Phrase.mark(word)), chunks, counted, Math.log(CHUNKS / (chunks + 1)));
    }

    /** Words a, b, c … that stand in so many chunks each, the rarest first. */
    private static List<Term> words(double... chunks) {
        var terms = new ArrayList<Term>();
        for (double count : chunks) {
            terms.add(term(String.valueOf((char) ('a' + terms.size())), count, true));
        }
        return terms;
    }

    private static String chosen(List<Term> terms) {
        return text(CandidateQuery.of(terms, CHUNKS, USUAL, Trust.GUESSES));
    }

    private static String text(CandidateQuery candidates) {
        return candidates.tsquery().replaceAll("[()']", "");
    }

    @Test
    void anyOfSomeRareWordsWillDo() {
        var candidates = CandidateQuery.of(words(5, 80, 300), CHUNKS, USUAL, Trust.GUESSES);
        assertThat(text(candidates)).isEqualTo("a | b | c");
        assertThat(candidates.leaveOut()).isFalse();
    }

    @Test
    void aWordThatIsLessRareMustComeWithAnother() {
        var candidates = CandidateQuery.of(words(130, 1400, 12_000, 45_000), CHUNKS, USUAL, Trust.GUESSES);
        assertThat(text(candidates)).isEqualTo("a | b & c");
        assertThat(candidates.leaveOut()).isTrue();
    }

    @Test
    void moreAreRankedRatherThanNextToNone() {
        assertThat(chosen(words(700, 40_000))).isEqualTo("a");
        assertThat(chosen(words(15_000, 20_000, 25_000))).isEqualTo("a & b & c");
    }

    @Test
    void wordsThatAreEverywhereMustAllBeThere() {
        assertThat(chosen(words(30_000, 60_000, 90_000))).isEqualTo("a & b & c");
        assertThat(chosen(words(99_000))).isEqualTo("a");
    }

    @Test
    void whatIsEverywhereIsNotRankedBesideARareWord() {
        assertThat(chosen(words(68, 2_974, 74_418, 98_739))).isEqualTo("a");
        assertThat(chosen(words(68, 6_998, 98_739))).isEqualTo("a");
    }

    @Test
    void whatIsOnlyGuessedIsNotReliedUponTwice() {
        var terms = List.of(term("unheard", 120, false), term("b", 30_000, true), term("c", 60_000, true));
        assertThat(chosen(terms)).isEqualTo("unheard");
        assertThat(text(CandidateQuery.of(terms, CHUNKS, new Size(5_000, 100), Trust.COUNTS)))
                .isEqualTo("unheard | b & c");
    }

    @Test
    void aLongQuestionIsLedByItsRareWords() {
        var many = new double[30];
        for (int i = 0; i < many.length; i++) {
            many[i] = 10 * Math.pow(1.3, i);
        }
        var candidates = CandidateQuery.of(words(many), CHUNKS, USUAL, Trust.GUESSES);
        assertThat(candidates.sets())
                .hasSizeBetween(5, 30)
                .contains(List.of(words(many).getFirst()));
        assertThat(candidates.sets()).allMatch(set -> set.getFirst().chunks() <= 2_000);
    }

    @Test
    void withoutStatisticsEveryWordCounts() {
        assertThat(text(CandidateQuery.of(words(0, 0, 0), 1, USUAL, Trust.COUNTS)))
                .isEqualTo("a | b | c");
    }
}
