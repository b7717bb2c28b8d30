package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.NewSource;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.testkit.TestSearch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SearchTest {

    private final TestSearch search = new TestSearch();
    private final Caller reader = search.knowledge.person("reader");
    private final Caller stranger = search.knowledge.person("stranger");

    @BeforeAll
    void fill() {
        note(true, "Cats", "Cats purr when they are content.", "A cat sleeps sixteen hours a day.");
        note(true, "Databases", "A transaction commits or rolls back as a whole.", "Vacuum removes dead rows.");
        note(true, "猫", "吾輩は猫である。名前はまだ無い。");
        note(false, "Secrets", "The cat is hidden under the stairs.");
    }

    private SourceId note(boolean isPublic, String title, String... texts) {
        return search.note(reader.user(), isPublic, title, Place.NONE, texts);
    }

    @AfterAll
    void end() {
        search.close();
    }

    private List<String> found(Caller caller, String text, SearchMode mode) {
        return search.find(caller, text, mode, SearchFilters.NONE).hits().stream()
                .map(SearchHit::content)
                .toList();
    }

    @Test
    void wordsAreFoundInWhateverFormTheyStand() {
        assertThat(found(stranger, "sleeping CATS", SearchMode.KEYWORD).getFirst())
                .isEqualTo("A cat sleeps sixteen hours a day.");
        assertThat(found(stranger, "名前", SearchMode.KEYWORD)).containsExactly("吾輩は猫である。名前はまだ無い。");
        assertThat(found(stranger, "zebra", SearchMode.KEYWORD)).isEmpty();
        assertThat(found(stranger, "!?", SearchMode.KEYWORD)).isEmpty();
    }

    @Test
    void whatHoldsMoreOfTheWordsComesFirstHoweverOftenAnotherHoldsOne() {
        note(true, "Crossing", "A bridge: bridges, bridge by bridge.", """
            In autumn, when storms come down the valley and nobody goes out who does not have to, the old bridge above the
            village sways so much in the wind that carts wait for hours on either side of the river until it is still.
            """);
        assertThat(found(stranger, "bridge wind river", SearchMode.KEYWORD).getFirst())
                .startsWith("In autumn");
    }

    @Test
    void aMisspeltWordIsCorrectedToOneOfAPassage() {
        note(true, "Washing", "The laundry in the basement is open from seven to nine.");
        for (var mode : SearchMode.values()) {
            var result = search.find(stranger, "Laundary in the basmeent", mode, SearchFilters.NONE);
            assertThat(result.searchedFor()).as("%s", mode).isEqualTo("laundry in the basement");
            assertThat(result.hits().getFirst().content()).startsWith("The laundry");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"laundry", "laundr", "\"laundary\"", "LAUNDARY", "zebra", "caats42", "猫ですよ"})
    void wordsThatAreRightOrMeantAsTheyAreStayAsTheyAre(String word) {
        note(true, "Washing", "The laundry is open from seven to nine.");
        assertThat(search.find(stranger, word, SearchMode.KEYWORD, SearchFilters.NONE)
                        .searchedFor())
                .isNull();
    }

    @Test
    void noCorrectionBetraysAPassageThatTheReaderMayNotRead() {
        note(false, "Plans", "The project quokkalith begins in May.");
        var misspelt = "quokalith";
        assertThat(search.find(reader, misspelt, SearchMode.KEYWORD, SearchFilters.NONE)
                        .searchedFor())
                .isEqualTo("quokkalith");
        assertThat(search.find(stranger, misspelt, SearchMode.KEYWORD, SearchFilters.NONE)
                        .searchedFor())
                .isNull();
    }

    @Test
    void whetherAWordIsCorrectedDoesNotTellWhatOthersWordsBeginWith() {
        note(false, "Plans", "The project quokkalith begins in May.");
        note(true, "Zoo", "The quokkam is a small animal.");
        assertThat(search.find(stranger, "quokkal", SearchMode.KEYWORD, SearchFilters.NONE)
                        .searchedFor())
                .isEqualTo("quokkam");
        assertThat(search.find(reader, "quokkal", SearchMode.KEYWORD, SearchFilters.NONE)
                        .searchedFor())
                .isNull();
    }

    @Test
    void aSignFindsWhereItStandsAndNothingElse() {
        note(true, "Party", "We meet at eight 🎈.");
        assertThat(found(stranger, "🎈", SearchMode.HYBRID)).containsExactly("We meet at eight 🎈.");
        assertThat(found(stranger, "😀", SearchMode.HYBRID)).isEmpty();
    }

    @Test
    void aTitlesWordsFindItsPassages() {
        assertThat(found(stranger, "databases", SearchMode.KEYWORD)).hasSize(2);
    }

    @Test
    void meaningIsFoundByNearness() {
        assertThat(found(stranger, "transaction rolls back whole", SearchMode.VECTOR)
                        .getFirst())
                .startsWith("A transaction commits");
    }

    @Test
    void bothTogetherPutWhatBothFindFirst() {
        var result = search.find(stranger, "dead rows vacuum removes", SearchMode.HYBRID, SearchFilters.NONE);
        assertThat(result.hits().getFirst().content()).isEqualTo("Vacuum removes dead rows.");
        assertThat(result.hits())
                .extracting(SearchHit::score)
                .isSortedAccordingTo((one, other) -> Double.compare(other, one))
                .allMatch(score -> score >= 0 && score <= 1);
    }

    @Test
    void theWordsOfAQuestionThatTellNothingFindNothingAndAreNotMarked() {
        note(true, "Groups", "What do I have to do so that my own files are in my group? You may not.");
        note(true, "Lease", "Snakes and other reptiles are allowed if the landlord agrees.");
        var question = "Am I allowed to have a snake in my flat?";
        assertThat(found(stranger, question, SearchMode.KEYWORD)).allMatch(text -> text.startsWith("Snakes"));
        var marked = search
                .find(stranger, "do the snakes have a landlord", SearchMode.KEYWORD, SearchFilters.NONE)
                .hits()
                .getFirst()
                .snippet()
                .stream()
                .filter(Piece::hit)
                .map(Piece::text)
                .toList();
        assertThat(marked).containsExactly("Snakes", "landlord");
    }

    @Test
    void whatIsPrivateIsFoundByItsOwnerOnly() {
        for (var mode : SearchMode.values()) {
            assertThat(found(reader, "cat hidden under the stairs", mode))
                    .as("%s by the owner", mode)
                    .contains("The cat is hidden under the stairs.");
            assertThat(found(stranger, "cat hidden under the stairs", mode))
                    .as("%s by somebody else", mode)
                    .doesNotContain("The cat is hidden under the stairs.");
        }
    }

    @Test
    void anAnswerThatIsShortSaysWhy() {
        var few = search.find(stranger, "cat", SearchMode.KEYWORD, SearchFilters.NONE);
        assertThat(few.truncated()).isTrue();
        assertThat(few.why()).asString().contains("No more chunks");
        var none = search.search.search(
                stranger, new KnowledgeQuery("cat", SearchMode.VECTOR, 10, SearchFilters.NONE, 0.99));
        assertThat(none.hits()).isEmpty();
        assertThat(none.why()).asString().contains("0.99");
        var enough = search.search.search(
                stranger, new KnowledgeQuery("cat", SearchMode.HYBRID, 2, SearchFilters.NONE, null));
        assertThat(enough.hits()).hasSize(2);
        assertThat(enough.truncated()).isFalse();
    }

    @Test
    void theWordsThatWereLookedForAreMarked() {
        var hit = search.find(stranger, "sleeping", SearchMode.KEYWORD, SearchFilters.NONE)
                .hits()
                .getFirst();
        assertThat(hit.snippet()).contains(new Piece("sleeps", true));
        assertThat(hit.sourceTitle()).isEqualTo("Cats");
        assertThat(hit.label()).isEqualTo("Text");
        assertThat(hit.url())
                .isEqualTo("/knowledge/sources/" + hit.source().hex() + "?chunk="
                        + hit.chunk().hex());
    }

    @Test
    void filtersNarrowEveryWayOfSearching() {
        var owner = search.knowledge.accounts.user("filterer");
        var one = search.note(owner, true, "Lake", new Place(11L, 21L), "The lake is deep and cold.");
        search.knowledge.accounts.clock.advance(Duration.ofHours(2));
        var between = search.knowledge.accounts.clock.instant();
        search.knowledge.accounts.clock.advance(Duration.ofHours(2));
        var other = search.note(owner, true, "River", new Place(12L, 22L), "The river is deep and cold.");

        for (var mode : SearchMode.values()) {
            assertThat(sources(mode, new SearchFilters(null, one, null, null, null, null)))
                    .containsExactly(one);
            assertThat(sources(mode, new SearchFilters(null, null, 12L, null, null, null)))
                    .containsExactly(other);
            assertThat(sources(mode, new SearchFilters(null, null, null, 21L, null, null)))
                    .containsExactly(one);
            assertThat(sources(mode, new SearchFilters(null, null, null, null, between, null)))
                    .containsExactly(other);
            assertThat(sources(mode, new SearchFilters(null, null, null, null, null, between)))
                    .contains(one)
                    .doesNotContain(other);
            assertThat(sources(mode, new SearchFilters(SourceType.NOTE, null, null, null, null, null)))
                    .contains(one, other);
            assertThat(sources(mode, new SearchFilters(SourceType.POST, null, null, null, null, null)))
                    .isEmpty();
        }
    }

    private List<SourceId> sources(SearchMode mode, SearchFilters filters) {
        return search
                .search
                .search(stranger, new KnowledgeQuery("deep and cold", mode, 50, filters, -1.0))
                .hits()
                .stream()
                .map(SearchHit::source)
                .toList();
    }

    @Test
    void withoutAVectorASearchGoesByWordsAndSaysSo() {
        try (var own = new TestSearch()) {
            own.note(own.knowledge.accounts.user("owner"), true, "Rows", Place.NONE, "Vacuum removes dead rows.");
            own.provider.always(texts -> {
                throw new ProviderException(Fault.UNREACHABLE, "down");
            });
            var result = own.find(stranger, "vacuum the removed", SearchMode.HYBRID, SearchFilters.NONE);
            assertThat(result.hits().getFirst().content()).isEqualTo("Vacuum removes dead rows.");
            assertThat(result.why()).asString().contains("keyword only");
            assertThatThrownBy(() -> own.find(stranger, "vacuum a removed", SearchMode.VECTOR, SearchFilters.NONE))
                    .isInstanceOfSatisfying(
                            KnowledgeProblem.class,
                            problem -> assertThat(problem.code()).isEqualTo("knowledge.no-vector"));
        }
    }

    @Test
    void aTextWithoutAVectorIsAnsweredByItsWordsAndConcernsNobodyElse() {
        try (var own = new TestSearch()) {
            own.note(own.knowledge.accounts.user("owner"), true, "Rows", Place.NONE, "Vacuum removes dead rows.");
            own.provider.always(texts -> {
                if (texts.stream().anyMatch(text -> text.contains("\u200b"))) {
                    throw new ProviderException(Fault.TEXT_REFUSED, "no tokens");
                }
            });
            var none = own.find(stranger, "vacuum\u200b", SearchMode.VECTOR, SearchFilters.NONE);
            assertThat(none.hits()).isEmpty();
            assertThat(none.why()).asString().contains("has no vector");
            var words = own.find(stranger, "vacuum\u200b", SearchMode.HYBRID, SearchFilters.NONE);
            assertThat(words.hits()).hasSize(1);
            assertThat(words.why()).asString().contains("has no vector");
            assertThat(own.find(stranger, "vacuum", SearchMode.VECTOR, SearchFilters.NONE)
                            .hits())
                    .hasSize(1);
        }
    }

    @Test
    void aHundredAtOnceAreAnsweredWithoutAnError() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var searches = IntStream.range(0, 100)
                    .mapToObj(i -> threads.submit(() -> found(stranger, "cats sleep " + i, SearchMode.HYBRID)))
                    .toList();
            for (var each : searches) {
                assertThat(each.get()).contains("A cat sleeps sixteen hours a day.");
            }
        }
    }

    @Test
    void aPostIsNotFoundBySomebodyWhomABlockSeparatesFromItsAuthor() {
        var author = search.knowledge.accounts.user("author");
        var post = new NewSource(author, true, SourceType.POST, "Walrus", null, null, null, Place.NONE, Map.of());
        search.add(post, "The walrus is on the ice.");
        var blocked = search.knowledge.person("blocked");
        for (var mode : SearchMode.values()) {
            assertThat(found(blocked, "walrus on the ice", mode)).contains("The walrus is on the ice.");
        }
        search.knowledge.db.useTransaction(tx -> tx.update("""
            INSERT INTO social.user_blocks (blocker_id, blocked_id, created_at)
            VALUES (:author, :blocked, now())
            """)
                .bind("author", author.value())
                .bind("blocked", blocked.user().value())
                .execute());
        for (var mode : SearchMode.values()) {
            assertThat(found(blocked, "walrus on the ice", mode)).doesNotContain("The walrus is on the ice.");
        }
    }

    @Test
    void aThresholdThatNothingReachesIsTheReasonForFewHits() {
        var hybrid = search.search.search(
                stranger, new KnowledgeQuery("vacuum dead", SearchMode.HYBRID, 3, SearchFilters.NONE, 0.999));
        assertThat(hybrid.hits()).hasSizeLessThan(3);
        assertThat(hybrid.why()).asString().contains("1.00");
    }

    @Test
    void timesThatNobodyMeansAreRefused() {
        assertThatThrownBy(() -> new SearchFilters(null, null, null, null, Instant.MAX, null))
                .isInstanceOf(KnowledgeProblem.class);
        assertThatThrownBy(() -> new SearchFilters(null, null, null, null, null, Instant.MIN))
                .isInstanceOf(KnowledgeProblem.class);
    }

    @Test
    void hostileTextIsOnlyText() {
        for (var text : List.of("'); DROP TABLE x; --", "a' | 'b", "\\", "& | ! ( ) <->", "\u0000cat", "'\"")) {
            for (var mode : SearchMode.values()) {
                assertThat(search.find(stranger, "x" + text, mode, SearchFilters.NONE))
                        .isNotNull();
            }
        }
    }

    @Test
    void badQuestionsAreRefused() {
        assertThatThrownBy(() -> KnowledgeQuery.of("  ")).isInstanceOf(KnowledgeProblem.class);
        assertThatThrownBy(() -> KnowledgeQuery.of("x".repeat(2001))).isInstanceOf(KnowledgeProblem.class);
        assertThatThrownBy(() -> new KnowledgeQuery("x", SearchMode.HYBRID, 51, SearchFilters.NONE, null))
                .isInstanceOf(KnowledgeProblem.class);
        assertThatThrownBy(() -> new KnowledgeQuery("x", SearchMode.HYBRID, 10, SearchFilters.NONE, Double.NaN))
                .isInstanceOf(KnowledgeProblem.class);
    }

    @Test
    void aSwitchOfModelsOnAnotherNodeIsNoticed() {
        try (var own = new TestSearch()) {
            UserId owner = own.knowledge.accounts.user("owner");
            var source = own.note(owner, true, "Cats", Place.NONE, "Cats purr.");
            assertThat(own.find(reader, "cats purr", SearchMode.VECTOR, SearchFilters.NONE)
                            .hits())
                    .hasSize(1);
            own.switchModel(source);
            assertThat(own.find(reader, "cats purr", SearchMode.VECTOR, SearchFilters.NONE)
                            .hits())
                    .hasSize(1);
        }
    }
}
