package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestHttpService;
import io.hiroba.testkit.TestStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Conversations over HTTP, on a server with two models. */
@Tag("slow")
class ConversationApiTest {

    private static final String PATH = "/api/v1/knowledge/conversations";
    private static final String MODELS = "/api/v1/knowledge/chat-models";
    private static final String QUESTION = "{'question': 'Where does the lighthouse keeper live?'}";

    private static final FakeChat chat = new FakeChat();
    private static final FakeChat other = new FakeChat();
    private static Square square;
    private static Person owner;

    @BeforeAll
    static void start() {
        square = new Square(
                "--knowledge.chat.base-url=" + chat.url(),
                "--knowledge.chat.key=" + FakeChat.KEY,
                "--knowledge.chat.models.other.base-url=" + other.url(),
                "--knowledge.chat.models.other.model=large");
        owner = square.person("Owner");
        var made = owner.api()
                .post(
                        "/api/v1/knowledge/sources",
                        "{'title': 'Island', 'text': 'The lighthouse keeper lives on the island with his goats.', 'visibility': 'private'}");
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
    }

    @AfterAll
    static void stop() {
        square.close();
        chat.close();
        other.close();
    }

    @AfterEach
    void talkNoMore() {
        chat.saying("On the island [1].");
    }

    private static String conversation() {
        var made = owner.api().post(PATH, "{}");
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return PATH + "/" + made.text("id");
    }

    private static JsonNode last(String path) {
        var exchanges = owner.api().get(path).json().path("exchanges");
        return exchanges.path(exchanges.size() - 1);
    }

    @Test
    void questionsFollowEachOtherAndTheConversationIsListed() {
        var path = conversation();
        chat.saying("On the ", "island [1].");
        var first = owner.api().post(path + "/messages", QUESTION);
        assertThat(first.outcome()).as(first.body()).isEqualTo("200");
        assertThat(first.text("answer")).isEqualTo("On the island [1].");
        assertThat(first.text("state")).isEqualTo("answered");
        assertThat(first.json().path("citations").path(0).path("sourceTitle").asString())
                .isEqualTo("Island");

        chat.saying("With whom does the lighthouse keeper live?");
        int before = chat.asked().size();
        var events = owner.api()
                .with("Accept", "text/event-stream")
                .post(path + "/messages", "{'question': 'And with whom?'}");
        assertThat(events.body())
                .containsSubsequence(
                        "event: passages", "goats", "event: delta", "event: done", "\"state\":\"answered\"");
        var asked = chat.asked();
        assertThat(asked).as("one call for the query, one for the answer").hasSize(before + 2);
        assertThat(asked.get(before).body()).contains("without the conversation", "And with whom?");
        var messages = chat.messages();
        assertThat(messages.path(1).path("content").asString()).isEqualTo("Where does the lighthouse keeper live?");
        assertThat(messages.path(2).path("content").asString())
                .as("without the numbers of other passages")
                .isEqualTo("On the island.");

        var read = owner.api().get(path).json();
        assertThat(read.path("exchanges").size()).isEqualTo(2);
        assertThat(read.path("conversation").path("title").asString())
                .isEqualTo("Where does the lighthouse keeper live?");
        var listed = owner.api().get(PATH + "?limit=1").json().path("items").path(0);
        assertThat(listed.path("id").asString()).isEqualTo(path.substring(PATH.length() + 1));
        assertThat(listed.path("exchangeCount").asInt()).isEqualTo(2);
        assertThat(owner.api().send("PATCH", path, "{'title': 'Keeper'}").text("title"))
                .isEqualTo("Keeper");
        for (var unseen : List.of(" ", "\u202E")) {
            assertThat(owner.api()
                            .send("PATCH", path, "{'title': '%s'}".formatted(unseen))
                            .outcome())
                    .isEqualTo("400 knowledge.invalid");
        }
    }

    @Test
    void conversationsAreFoundByTheWordsOfQuestionsAndAnswersByTheirOwnerAlone() {
        var path = conversation();
        chat.saying("Beside the rhododendrons [1].");
        owner.api().post(path + "/messages", QUESTION);
        owner.api().post(path + "/messages", "{'question': 'And with 100% of the goats?'}");
        owner.api().send("PATCH", path, "{'title': 'Keeper', 'shared': true}");
        for (var query : List.of("rhododendron lighthouse", "KEEPER goats", "100%25")) {
            var found = owner.api()
                    .get(PATH + "?q=" + query.replace(" ", "%20"))
                    .json()
                    .path("items");
            assertThat(found.size()).as(query).isEqualTo(1);
            assertThat(found.path(0).path("id").asString()).isEqualTo(path.substring(PATH.length() + 1));
        }
        assertThat(owner.api()
                        .get(PATH + "?q=rhododendron%20nowhere")
                        .json()
                        .path("items")
                        .size())
                .isZero();
        assertThat(owner.api().get(PATH + "?q=%25&limit=1").json().path("next").isNull())
                .as("no wildcard")
                .isTrue();
        var everywhere = "/api/v1/search?types=conversations&q=rhododendron";
        var result = owner.api()
                .get(everywhere)
                .json()
                .path("groups")
                .path(0)
                .path("items")
                .path(0);
        assertThat(result.path("title").asString()).isEqualTo("Keeper");
        assertThat(result.path("url").asString()).isEqualTo("/knowledge/chat/" + path.substring(PATH.length() + 1));
        assertThat(result.path("snippet").toString()).contains("\"text\":\"rhododendron\",\"hit\":true");
        var stranger = square.person("Stranger").api();
        assertThat(stranger.get(path).status()).as("by its link").isEqualTo(200);
        assertThat(stranger.get(PATH + "?q=rhododendron").json().path("items").size())
                .isZero();
        assertThat(stranger.get(everywhere)
                        .json()
                        .path("groups")
                        .path(0)
                        .path("items")
                        .size())
                .isZero();
        owner.api().delete(path);
        assertThat(owner.api()
                        .get(everywhere)
                        .json()
                        .path("groups")
                        .path(0)
                        .path("items")
                        .size())
                .isZero();
    }

    @Test
    void anotherAnswerTakesThePlaceOfTheLastOne() {
        var path = conversation();
        assertThat(owner.api().post(path + "/regenerate", "").outcome()).isEqualTo("409 knowledge.conversation-empty");
        owner.api().post(path + "/messages", QUESTION);
        chat.saying("Elsewhere.");
        assertThat(owner.api().post(path + "/regenerate", "").text("answer")).isEqualTo("Elsewhere.");
        assertThat(owner.api().get(path).json().path("exchanges").size()).isEqualTo(1);
        assertThat(last(path).path("citations").size())
                .as("what it might have cited")
                .isPositive();
    }

    @Test
    void anAnswerThatFailsLeavesTheOneThatItWasToReplace() {
        var path = conversation();
        owner.api().post(path + "/messages", QUESTION);
        chat.doing(exchange -> TestHttpService.reply(exchange, 400, ""));
        var failed = owner.api().post(path + "/regenerate", "");
        assertThat(failed.text("answer")).isEqualTo("On the island [1].");
        assertThat(failed.text("state")).isEqualTo("answered");
        assertThat(failed.text("why")).isNotEmpty();
        assertThat(last(path).path("citations").size()).isEqualTo(1);
        // Broken off after some words.
        chat.doing(exchange -> {
            FakeChat.begin(exchange);
            FakeChat.say(exchange, "Some");
            exchange.close();
        });
        assertThat(owner.api().post(path + "/regenerate", "").text("answer")).isEqualTo("On the island [1].");
        chat.saying("There [1].");
        assertThat(owner.api().post(path + "/regenerate", "").text("answer")).isEqualTo("There [1].");
        assertThat(last(path).path("why").isNull()).isTrue();
    }

    @Test
    void anAnswerIsStoppedFromAnywhereAndKeepsWhatWasSaid() throws InterruptedException {
        var path = conversation();
        chat.sayingForEver("word ");
        try (TestStream stream = owner.api().with("Accept", "text/event-stream").ask(path + "/messages", QUESTION)) {
            stream.await("delta", 3);
            assertThat(owner.api().post(path + "/messages", QUESTION).outcome())
                    .isEqualTo("409 knowledge.conversation-busy");
            assertThat(owner.api().post(path + "/regenerate", "").outcome())
                    .isEqualTo("409 knowledge.conversation-busy");
            assertThat(owner.api().post(path + "/stop", "").status()).isEqualTo(204);
            stream.await("done", 1);
        }
        assertThat(chat.gone.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(last(path).path("state").asString()).isEqualTo("stopped");
        assertThat(last(path).path("answer").asString()).startsWith("word word word");
        assertThat(last(path).path("why").isNull()).isTrue();
        chat.saying("On the island [1].");
        assertThat(owner.api().post(path + "/regenerate", "").text("state")).isEqualTo("answered");
    }

    @Test
    void whoGoesAwayStopsTheAnswer() {
        var path = conversation();
        chat.sayingForEver("word ");
        try (TestStream stream = owner.api().with("Accept", "text/event-stream").ask(path + "/messages", QUESTION)) {
            stream.await("delta", 3);
        }
        await().atMost(Duration.ofSeconds(20))
                .until(() -> last(path).path("state").asString().equals("stopped"));
        assertThat(last(path).path("answer").asString()).startsWith("word word");
    }

    @Test
    void aQuestionOutlivesTheServerThatAnsweredIt() {
        var path = conversation();
        owner.api().post(path + "/messages", QUESTION);
        // As a server leaves it that dies while it answers: with what was saved, and a lease that nobody extends.
        set(path, "state = 'answering', answer = 'On', answering_until = now() - interval '1 minute'");
        assertThat(last(path).path("state").asString()).isEqualTo("interrupted");
        assertThat(last(path).path("answer").asString()).isEqualTo("On");
        assertThat(owner.api().post(path + "/regenerate", "").text("answer")).isEqualTo("On the island [1].");
    }

    @Test
    void whoWasTakenForDeadChangesNothingAnyMore() {
        var path = conversation();
        chat.sayingForEver("word ");
        try (TestStream stream = owner.api().with("Accept", "text/event-stream").ask(path + "/messages", QUESTION)) {
            stream.await("delta", 3);
            set(path, "state = 'answered', answer = 'Of another server', attempt = attempt + 1");
            stream.await("done", 1);
        }
        assertThat(last(path).path("answer").asString()).isEqualTo("Of another server");
    }

    private static void set(String path, String columns) {
        square.server
                .database()
                .db()
                .useTransaction(
                        tx -> tx.update("UPDATE knowledge.conversation_exchanges SET %s WHERE conversation_id = :id"
                                        .formatted(columns))
                                .bind("id", ConversationId.parse(id(path)).value())
                                .execute());
    }

    private static String id(String path) {
        return path.substring(PATH.length() + 1);
    }

    @Test
    void aSharedConversationShowsNobodyWhatTheyMayNotRead() {
        var path = conversation();
        owner.api().post(path + "/messages", QUESTION);
        var stranger = square.person("Stranger").api();
        for (var method : new String[] {"GET", "DELETE"}) {
            assertThat(stranger.send(method, path, "").outcome()).isEqualTo("404 knowledge.no-conversation");
        }
        assertThat(stranger.send("PATCH", path, "{'shared': true}").outcome())
                .isEqualTo("404 knowledge.no-conversation");
        for (var action : new String[] {"messages", "regenerate", "stop"}) {
            assertThat(stranger.post(path + "/" + action, QUESTION).outcome())
                    .isEqualTo("404 knowledge.no-conversation");
        }
        assertThat(owner.api()
                        .send("PATCH", path, "{'shared': true}")
                        .json()
                        .path("shared")
                        .asBoolean())
                .isTrue();
        var shared = stranger.get(path);
        assertThat(shared.body()).contains("On the island [1].").doesNotContain("goats", "Island\"");
        assertThat(shared.json()
                        .path("exchanges")
                        .path(0)
                        .path("hiddenCitations")
                        .path(0)
                        .asInt())
                .isEqualTo(1);
        set(path, "is_generated = false, answer = E'Nearest:\n\n- He lives with his goats. [1]'");
        assertThat(owner.api().get(path).body()).contains("goats").doesNotContain("left out");
        assertThat(stranger.get(path).body())
                .contains("Nearest:", "are left out")
                .doesNotContain("goats");
        for (var page : List.of("/knowledge/chat/", "/knowledge/chat/%s/export")) {
            var shown = page.contains("%s") ? page.formatted(id(path)) : page + id(path);
            assertThat(stranger.with("Accept", "text/html").get(shown).body())
                    .as(shown)
                    .contains("are left out")
                    .doesNotContain("goats");
        }
        assertThat(stranger.post(path + "/messages", QUESTION).outcome()).isEqualTo("403 knowledge.not-yours");
        assertThat(stranger.get(PATH).json().path("items").size()).isZero();
        owner.api().send("PATCH", path, "{'shared': false}");
        assertThat(stranger.get(path).status()).isEqualTo(404);
        assertThat(owner.api().delete(path).status()).isEqualTo(204);
        assertThat(owner.api().get(path).status()).isEqualTo(404);
    }

    @Test
    void theListReadsTheRowsItShows() {
        var db = square.server.database().db();
        var user = UserId.parse(square.person("Talkative").id());
        db.useTransaction(tx -> {
            tx.update("""
                    INSERT INTO knowledge.conversations (id, owned_by, title, created_at, last_active_at)
                    SELECT n, :user, 'One of many', now(), now() - n * interval '1 s' FROM generate_series(1, 20000) AS n
                    """).bind("user", user.value()).execute();
            tx.update("ANALYZE knowledge.conversations").execute();
        });
        var later = new Conversation.Position(Instant.now().minusSeconds(10_000), new ConversationId(10_000));
        for (var after : List.of(Optional.<Conversation.Position>empty(), Optional.of(later))) {
            var plan = Plan.of(db, true, reads -> ConversationStore.list(reads, Plan.LEAD, user, after, 21));
            assertThat(plan.largestSort()).as(plan.toString()).isZero();
            assertThat(plan.rowsReadOf("conversations")).as(plan.toString()).isLessThanOrEqualTo(21);
            var words = SearchWords.of("nothing like it");
            var search = Plan.of(db, true, reads -> ConversationStore.search(reads, Plan.LEAD, user, words, after, 21));
            assertThat(search.rowsReadOf("conversations")).as(search.toString()).isLessThanOrEqualTo(1000);
        }
    }

    @Test
    void adminsChooseTheModelThatAnswers() {
        var admin = square.admin.api();
        assertThat(owner.api().get(MODELS).status()).isEqualTo(403);
        assertThat(owner.api().put(MODELS + "/chosen", "{'name': 'other'}").status())
                .isEqualTo(403);
        var models = admin.get(MODELS).json().path("items");
        assertThat(models.path(0).path("name").asString()).isEqualTo("default");
        assertThat(models.path(0).path("chosen").asBoolean()).isTrue();
        assertThat(admin.put(MODELS + "/chosen", "{'name': 'none'}").outcome()).isEqualTo("400 knowledge.invalid");
        other.saying("Said by the other [1].");
        try {
            assertThat(admin.put(MODELS + "/chosen", "{'name': 'other'}").status())
                    .isEqualTo(200);
            assertThat(owner.api().post("/api/v1/knowledge/ask", QUESTION).text("answer"))
                    .isEqualTo("Said by the other [1].");
            assertThat(other.asked().getLast().body()).contains("\"model\":\"large\"");
            assertThat(square.audited("action=chat-model-chosen")).hasSize(1);
            var page = admin.with("Accept", "text/html").get("/admin/chat-models");
            assertThat(page.body())
                    .contains("In use", "aria-label=\"Use default\"")
                    .doesNotContain(FakeChat.KEY);
            assertThat(owner.api()
                            .with("Accept", "text/html")
                            .get("/admin/chat-models")
                            .status())
                    .isEqualTo(403);
        } finally {
            admin.put(MODELS + "/chosen", "{'name': 'default'}");
        }
    }
}
