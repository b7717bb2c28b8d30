package io.hiroba.bench.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.bench.search.IndexedCorpus.Chunk;
import io.hiroba.bench.search.SearchQuestion.Kind;
import io.hiroba.platform.i18n.Language;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SearchCorpusTest {

    private static final SearchCorpus CORPUS = SearchCorpus.load();

    @Test
    void everyAnswerStandsInOneSectionOfItsDocument() {
        for (var question : CORPUS.questions()) {
            if (question.hasAnswer()) {
                assertThat(CORPUS.documents()).as(question.id()).containsKey(question.document());
                assertThat(sections(question.document()))
                        .as("the sections of %s that answer %s", question.document(), question.id())
                        .filteredOn(question::isAnsweredBy)
                        .hasSize(1);
                assertThat(question.answer()).as(question.id()).isNotBlank();
            } else {
                assertThat(question.document() + question.answer())
                        .as(question.id())
                        .isEmpty();
            }
        }
    }

    private static List<String> sections(String document) {
        return List.of(Objects.requireNonNull(CORPUS.documents().get(document)).split("(?m)^(?=## )", -1));
    }

    @Test
    void onlyQuestionsAcrossLanguagesHaveADocumentInAnother() {
        assertThat(CORPUS.questions())
                .filteredOn(SearchQuestion::hasAnswer)
                .allSatisfy(question -> assertThat(question.document()
                                .startsWith(question.language().code() + "/"))
                        .as(question.id())
                        .isNotEqualTo(question.kind() == Kind.CROSS));
    }

    @Test
    void thereAreEnoughQuestionsOfEveryKindInEveryLanguage() {
        assertThat(CORPUS.questions()).hasSizeGreaterThanOrEqualTo(300);
        assertThat(CORPUS.questions()).extracting(SearchQuestion::id).doesNotHaveDuplicates();
        assertThat(CORPUS.questions()).extracting(SearchQuestion::text).doesNotHaveDuplicates();
        var slices = CORPUS.questions().stream()
                .collect(Collectors.groupingBy(
                        question -> question.language() + " " + question.kind(), TreeMap::new, Collectors.toList()));
        assertThat(slices).hasSize(Language.values().length * Kind.values().length);
        assertThat(slices.values()).allSatisfy(slice -> {
            assertThat(slice).hasSizeGreaterThanOrEqualTo(10);
            long tune = slice.stream().filter(SearchQuestion::tune).count();
            assertThat(2.0 * tune).isCloseTo(slice.size(), Offset.offset(1.0));
        });
    }

    @Test
    void theRightPassageCountsMoreThanAnotherOfItsDocument() {
        var chunks = Stream.of(
                        new Chunk(1, "en/lease", "Lease", "Rent", "The rent is due on Monday."),
                        new Chunk(2, "en/lease", "Lease", "Pets", "Snakes are\nForbidden."),
                        new Chunk(3, "en/zoo", "Zoo", "Snakes", "Snakes are forbidden to touch."))
                .collect(Collectors.toMap(Chunk::id, chunk -> chunk));
        var judge = new SearchJudge(Map.copyOf(chunks));
        var question = new SearchQuestion(
                "q", Language.ENGLISH, Kind.WORDS, "en/lease", "snakes are forbidden", "May I keep a snake?", true);

        assertThat(judge.judge(question, List.of(2L, 1L), 0)).satisfies(verdict -> {
            assertThat(verdict.rank()).isEqualTo(1);
            assertThat(verdict.gain()).isEqualTo(1);
        });
        assertThat(judge.judge(question, List.of(3L, 1L, 2L), 0)).satisfies(verdict -> {
            assertThat(verdict.rank()).isEqualTo(3);
            assertThat(verdict.isHit(1)).isFalse();
            assertThat(verdict.isHit(5)).isTrue();
            assertThat(verdict.gain()).isBetween(0.5, 0.7);
        });
        assertThat(judge.judge(question, List.of(3L), 0).gain()).isZero();
        assertThat(judge.withoutPassage(List.of(question))).isEmpty();
    }
}
