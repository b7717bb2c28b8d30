package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Questions over HTTP, on a server with a model. */
@Tag("slow")
class AskApiTest {

    private static final String ASK = "/api/v1/knowledge/ask";
    private static final String QUESTION = "{'question': 'Where does the lighthouse keeper live?'}";

    private static final FakeChat chat = new FakeChat();
    private static Square square;
    private static Person owner;

    @BeforeAll
    static void start() {
        square = new Square("--knowledge.chat.base-url=" + chat.url(), "--knowledge.chat.key=" + FakeChat.KEY);
        owner = square.person("Owner");
        owner.api()
                .post(
                        "/api/v1/knowledge/sessions/thread:1/messages",
                        "{'role': 'user', 'content': 'The lighthouse keeper lives on the island with his goats.'}");
        assertThat(owner.api()
                        .post("/api/v1/knowledge/sessions/thread:1/archive", "")
                        .text("outcome"))
                .isEqualTo("archived");
    }

    @AfterAll
    static void stop() {
        square.close();
        chat.close();
    }

    @Test
    void anAnswerComesAtOnceOrAsEvents() {
        chat.saying("On the ", "island [1].");
        var whole = owner.api().post(ASK, QUESTION);
        assertThat(whole.outcome()).as(whole.body()).isEqualTo("200");
        assertThat(whole.text("mode")).isEqualTo("model");
        assertThat(whole.text("answer")).isEqualTo("On the island [1].");
        var citation = whole.json().path("citations").path(0);
        assertThat(citation.path("number").asInt()).isEqualTo(1);
        assertThat(citation.path("label").asString()).isEqualTo("Message #0");
        assertThat(citation.path("url").asString()).endsWith("#m0");
        assertThat(citation.path("snippet").path(0).has("text")).isTrue();

        var events = owner.api().with("Accept", "text/event-stream").post(ASK, QUESTION);
        assertThat(events.header("Content-Type")).startsWith("text/event-stream");
        assertThat(events.body())
                .containsSubsequence(
                        "event: passages",
                        "The lighthouse keeper",
                        "event: delta\ndata: {\"text\":\"On the \"}",
                        "event: delta\ndata: {\"text\":\"island [1].\"}",
                        "event: done",
                        "\"mode\":\"model\",\"answer\":\"On the island [1].\"");
    }

    @Test
    void aQuestionIsAskedOnceForEachKey() {
        chat.saying("On the island [1].");
        var question = "{'question': 'Where does the lighthouse keeper live?', 'sessionKey': 'thread:asked-once'}";
        var keyed = owner.api().with("Idempotency-Key", "question-1");
        var first = keyed.post(ASK, question);
        assertThat(first.outcome()).as(first.body()).isEqualTo("200");
        int asked = chat.asked().size();
        chat.saying("Elsewhere.");
        var again = keyed.post(ASK, question);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.json()).isEqualTo(first.json());
        assertThat(chat.asked()).hasSize(asked);
        assertThat(owner.api()
                        .get("/api/v1/knowledge/sessions/thread:asked-once")
                        .json()
                        .path("messages")
                        .size())
                .isEqualTo(2);
        assertThat(keyed.post(ASK, QUESTION).outcome()).isEqualTo("422 http.idempotency-mismatch");
    }

    @Test
    void anAnswerThatBreaksOffSaysSo() {
        chat.doing(exchange -> {
            FakeChat.begin(exchange);
            FakeChat.say(exchange, "On");
        });
        var events = owner.api().with("Accept", "text/event-stream").post(ASK, QUESTION);
        assertThat(events.body())
                .containsSubsequence("event: delta", "event: problem", "knowledge.answer-broke-off", "event: done")
                .contains("\"answer\":\"On\"");
    }

    @Test
    void aReaderWhoGoesAwayStopsTheModel() throws InterruptedException {
        chat.sayingForEver("word ");
        try (TestStream stream = owner.api().with("Accept", "text/event-stream").ask(ASK, QUESTION)) {
            stream.await("delta", 3);
        }
        assertThat(chat.gone.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatCannotBeAskedIsRefused() {
        assertThat(square.anonymous().post(ASK, QUESTION).status()).isEqualTo(401);
        assertThat(owner.api().post(ASK, "{}").outcome()).isEqualTo("400 http.missing-field");
        assertThat(owner.api().post(ASK, "{'question': ' '}").outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(owner.api()
                        .with("Accept", "text/event-stream")
                        .post(ASK, "{'question': 'x', 'sessionKey': 'a b'}")
                        .outcome())
                .isEqualTo("400 knowledge.invalid");
        assertThat(owner.api()
                        .post(ASK, "{'question': 'x', 'filters': {'sourceType': 'rumour'}}")
                        .outcome())
                .isEqualTo("400 knowledge.invalid");
    }

    private static final String COLLECTIONS = "/api/v1/knowledge/collections";

    private static void assertReads(Person person, String source, boolean does) {
        var api = person.api();
        for (var mode : List.of("keyword", "vector", "hybrid")) {
            var found = api.post(
                    "/api/v1/knowledge/search",
                    "{'query': 'wombats burrow', 'mode': '%s', 'threshold': -1}".formatted(mode));
            assertThat(found.body().contains("Marsupials")).as(mode).isEqualTo(does);
        }
        var one = "/api/v1/knowledge/sources/" + source;
        assertThat(api.get(one).status()).isEqualTo(does ? 200 : 404);
        assertThat(api.get(one + "/chunks").status()).isEqualTo(does ? 200 : 404);
        assertThat(api.get("/api/v1/knowledge/sources?limit=100").body().contains(source))
                .isEqualTo(does);
        assertThat(api.get("/api/v1/search?q=wombats").body().contains("Marsupials"))
                .isEqualTo(does);
        var question = "{'question': 'Where do wombats burrow?'}";
        var chat = "/api/v1/knowledge/conversations/"
                + api.post("/api/v1/knowledge/conversations", "{}").text("id") + "/messages";
        AskApiTest.chat.saying("By the creek [1].");
        for (var path : List.of(ASK, chat)) {
            var stream = api.with("Accept", "text/event-stream").post(path, question);
            assertThat(stream.body().contains("Marsupials")).as(stream.body()).isEqualTo(does);
        }
    }

    @Test
    void twoCollectionsOfOneOwnerDoNotShareTheirName() {
        var owner = square.person("Namer").api();
        var team = "{'name': '%s', 'visibility': 'private'}";
        assertThat(owner.post(COLLECTIONS, team.formatted("Team")).status()).isEqualTo(201);
        var crew = COLLECTIONS + "/"
                + owner.post(COLLECTIONS, team.formatted("Crew")).text("id");
        assertThat(owner.post(COLLECTIONS, team.formatted(" team ")).outcome())
                .isEqualTo("409 knowledge.collection-name-taken");
        assertThat(owner.send("PATCH", crew, "{'name': 'Team'}").outcome())
                .isEqualTo("409 knowledge.collection-name-taken");
        assertThat(owner.send("PATCH", crew, "{'name': 'CREW'}").status()).isEqualTo(200);
        var namesake = square.person("Namesake");
        assertThat(namesake.api().post(COLLECTIONS, team.formatted("Team")).status())
                .isEqualTo(201);
        assertThat(owner.put(crew + "/members/" + namesake.id(), "{'role': 'boss'}")
                        .text("detail"))
                .contains("must be one of reader, editor, manager");
    }

    @Test
    void aCollectionIsReadByWhoeverIsAMemberOfTheProjectAtThatMoment() {
        var curator = square.person("Curator");
        var guest = square.person("Guest");
        var team =
                owner.api().post("/api/v1/projects", "{'name': 'Wombat team'}").text("id");
        var members = "/api/v1/projects/" + team + "/members/";
        var id = curator.api()
                .post(COLLECTIONS, "{'name': 'Burrows', 'visibility': 'private'}")
                .text("id");
        var collection = COLLECTIONS + "/" + id;
        var share = collection + "/projects/" + team;
        var source = curator.api()
                .post(
                        "/api/v1/knowledge/sources",
                        "{'title': 'Marsupials', 'text': 'Wombats burrow near the creek.', 'collection': '%s'}"
                                .formatted(id))
                .text("id");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> curator.api()
                        .get("/api/v1/knowledge/sources/" + source)
                        .text("status")
                        .equals("completed"));
        // Whose project it is not learns nothing of it.
        assertThat(curator.api().put(share, "{'role': 'reader'}").outcome()).isEqualTo("404 knowledge.no-project");
        assertThat(curator.api()
                        .put(collection + "/projects/0FFFFFFFFFFFFFF0", "{'role': 'reader'}")
                        .outcome())
                .isEqualTo("404 knowledge.no-project");
        owner.api().put(members + curator.id(), "{'role': 'viewer'}");
        assertThat(curator.api().put(share, "{'role': 'boss'}").outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(owner.api().put(share, "{'role': 'reader'}").outcome()).isEqualTo("404 knowledge.no-collection");
        assertThat(curator.api().put(share, "{'role': 'reader'}").outcome()).isEqualTo("204");
        assertThat(curator.api().get(collection).text("visibility")).isEqualTo("shared");
        assertReads(guest, source, false);
        assertReads(owner, source, true);
        owner.api().put(members + guest.id(), "{'role': 'editor'}");
        assertReads(guest, source, true);
        assertThat(guest.api().get(COLLECTIONS).body()).contains(id);
        assertThat(guest.api().get(collection + "/projects").outcome()).isEqualTo("403 knowledge.collection-role");
        assertThat(guest.api().delete(share).outcome()).isEqualTo("403 knowledge.collection-role");
        var html = guest.api().with("Accept", "text/html").get("/knowledge/collections/" + id);
        assertThat(html.body()).contains("Burrows").doesNotContain("Leave collection", "id=\"projects\"");

        // Of two roles the higher one.
        curator.api().put(collection + "/members/" + guest.id(), "{'role': 'reader'}");
        curator.api().put(share, "{'role': 'editor'}");
        assertThat(guest.api().get(collection).text("role")).isEqualTo("editor");
        var listed = guest.api().get(collection + "/projects").json().path("items");
        assertThat(listed).hasSize(1);
        assertThat(listed.path(0).path("name").asString()).isEqualTo("Wombat team");
        curator.api().put(share, "{'role': 'reader'}");
        curator.api().delete(collection + "/members/" + guest.id());
        assertThat(guest.api().get(collection).text("role")).isEqualTo("reader");

        // Who leaves has lost it with the commit.
        assertThat(owner.api().delete(members + guest.id()).outcome()).isEqualTo("204");
        assertReads(guest, source, false);
        assertThat(guest.api().get(collection).outcome()).isEqualTo("404 knowledge.no-collection");
        owner.api().put(members + guest.id(), "{'role': 'viewer'}");
        assertReads(guest, source, true);
        assertThat(curator.api().delete(share).outcome()).isEqualTo("204");
        assertReads(guest, source, false);
        assertThat(curator.api().delete(share).outcome()).isEqualTo("404 knowledge.no-member");

        // As do all when the project is deleted, and when the collection becomes private.
        var page = "/knowledge/collections/" + id;
        var form = Jsoup.parse(
                        curator.api().with("Accept", "text/html").get(page).body())
                .selectFirst("form[action='" + page + "/projects']");
        assertThat(form).isNotNull();
        assertThat(form.select("option[value=" + team + "]").text()).isEqualTo("Wombat team");
        curator.api().put(share, "{'role': 'reader'}");
        assertThat(Jsoup.parse(curator.api()
                                .with("Accept", "text/html")
                                .get(page)
                                .body())
                        .select("#projects li")
                        .text())
                .contains("Wombat team");
        curator.api().send("PATCH", collection, "{'visibility': 'private'}");
        assertReads(guest, source, false);
        curator.api().put(share, "{'role': 'reader'}");
        assertThat(guest.api().get(collection).outcome()).isEqualTo("200");
        assertThat(owner.api().delete("/api/v1/projects/" + team).status()).isLessThan(300);
        assertThat(guest.api().get(collection).outcome()).isEqualTo("404 knowledge.no-collection");
        assertThat(curator.api().get(collection + "/projects").json().path("items"))
                .isEmpty();
    }

    @Test
    void anothersConversationAnswersNobodyElse() {
        chat.saying("x");
        var stranger = square.person("Stranger");
        var reply = stranger.api().post(ASK, QUESTION);
        assertThat(reply.text("mode")).isEqualTo("passages");
        assertThat(reply.json().path("citations").size()).isZero();
        assertThat(reply.body()).doesNotContain("goats");
    }
}
