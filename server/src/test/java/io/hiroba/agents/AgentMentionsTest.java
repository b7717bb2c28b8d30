package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Public mentions of the librarian on a whole server, in a community as that of the demo: what it finds, and who is meant. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentMentionsTest {

    private static final String PATH = "/api/v1/agents";

    private Square square;
    private Person ann;
    private String almanac = "";

    @BeforeAll
    void open() {
        square = new Square();
        ann = square.person("Ann");
        var freya = square.person("Freya");
        var machine =
                freya.post("A sewing machine from 1921 came in today. \"It stopped during the war,\" said the owner.");
        freya.reply(machine, "A thread wound round the hook. Possibly for eighty years. It purrs.");
        square.person("Mai")
                .post("The first tomato. It is the size of a marble and I have told everyone I know about it.");
        square.person("Ines").post("Roast log: the first crack comes at 196 °C, after nine and a half minutes.");
        square.person("健太").post("川の名前の看板は、橋の北側にあります。");
        square.person("小雨").post("書店每天早上十點開門，星期一休息。");
        almanac = agent("Almanac");
        await().until(() -> found("看板") && found("書店") && found("crack"));
    }

    @AfterAll
    void close() {
        square.close();
    }

    private boolean found(String word) {
        return !ann.api()
                .get("/api/v1/posts/search?q=" + URLEncoder.encode(word, StandardCharsets.UTF_8))
                .json()
                .path("items")
                .isEmpty();
    }

    private String agent(String nickname) {
        var made = square.admin.api().post(PATH, Json.text(Map.of("nickname", nickname, "model", "librarian")));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return made.text("id");
    }

    private List<JsonNode> runs(String agent) {
        return square.admin
                .api()
                .get(PATH + "/" + agent + "/runs")
                .json()
                .path("items")
                .valueStream()
                .toList();
    }

    private String answer(String agent, String post) {
        var run = await().atMost(Duration.ofSeconds(20))
                .until(
                        () -> runs(agent).stream()
                                .filter(each -> each.path("postId").asString().equals(post)
                                        && !each.path("endedAt").asString("").isEmpty())
                                .findFirst()
                                .orElse(null),
                        each -> each != null);
        return square.admin
                .api()
                .get("/api/v1/posts/" + run.path("replyId").asString())
                .text("content");
    }

    /** The answer to a question that is found by search before it is answered. */
    private String answerLate(String question) {
        var path = PATH + "/" + almanac;
        assertThat(square.admin.api().post(path + "/pause", "").outcome()).isEqualTo("200");
        var post = ann.post("@Almanac " + question);
        await().until(() -> ann.api()
                .get("/api/v1/posts/search?q=from:Ann")
                .json()
                .path("items")
                .valueStream()
                .anyMatch(found -> found.path("id").asString().equals(post)));
        assertThat(square.admin.api().post(path + "/resume", "").outcome()).isEqualTo("200");
        return answer(almanac, post);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "What sewing machine has Freya got from 1921?|sewing machine from 1921",
                "what sewing machine has freya got from 1921? really?|sewing machine from 1921",
                "How big is the first tomato of Mai?|Post by Mai",
                "When does the first crack come in the roast log of Ines?|196",
                "川の名前の看板はどこにありますか？|橋の北側",
                "書店幾點開門？|早上十點"
            })
    void aQuestionDoesNotFindItself(String question, String words) {
        var answer = answerLate(question);
        assertThat(answer).contains(words, "/posts/");
        assertThat(answer).doesNotContain("Almanac");
    }

    @Test
    void whatNobodySaidIsNotFound() {
        assertThat(answerLate("Which zip code has the southernmost lighthouse of Pluto?"))
                .startsWith("I did not find that");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Hello!", "hi there", "thanks :)", "Thank you so much!", "こんにちは", "ありがとうございます！", "谢谢你", "你好"})
    void aGreetingIsAnsweredWithWhatItCanDo(String greeting) {
        assertThat(answer(almanac, ann.post("@Almanac " + greeting)))
                .containsAnyOf("Ask me something", "質問をどうぞ", "请提问")
                .doesNotContain("did not find", "見つかりません", "没有找到");
    }

    @ParameterizedTest
    @ValueSource(strings = {"@Almanac川の名前の看板はどこにありますか？", "@Almanacさん川の名前の看板はどこにありますか？"})
    void aQuestionMayFollowTheNameWithoutASpace(String question) {
        assertThat(answer(almanac, ann.post(question))).contains("橋の北側", "/posts/");
    }

    @Test
    void anAgentIsMeantAlsoWhereSomebodyHasItsName() {
        var first = agent("Zuzu");
        assertThat(square.admin.api().delete(PATH + "/" + first).outcome()).isEqualTo("204");
        var second = agent("Zuzu");
        // As before the names of people and agents were kept apart.
        named(square.person("Ruru"), "Zuzu");
        named(square.person("Ruru"), "zuzu");
        assertThat(answer(second, ann.post("@Zuzu hello"))).isNotEmpty();
        assertThat(answer(second, ann.post("@zuzu hello"))).isNotEmpty();
        var dan = square.person("Dan");
        dan.api().post("/api/v1/users/" + second + "/block", "");
        var unheard = dan.post("@Zuzu hello");
        ann.post("@Almanac hello");
        assertThat(runs(second)).noneMatch(run -> run.path("postId").asString().equals(unheard));
    }

    private void named(Person person, String nickname) {
        square.server
                .database()
                .db()
                .useTransaction(tx -> tx.update("UPDATE accounts.users SET nickname = :name WHERE id = :id")
                        .bind("name", nickname)
                        .bind("id", Long.parseUnsignedLong(person.id(), 16))
                        .execute());
    }

    private String made(String nickname) {
        return square.admin
                .api()
                .post(PATH, Json.text(Map.of("nickname", nickname, "model", "librarian")))
                .outcome();
    }

    @Test
    void noAgentTakesTheNameOfAPersonAndNoPersonThatOfAnAgent() throws Exception {
        assertThat(made("aNN")).isEqualTo("409 accounts.nickname-of-person");
        assertThat(made("Hiroba")).isEqualTo("409 accounts.nickname-reserved");
        assertThat(made(" ＡＤＭＩＮ!")).isEqualTo("409 accounts.nickname-reserved");
        var renamed = square.admin.api().send("PATCH", PATH + "/" + almanac, "{'nickname': 'Freya'}");
        assertThat(renamed.outcome()).isEqualTo("409 accounts.nickname-of-person");
        assertThat(renamed.text("detail")).contains("Freya");

        var person = Map.of("email", "almanac@example.com", "nickname", "almanac", "password", "a long pass phrase");
        assertThat(square.admin.api().post("/api/v1/users", Json.text(person)).outcome())
                .isEqualTo("409 accounts.nickname-of-agent");
        var profile = square.person("Profiled");
        var path = "/api/v1/users/" + profile.id();
        assertThat(profile.api()
                        .put(path, "{'nickname': 'ALMANAC', 'introduction': ''}")
                        .outcome())
                .isEqualTo("409 accounts.nickname-of-agent");

        assertThat(profile.api()
                        .put(path, "{'nickname': 'Profiled', 'introduction': '', 'aiModel': 'librarian'}")
                        .status())
                .isEqualTo(200);
        assertThat(made("Profiled"))
                .as("who says that a model writes for them is a person still")
                .isEqualTo("409 accounts.nickname-of-person");
        assertThat(profile.api()
                        .put(path, "{'nickname': 'almanac', 'introduction': '', 'aiModel': 'librarian'}")
                        .outcome())
                .isEqualTo("409 accounts.nickname-of-agent");

        try (var both = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 5; i++) {
                var name = "Twin" + i;
                var agent = both.submit(() -> made(name));
                var taken = both.submit(() -> square.admin
                        .api()
                        .post(
                                "/api/v1/users",
                                Json.text(Map.of(
                                        "email",
                                        name + "@example.com",
                                        "nickname",
                                        name,
                                        "password",
                                        "a long pass phrase")))
                        .status());
                assertThat((agent.get().equals("201") ? 1 : 0) + (taken.get() == 201 ? 1 : 0))
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void twoAgentsHaveTwoNames() {
        var agent = agent("Solo");
        var again = square.admin.api().post(PATH, "{'nickname': 'solo', 'model': 'librarian'}");
        assertThat(again.outcome()).isEqualTo("409 agents.name-taken");
        assertThat(square.admin
                        .api()
                        .send("PATCH", PATH + "/" + almanac, "{'nickname': 'Solo'}")
                        .outcome())
                .isEqualTo("409 agents.name-taken");
        assertThat(square.admin
                        .api()
                        .send("PATCH", PATH + "/" + agent, "{'nickname': 'SOLO'}")
                        .outcome())
                .isEqualTo("200");
    }

    @Test
    void aTriggerIsExplainedByItsOwnFields() {
        var path = PATH + "/" + almanac + "/triggers";
        var wrong = ann.api().post(path, "{'kind': 'mention', 'prompt': 'x'}");
        assertThat(wrong.json().at("/errors/0/field").asString()).isEqualTo("kind");
        assertThat(wrong.json().at("/errors/0/message").asString()).contains("schedule", "inbox", "query");
        assertThat(ann.api().post(path, "{'kind': 'noon', 'prompt': 'x'}").body())
                .contains("schedule")
                .doesNotContain("wake");
        for (var more : List.of("'time': '08:00'", "'days': ['monday']", "'timeZone': 'UTC'")) {
            var refused = ann.api().post(path, "{'kind': 'inbox', 'prompt': 'x', %s}".formatted(more));
            assertThat(refused.outcome()).as(more).isEqualTo("400 agents.invalid");
        }
        assertThat(ann.api().post(path, "{'kind': 'inbox', 'prompt': 'x'}").status())
                .isEqualTo(201);
    }
}
