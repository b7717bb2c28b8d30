package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.search.QueryTerms.Term;
import io.hiroba.knowledge.search.Relevance.Judged;
import io.hiroba.knowledge.search.SearchStore.Candidate;
import io.hiroba.platform.text.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What makes a candidate probable. */
class RelevanceTest {

    private static final Model BUILT_IN = new Model("local", "small", 384);
    private static final Model UNKNOWN = new Model("openai", "large", 1536);

    private static QueryTerms terms(String... words) {
        return new QueryTerms(
                IntStream.range(0, words.length)
                        .mapToObj(i -> new Term(List.of(Phrase.mark(words[i])), 1, true, 4))
                        .toList(),
                100);
    }

    private static Candidate candidate(long id, @Nullable Double similarity, String text, float... ranks) {
        var boxed = new Float[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            boxed[i] = ranks[i];
        }
        return new Candidate(new ChunkId(id), new SourceId(1), similarity != null, similarity, boxed, text);
    }

    private static List<Judged> judged(SearchMode mode, Model model, QueryTerms terms, Candidate... candidates) {
        return new Relevance(mode, model, "a question in English", terms, List.of(candidates)).judged();
    }

    private static List<Long> order(List<Judged> judged) {
        return judged.stream().map(each -> each.candidate().chunk().value()).toList();
    }

    @Test
    void whatOneHalfIsSureOfIsNotPushedAsideByWhatTheOtherKnowsLittleOf() {
        var judged = judged(
                SearchMode.HYBRID,
                BUILT_IN,
                terms("snake", "allow", "flat"),
                candidate(1, 0.72, "The lease", 0, 0, 0),
                candidate(2, 0.50, "Unix groups", 0, 0.4f, 0),
                candidate(3, 0.49, "Unix files", 0, 0.4f, 0));
        assertThat(order(judged)).startsWith(1L);
        var byWords = judged(
                SearchMode.HYBRID,
                BUILT_IN,
                terms("E4012"),
                candidate(1, 0.62, "Something like it", 0),
                candidate(2, 0.55, "It is E4012 that you want", 0.6f));
        assertThat(order(byWords)).startsWith(2L);
    }

    @Test
    void whatIsHardlySimilarAndHasNoneOfTheWordsIsNotEnough() {
        for (var mode : List.of(SearchMode.HYBRID, SearchMode.VECTOR)) {
            var judged = judged(
                    mode,
                    BUILT_IN,
                    mode == SearchMode.VECTOR ? QueryTerms.NONE : terms("gold", "price"),
                    mode == SearchMode.VECTOR
                            ? candidate(1, 0.5, "The prices of prints")
                            : candidate(1, 0.5, "Prints", 0, 0));
            assertThat(judged).noneMatch(Judged::isEnough);
        }
    }

    @Test
    void whatIsNoMoreSimilarThanMostAndHasNoneOfTheWordsIsNotEnough() {
        var judged = judged(SearchMode.HYBRID, BUILT_IN, terms("gold", "price"), candidate(1, 0.56, "The lease", 0, 0));
        assertThat(judged).noneMatch(Judged::isEnough);
        // Of rare words one that is not the rarest.
        var one = new QueryTerms(
                List.of(
                        new Term(List.of(Phrase.mark("gold")), 0, false, 6),
                        new Term(List.of(Phrase.mark("price")), 20, true, 3)),
                100);
        assertThat(judged(SearchMode.KEYWORD, BUILT_IN, one, candidate(1, null, "The prices of prints", 0, 0.6f)))
                .noneMatch(Judged::isEnough);
    }

    @Test
    void aPassageWithoutTheNumberThatIsAskedForIsLessProbable() {
        var judged = judged(
                SearchMode.HYBRID,
                BUILT_IN,
                terms("atlas", "9.1"),
                candidate(1, 0.65, "Atlas 8", 0.4f, 0),
                candidate(2, 0.65, "Since 9.1", 0, 0.4f));
        assertThat(order(judged)).startsWith(2L);
    }

    @Test
    void untilAChunkHasItsVectorItsWordsSpeakForIt() {
        var judged = judged(
                SearchMode.HYBRID,
                BUILT_IN,
                terms("quince", "jelly"),
                candidate(1, null, "Quince jelly", 0.6f, 0.6f),
                candidate(2, 0.55, "Bread", 0, 0));
        assertThat(judged.getFirst().candidate().chunk().value()).isEqualTo(1);
        assertThat(judged.getFirst().isEnough()).isTrue();
    }

    @Test
    void ofAnUnknownModelOnlyTheNearestThatStandOutAreEnoughAndOfFewNothingIsHidden() {
        var all = new ArrayList<Candidate>();
        IntStream.range(0, 40).forEach(i -> all.add(candidate(i, 0.10 + 0.001 * (i % 20), "Text", 0)));
        all.add(candidate(99, 0.45, "Text", 0));
        var judged = new Relevance(SearchMode.HYBRID, UNKNOWN, "a question", terms("gold"), all).judged();
        assertThat(order(judged)).startsWith(99L);
        assertThat(judged.getFirst().isEnough()).isTrue();
        assertThat(judged.subList(1, judged.size())).noneMatch(Judged::isEnough);
        assertThat(judged(SearchMode.HYBRID, UNKNOWN, terms("gold"), all.getFirst()))
                .allMatch(Judged::isEnough);
    }

    @Test
    void whatHasNoneOfTheWordsOfAnUnspacedQueryIsNotEnough() {
        var byWords = new Relevance(
                SearchMode.KEYWORD,
                null,
                "北京到上海的机票多少钱",
                terms("北京", "机票"),
                List.of(candidate(1, null, "English", 0, 0)));
        assertThat(byWords.judged()).noneMatch(Judged::isEnough);
        // As near as passages about something else are.
        var both = new Relevance(
                SearchMode.HYBRID, BUILT_IN, "富士山の高さ", terms("富士", "高さ"), List.of(candidate(1, 0.47, "登山の心得", 0, 0)));
        assertThat(both.judged().getFirst().probability()).isBetween(0.005, 0.01);
        assertThat(both.judged()).noneMatch(Judged::isEnough);
    }

    @Test
    void aQueryInCharactersOfBothLanguagesIsForeignToNeither() {
        var hall = candidate(1, 0.5, "夕食は大広間で出されます。", 0.6f);
        assertThat(foreign("大広間", hall)).isZero();
        assertThat(foreign("大広間", candidate(1, 0.5, "晚饭在大广间", 0))).isZero();
        assertThat(foreign("大広間はどこ", candidate(1, 0.5, "晚饭在大广间", 0))).isOne();
        assertThat(foreign("the hall", hall)).isOne();
    }

    private static double foreign(String query, Candidate candidate) {
        return new Relevance(SearchMode.HYBRID, BUILT_IN, query, terms("大広"), List.of(candidate))
                .evidence()
                .getFirst()
                .signals()[2];
    }

    @Test
    void aLatinWordInAPassageOfAnotherLanguageIsEvidence() {
        var terms = terms("vpn", "router");
        for (var mode : List.of(SearchMode.HYBRID, SearchMode.KEYWORD)) {
            Double similarity = mode == SearchMode.HYBRID ? Double.valueOf(0.55) : null;
            var judged = judged(
                    mode,
                    BUILT_IN,
                    terms,
                    candidate(1, similarity, "社内からの接続の手引き", 0, 0),
                    candidate(2, similarity, "社外からはVPNの装置を使います", 0.6f, 0.6f));
            assertThat(order(judged)).startsWith(2L);
            assertThat(judged.getFirst().probability())
                    .as("%s", mode)
                    .isGreaterThan(10 * judged.getLast().probability());
        }
    }

    @Test
    void charactersThatTwoLanguagesShareAreNoEvidenceInTheOther() {
        var chinese = candidate(1, 0.5, "晚饭在大广间", 0.6f);
        var signals = new Relevance(SearchMode.HYBRID, BUILT_IN, "大広間はどこ", terms("大広"), List.of(chinese))
                .evidence()
                .getFirst()
                .signals();
        assertThat(signals[3]).isZero();
        assertThat(signals[5]).isZero();
    }

    @Test
    void probabilitiesAreFromZeroToOne() {
        assertThat(judged(SearchMode.KEYWORD, BUILT_IN, terms("a1", "b"), candidate(1, null, "x", 1, 1)))
                .allMatch(each -> each.probability() >= 0 && each.probability() <= 1);
    }
}
