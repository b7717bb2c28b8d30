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
        assertThat(answer(owner, "的")).startsWith("I did not find that");
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
}
