package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeReader;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.testkit.TestSearch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words that may be written in several ways, and those that are meant as they are written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpelledTermTest {

    private final TestSearch search = new TestSearch();

    @AfterAll
    void end() {
        search.close();
    }

    private Caller owner(String... texts) {
        var owner = search.knowledge.person("Owner");
        for (var text : texts) {
            search.note(owner.user(), false, "Note", Place.NONE, text);
        }
        return owner;
    }

    private List<String> found(Caller caller, String query) {
        return search.find(caller, query, SearchMode.KEYWORD, SearchFilters.NONE).hits().stream()
                .map(SearchHit::content)
                .sorted()
                .toList();
    }

    private String marked(Caller caller, String query) {
        return search.find(caller, query, SearchMode.KEYWORD, SearchFilters.NONE).hits().getFirst().snippet().stream()
                .filter(Piece::hit)
                .map(Piece::text)
                .collect(Collectors.joining(" "));
    }

    @Test
    void kanaOfEitherScriptFindTheOther() {
        var owner = owner("ゴミ袋は青い。", "ごみは電話で。", "終電は早い。");
        for (var query : List.of("ゴミ", "ごみ", "ｺﾞﾐ")) {
            assertThat(found(owner, query)).as(query).containsExactly("ごみは電話で。", "ゴミ袋は青い。");
        }
        assertThat(found(owner, "ゴミ袋")).contains("ゴミ袋は青い。");
        assertThat(marked(owner("ごみ袋は青い。"), "ゴミ袋")).isEqualTo("ごみ袋");
    }

    @Test
    void aShortWordIsThereAsAWholeOrNotAtAll() {
        var owner = owner("洗濯機のフィルターは毎週掃除します。", "サーバの電源は青い。", "アプリケーションの設定。");
        for (var query : List.of("ギター", "スター", "ｷﾞﾀｰ", "毎日", "キーボード")) {
            assertThat(found(owner, query)).as(query).isEmpty();
        }
        assertThat(found(owner, "フィルター")).containsExactly("洗濯機のフィルターは毎週掃除します。");
        assertThat(found(owner, "毎週")).containsExactly("洗濯機のフィルターは毎週掃除します。");
        assertThat(found(owner, "サーバー")).containsExactly("サーバの電源は青い。");
        assertThat(found(owner, "アプリ")).containsExactly("アプリケーションの設定。");
    }

    @Test
    void simplifiedAndTraditionalCharactersFindTheOther() {
        var owner = owner("新的軟件在資料庫裡。", "软件的安装说明。", "他的頭髮很長。", "天气很好。");
        for (var query : List.of("软件", "軟件")) {
            assertThat(found(owner, query)).as(query).containsExactlyInAnyOrder("新的軟件在資料庫裡。", "软件的安装说明。");
        }
        assertThat(found(owner, "资料库")).containsExactly("新的軟件在資料庫裡。");
        assertThat(marked(owner, "头发")).isEqualTo("頭髮");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"LX4471B", "lx4471b", "LX-4471-B", "LX-4471B", "LX4471-B", "lx_4471_b", "ＬＸ４４７１Ｂ", "ＬＸ－４４７１－Ｂ"})
    void aCodeIsFoundHoweverItsPartsAreJoined(String query) {
        var owner = owner("The filter LX-4471-B fits.", "A pump: LX4471B.", "Filter LX-4472-B: 4471 are left, plan B.");
        assertThat(found(owner, query)).containsExactly("A pump: LX4471B.", "The filter LX-4471-B fits.");
    }

    @Test
    void aNumberIsFoundWithAndWithoutASpaceBeforeItsUnit() {
        assertThat(found(owner("The lift carries 450 kg.", "450 people."), "450kg"))
                .containsExactly("The lift carries 450 kg.");
    }

    @Test
    void aNameWithSignsIsNotItsLetters() {
        var owner =
                owner("C++ is fast.", "C# is typed.", "C compiles.", ".NET runs it.", "使用.NET和C#。", "The net income.");
        assertThat(found(owner, "c++")).containsExactly("C++ is fast.");
        assertThat(found(owner, "Ｃ＋＋")).containsExactly("C++ is fast.");
        assertThat(found(owner, "what is c#?")).containsExactly("C# is typed.", "使用.NET和C#。");
        assertThat(found(owner, ".net")).containsExactly(".NET runs it.", "使用.NET和C#。");
        assertThat(marked(owner, "c++")).isEqualTo("C++");
    }

    @Test
    void aNameWithSignsIsFoundInWhatWasStoredBefore() throws IOException {
        var owner = owner("用C++写。", "See src/.env or i++ for C#.");
        search.knowledge.db.useTransaction(
                tx -> tx.update("""
                    UPDATE knowledge.knowledge_chunks SET words = to_tsvector('simple', 'before')
                    WHERE owned_by = :owner
                    """).bind("owner", owner.user().value()).execute());
        assertThat(found(owner, "c++")).isEmpty();
        try (var script = Objects.requireNonNull(
                getClass().getResourceAsStream("/io/hiroba/knowledge/db/V013__signed_names.sql"))) {
            var sql = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            search.knowledge.db.useTransaction(tx -> tx.update(sql).execute());
        }
        assertThat(found(owner, "c++")).containsExactly("用C++写。");
        assertThat(found(owner, "c#")).containsExactly("See src/.env or i++ for C#.");
        assertThat(found(owner, ".env")).containsExactly("See src/.env or i++ for C#.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WiFi",
                "rotate_back",
                "otate_back",
                "\"otate_back\"",
                "wiffe42",
                "io.wiffe.net",
                "a/wiffe",
                "wifFe"
            })
    void aCodeIsNeverCorrected(String query) {
        var owner = owner("My wife calls rotation_back.");
        assertThat(search.find(owner, query, SearchMode.KEYWORD, SearchFilters.NONE)
                        .searchedFor())
                .isNull();
    }

    @Test
    void aWordIsSearchedForBesideItsCorrection() {
        var owner = owner("The laundry is open from seven to nine.");
        var frequencies = new TermStatistics(search.searchDatabase, Clock.systemUTC(), new SearchStore());
        var corrected = new Spelling(search.searchDatabase, frequencies)
                .correct(KnowledgeReader.of(owner), KnowledgeQuery.of("When is the Laundary open?"));
        assertThat(corrected.shown()).isEqualTo("When is the laundry open?");
        assertThat(corrected.query().text()).isEqualTo("When is the Laundary laundry open?");
        var terms = QueryTerms.of(corrected.query().text(), frequencies, corrected.terms())
                .terms();
        assertThat(terms).extracting(QueryTerms.Term::tsquery).contains("(('laundri') | ('laundari'))");
        assertThat(terms).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?", "the", "What is it?", "的", "！？", "thank you"})
    void aQueryWithoutAWordThatSaysWhatToLookForFindsNothingAndSaysSo(String query) {
        var owner = owner("The tenant gets the deposit back? What is it?", "租客的押金可以退。");
        for (var mode : SearchMode.values()) {
            var result = search.find(owner, query, mode, SearchFilters.NONE);
            assertThat(result.hits()).as("%s", mode).isEmpty();
            assertThat(result.why()).asString().contains("No word of this query");
        }
    }

    @Test
    void wordsThatAreMeantAsTheyAreWrittenAreFoundWhateverTheySay() {
        var owner = owner("Ask IT for a laptop.", "To be, or not to be.");
        assertThat(found(owner, "IT")).containsExactly("Ask IT for a laptop.");
        assertThat(found(owner, "\"to be or not to be\"")).containsExactly("To be, or not to be.");
    }
}
