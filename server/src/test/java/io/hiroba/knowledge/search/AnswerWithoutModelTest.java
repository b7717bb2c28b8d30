package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.search.QuestionAnswering.Question;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.text.Passage;
import io.hiroba.testkit.TestSearch;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sentences of passages as answers, and questions that follow others. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnswerWithoutModelTest {

    private final TestSearch search = new TestSearch();
    private final QuestionAnswering answers = new QuestionAnswering(
            search.search,
            new ChatSessions(
                    search.knowledge.db,
                    search.knowledge.accounts.lease.ids(),
                    search.knowledge.accounts.clock,
                    search.knowledge.writer),
            new Throttle(search.knowledge.db, search.knowledge.accounts.clock),
            Optional::empty,
            4,
            100);

    @AfterAll
    void stop() {
        search.close();
    }

    private Caller owner(String... texts) {
        var owner = search.knowledge.person("Owner");
        for (var text : texts) {
            search.note(owner.user(), false, "Note", Place.NONE, text);
        }
        return owner;
    }

    private PendingAnswer asked(Caller owner, String question, String... before) {
        var turns = List.of(before).stream()
                .map(earlier -> new Prompt.Turn("user", earlier))
                .toList();
        var asked = new Question(question, null, SearchFilters.NONE, Language.ENGLISH);
        return answers.follow(owner, asked, turns, call -> {});
    }

    private String answer(Caller owner, String question, String... before) {
        return asked(owner, question, before).answer(words -> {}).text();
    }

    @Test
    void aShortQuestionAboutSomethingElseIsNotAnsweredFromTheOneBefore() {
        var ferry = "When does the boat to Skerry leave?";
        var owner = owner(
                "The boat to Skerry leaves at 07:40 from pier 3.",
                "The varroa mite is fought with oxalic acid.",
                "粗大ごみは事前に電話で申し込みます。",
                "終電は零時十二分発です。");
        assertThat(answer(owner, "varroa mite", ferry)).startsWith("- The varroa mite");
        assertThat(answer(owner, "終電は何時", "粗大ごみはどう出しますか")).startsWith("- 終電は");
        assertThat(answer(owner, "gold price", ferry)).startsWith("I did not find that");
        assertThat(answer(owner, "From which pier does it leave?", ferry)).startsWith("- The boat");
        assertThat(answer(owner, "And from where?", ferry)).startsWith("- The boat");
    }

    @Test
    void aWordThatOnlyMakesASentenceAsksNothing() {
        var owner = owner("租客的押金可以退。", "The tenant gets the deposit back.");
        assertThat(answer(owner, "the")).startsWith("I did not find that");
        assertThat(answer(owner, "的")).startsWith("在你可以");
    }

    @Test
    void aVersionIsFoundWithAndWithoutItsLetter() {
        var owner = owner("Since v4.12.3 no job is lost.", "Since 5.0.1 it is fast.");
        for (var version : List.of("4.12.3", "v4.12.3")) {
            var hit = search.find(owner, version, SearchMode.KEYWORD, SearchFilters.NONE)
                    .hits()
                    .getFirst();
            assertThat(hit.snippet().stream().filter(Passage.Piece::hit).map(Passage.Piece::text))
                    .containsExactly("v4.12.3");
        }
        assertThat(answer(owner, "4.12.3")).startsWith("- Since v4.12.3");
        assertThat(answer(owner, "v5.0.1")).startsWith("- Since 5.0.1");
    }

    @Test
    void sentencesOfThePassagesCiteThoseAlone() {
        var pending = asked(
                owner("Roses grow along the wall.", "The key hangs behind the door."), "What grows along the wall?");
        var reply = pending.answer(words -> {});
        assertThat(reply.text()).isEqualTo("- Roses grow along the wall. [1]");
        assertThat(pending.chunks()).hasSizeGreaterThan(1);
        assertThat(reply.citations()).extracting(Citation::number).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "Thanks, that is all!", "こんにちは。", "谢谢！", "?"})
    void aGreetingIsAnsweredWithASentenceAndNoPassages(String greeting) {
        var owner = owner("Hello, thanks for all the fish.", "こんにちは、谢谢");
        for (var before : List.of(new String[0], new String[] {"When does the boat to Skerry leave?"})) {
            var pending = asked(owner, greeting, before);
            assertThat(pending.chunks()).isEmpty();
            var reply = pending.answer(words -> {});
            assertThat(reply.text()).doesNotContain("\n", "fish").containsAnyOf("Ask me something", "質問をどうぞ", "请提问");
            assertThat(reply.why()).isNull();
        }
    }

    @Test
    void aQuestionThatGoesOnIsAboutWhatTheOneBeforeItWas() {
        var owner = owner(
                "In summer the swimming pool opens at seven, in winter the swimming pool opens at nine.",
                "In winter the key of the garage hangs in the hall.",
                "Winter: winter tyres are needed in winter.",
                "游泳池夏天七点开门，游泳池冬天九点开门。",
                "冬天要换冬天的轮胎。");
        var garage = "Where does the key of the garage hang?";
        var pool = "When does the swimming pool open?";
        assertThat(answer(owner, "and in winter?", garage, pool)).startsWith("- In summer the swimming pool");
        assertThat(answer(owner, "What about winter?", pool)).startsWith("- In summer the swimming pool");
        assertThat(answer(owner, "And in winter?", pool, garage)).startsWith("- In winter the key");
        assertThat(answer(owner, "And in winter?", garage, pool, "thanks")).startsWith("- In summer the swimming pool");
        assertThat(answer(owner, "冬天呢？", "游泳池几点开门？")).startsWith("- 游泳池夏天");
        assertThat(answer(owner, "and where are winter tyres needed?", pool)).startsWith("- Winter: winter tyres");
    }

    @Test
    void aQuestionThatNamesAnotherSubjectIsNotAnsweredFromTheOneBefore() {
        var owner = owner(
                "The warranty of the kettle is two years. Clean the kettle with vinegar.",
                "The warranty of the toaster is three years. Clean the toaster with a brush.",
                "The toaster has a crumb tray. The toaster browns bread for three minutes.",
                "The tsocotter lives in Skerry.",
                "The tsocwalrus lives in Norn.");
        var before = new String[] {
            "How long is the warranty of the kettle?",
            "And of the toaster?",
            "How do I clean it?",
            "what about the kettle"
        };
        assertThat(answer(owner, before[1], before[0])).startsWith("- The warranty of the toaster");
        assertThat(answer(owner, before[3], before[0], before[1], before[2]))
                .contains("kettle")
                .doesNotContain("toaster");
        assertThat(answer(owner, "And the tsocwalrus?", "Where does the tsocotter live?"))
                .startsWith("- The tsocwalrus")
                .doesNotContain("otter");
    }

    @Test
    void inJapaneseToo() {
        var owner = owner("冷蔵庫の保証期間は二年です。冷蔵庫の掃除は年に一度です。", "洗濯機の保証期間は三年です。洗濯機の掃除は月に一度です。", "冷蔵庫は台所にあります。");
        var fridge = "冷蔵庫の保証期間は？";
        assertThat(answer(owner, "では洗濯機は？", fridge)).startsWith("- 洗濯機の保証期間").doesNotContain("冷蔵庫");
        assertThat(answer(owner, "掃除は？", fridge, "では洗濯機は？").lines().limit(2)).allMatch(line -> line.contains("掃除"));
    }

    @Test
    void whatIsSaidIsInTheLanguageOfTheQuestion() {
        var owner = owner("The boat to Skerry leaves at 07:40.");
        assertThat(answer(owner, "金の値段はいくらですか。")).startsWith("閲覧できる");
        assertThat(answer(owner, "黄金的价格是多少？")).startsWith("在你可以");
        assertThat(answer(owner, "What is the price of gold?")).startsWith("I did not find");
        assertThat(language("What is the price of gold?", Language.JAPANESE)).isEqualTo(Language.ENGLISH);
        // A name is in no language, and characters alone may be Japanese.
        assertThat(language("Skerry", Language.JAPANESE)).isEqualTo(Language.JAPANESE);
        assertThat(language("避難訓練", Language.JAPANESE)).isEqualTo(Language.JAPANESE);
        assertThat(language("避難訓練", Language.ENGLISH)).isEqualTo(Language.CHINESE);
    }

    private static Language language(String question, Language reader) {
        return new Question(question, null, SearchFilters.NONE, reader).language();
    }
}
