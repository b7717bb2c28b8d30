package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestStream;
import java.util.concurrent.TimeUnit;
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
