package io.hiroba.social.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Private threads over HTTP: who reads them, who is refused, and how people are notified of them. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DirectMessagesApiTest {

    private static final String THREADS = "/api/v1/messages/threads";

    private Square square;

    @BeforeAll
    void open() {
        square = new Square("--social.messages-per-hour=50");
    }

    @AfterAll
    void close() {
        square.close();
    }

    private static Reply open(Person caller, Person... others) {
        var members = Arrays.stream(others).map(Person::id).toList();
        return caller.api().post(THREADS, Json.text(Map.of("members", members)));
    }

    private static String thread(Person caller, Person... others) {
        var reply = open(caller, others);
        assertThat(reply.status()).as(reply.body()).isBetween(200, 201);
        return reply.text("id");
    }

    private static Reply send(Person caller, String thread, String text) {
        return caller.api().post(THREADS + "/" + thread + "/messages", Json.text(Map.of("content", text)));
    }

    private static List<String> texts(Reply reply) {
        return reply.json()
                .path("items")
                .valueStream()
                .map(message -> message.path("content").asString())
                .toList();
    }

    private static Reply messages(Person reader, String thread) {
        return reader.api().get(THREADS + "/" + thread + "/messages");
    }

    private List<String> items(Person person) {
        return person.api()
                .get("/api/v1/inbox")
                .json()
                .path("items")
                .valueStream()
                .map(item -> item.path("action").asString() + " "
                        + item.path("resource").path("url").asString())
                .toList();
    }

    @Test
    void aThreadOfTwoIsOpenedOnceAndReadByBoth() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var made = ann.api().post(THREADS, Json.text(Map.of("members", List.of(bob.id()), "content", "**Lunch**?")));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        assertThat(made.header("Location")).isEqualTo(THREADS + "/" + made.text("id"));
        assertThat(open(bob, ann).outcome()).isEqualTo("200");
        assertThat(thread(bob, ann)).isEqualTo(made.text("id"));
        var shown = messages(bob, made.text("id")).json().path("items").path(0);
        assertThat(shown.path("html").asString()).isEqualTo("<p><strong>Lunch</strong>?</p>");
        assertThat(shown.path("sender").path("nickname").asString()).isEqualTo("Ann");
        var thread = bob.api().get(THREADS).json().path("items").path(0);
        assertThat(thread.path("unread").asInt()).isEqualTo(1);
        assertThat(thread.path("newest").path("content").asString()).isEqualTo("**Lunch**?");
        assertThat(bob.api()
                        .post(THREADS + "/" + made.text("id") + "/read", "{'until':1}")
                        .outcome())
                .isEqualTo("204");
        var read = ann.api().get(THREADS + "/" + made.text("id")).json().path("members");
        assertThat(read.valueStream()
                        .map(member -> member.path("nickname").asString() + " "
                                + member.path("readUntil").asInt()))
                .containsExactlyInAnyOrder("Ann 1", "Bob 1");
    }

    @Test
    void strangersAndAdminsFindNothing() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var thread = thread(ann, bob);
        var secret = send(ann, thread, "The vault opens with zanzibarium").text("id");
        for (var stranger : List.of(square.person("Eve"), square.admin)) {
            var api = stranger.api();
            var path = THREADS + "/" + thread;
            assertThat(api.get(path).outcome()).isEqualTo("404 social.thread-not-found");
            assertThat(messages(stranger, thread).outcome()).isEqualTo("404 social.thread-not-found");
            assertThat(send(stranger, thread, "Hi").outcome()).isEqualTo("404 social.thread-not-found");
            assertThat(api.post(path + "/read", "{'until':1}").outcome()).isEqualTo("404 social.thread-not-found");
            assertThat(api.post(path + "/leave", "").outcome()).isEqualTo("404 social.thread-not-found");
            assertThat(api.delete(path + "/messages/" + secret).outcome()).isEqualTo("404 social.thread-not-found");
            assertThat(api.get(THREADS).json().path("items")).isEmpty();
            assertThat(texts(api.get("/api/v1/messages/search?q=zanzibarium"))).isEmpty();
            assertThat(api.get("/api/v1/search?q=zanzibarium").body()).doesNotContain("vault");
            assertThat(api.get("/messages/" + thread).status()).isEqualTo(404);
        }
        assertThat(texts(bob.api().get("/api/v1/messages/search?q=zanzibarium")))
                .hasSize(1);
        assertThat(bob.api().get("/api/v1/search?q=zanzibarium&types=messages").body())
                .contains("vault");
        assertThat(bob.api().get("/api/v1/messages/search?q=%20").outcome()).isEqualTo("400 social.bad-query");
        assertThat(square.anonymous().get(THREADS).status()).isEqualTo(401);
    }

    @Test
    void blocksHoldInBothDirections() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var eve = square.person("Eve");
        var before = thread(ann, eve);
        send(eve, before, "before");
        ann.block(eve);
        assertThat(open(ann, eve).outcome()).isEqualTo("403 social.blocked");
        assertThat(open(eve, ann).outcome()).isEqualTo("403 social.blocked");
        assertThat(open(eve, bob, ann).outcome()).isEqualTo("403 social.blocked");
        assertThat(send(eve, before, "again").outcome()).isEqualTo("403 social.blocked");
        assertThat(send(ann, before, "again").outcome()).isEqualTo("403 social.blocked");
        assertThat(texts(messages(ann, before))).isEmpty();
    }

    @Test
    void whatIsWrongIsRefused() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var thread = thread(ann, bob);
        assertThat(open(ann).outcome()).isEqualTo("400 social.invalid");
        assertThat(open(ann, ann).outcome()).isEqualTo("400 social.invalid");
        assertThat(ann.api().post(THREADS, "{'members':['7FFFFFFFFFFFFFFF']}").outcome())
                .isEqualTo("400 social.invalid");
        assertThat(ann.api().post(THREADS, "{'members':['x']}").outcome()).isEqualTo("400 social.invalid");
        assertThat(open(
                                ann,
                                IntStream.range(0, 10)
                                        .mapToObj(i -> square.person("P" + i))
                                        .toArray(Person[]::new))
                        .outcome())
                .isEqualTo("400 social.invalid");
        assertThat(send(ann, thread, " \n").outcome()).isEqualTo("400 social.invalid");
        assertThat(send(ann, thread, "x".repeat(10_001)).outcome()).isEqualTo("400 social.invalid");
        for (var about : List.of(
                "https://evil.example",
                "//evil.example/login",
                "/\\evil.example",
                "/\t/evil.example",
                "/posts/../login",
                "/posts/%2E%2e?x",
                "/posts/.",
                "")) {
            assertThat(ann.api()
                            .post(
                                    THREADS + "/" + thread + "/messages",
                                    Json.text(Map.of("content", "x", "about", about)))
                            .outcome())
                    .as(about)
                    .isEqualTo("400 social.invalid");
        }
        assertThat(ann.api().post(THREADS + "/" + thread + "/leave", "").outcome())
                .isEqualTo("409 social.pair-not-left");
        assertThat(ann.api().get(THREADS + "/x").status()).isEqualTo(400);
    }

    @Test
    void aRepeatWithItsKeySendsOnceAndTheListIsPaged() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var thread = thread(ann, bob);
        var keyed = ann.api().with("Idempotency-Key", "one");
        for (int i = 0; i < 2; i++) {
            assertThat(keyed.post(THREADS + "/" + thread + "/messages", "{'content':'first'}")
                            .outcome())
                    .isEqualTo("201");
        }
        send(ann, thread, "second");
        send(bob, thread, "third");
        var page = bob.api().get(THREADS + "/" + thread + "/messages?limit=2");
        assertThat(texts(page)).containsExactly("third", "second");
        send(ann, thread, "fourth");
        assertThat(texts(bob.api().get(THREADS + "/" + thread + "/messages?limit=2&after=" + page.text("next"))))
                .containsExactly("first");
        var other = thread(ann, square.person("Carol"));
        assertThat(ann.api()
                        .get(THREADS + "/" + other + "/messages?after=" + page.text("next"))
                        .status())
                .as("a cursor of another thread")
                .isEqualTo(400);
    }

    @Test
    void senderDeletesAMessageAndMembersLeaveGroups() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var carol = square.person("Carol");
        var group = thread(ann, bob, carol);
        assertThat(thread(ann, bob, carol)).isNotEqualTo(group);
        var id = send(ann, group, "a slip").text("id");
        assertThat(bob.api().delete(THREADS + "/" + group + "/messages/" + id).outcome())
                .isEqualTo("404 social.message-not-found");
        assertThat(ann.api().delete(THREADS + "/" + group + "/messages/" + id).outcome())
                .isEqualTo("204");
        assertThat(texts(messages(bob, group))).isEmpty();
        assertThat(carol.api().post(THREADS + "/" + group + "/leave", "").outcome())
                .isEqualTo("204");
        send(ann, group, "without Carol");
        assertThat(messages(carol, group).outcome()).isEqualTo("404 social.thread-not-found");
        assertThat(texts(carol.api().get("/api/v1/messages/search?q=carol"))).isEmpty();
        assertThat(texts(messages(bob, group))).containsExactly("without Carol");
    }

    @Test
    void aThreadIsNotifiedOnceUntilItIsReadAndAsItsReaderPrefers() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var thread = thread(ann, bob);
        send(ann, thread, "one");
        send(ann, thread, "two");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(items(bob)).containsExactly("messaged /messages/" + thread));
        bob.api().post(THREADS + "/" + thread + "/read", "{'until':2}");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(items(bob)).isEmpty());
        assertThat(items(ann)).isEmpty();
        send(ann, thread, "three");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(items(bob)).hasSize(1));
        var carol = square.person("Carol");
        assertThat(carol.api()
                        .put("/api/v1/inbox/preferences/all/messaged", "{'delivery':'off'}")
                        .outcome())
                .isEqualTo("204");
        var group = thread(ann, bob, carol);
        send(ann, group, "four");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(items(bob)).hasSize(2));
        assertThat(items(carol)).isEmpty();
    }

    @Test
    void tooManyMessagesAreRefusedForAWhile() {
        var ann = square.person("Ann");
        var thread = thread(ann, square.person("Bob"));
        var outcomes = IntStream.range(0, 52)
                .mapToObj(i -> send(ann, thread, "number " + i).outcome())
                .toList();
        assertThat(outcomes).contains("201").endsWith("429 social.too-often");
    }

    @Test
    void aTokenNeedsTheScopeOfMessages() {
        var ann = square.person("Ann");
        var token = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        Json.text(Map.of(
                                "email",
                                ann.email(),
                                "password",
                                ann.password(),
                                "name",
                                "few",
                                "scopes",
                                List.of("posts:read", "messages:read"))));
        var few = square.anonymous().token(token.text("token"));
        assertThat(few.get(THREADS).status()).isEqualTo(200);
        assertThat(few.post(THREADS, "{'members':[]}").outcome()).isEqualTo("403 accounts.scope-required");
    }

    private static int unread(Person reader, String thread) {
        return reader.api().get(THREADS + "/" + thread).json().path("unread").asInt();
    }

    @Test
    void aDeletedMessageIsUnreadNoLonger() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var thread = thread(ann, bob);
        send(ann, thread, "read");
        bob.api().post(THREADS + "/" + thread + "/read", "{'until':1}");
        var first = send(ann, thread, "a slip").text("id");
        var second = send(ann, thread, "another").text("id");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(items(bob)).hasSize(1));
        ann.api().delete(THREADS + "/" + thread + "/messages/" + first);
        assertThat(unread(bob, thread)).isEqualTo(1);
        assertThat(items(bob)).hasSize(1);
        ann.api().delete(THREADS + "/" + thread + "/messages/" + second);
        assertThat(unread(bob, thread)).isZero();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(items(bob)).isEmpty());
    }

    @Test
    void whatABlockHidesIsUnreadNoLonger() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var eve = square.person("Eve");
        var pair = thread(ann, eve);
        var group = thread(ann, bob, eve);
        send(eve, pair, "hidden");
        send(eve, group, "hidden");
        send(bob, group, "seen");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(items(ann)).hasSize(2));
        ann.block(eve);
        assertThat(unread(ann, pair)).isZero();
        assertThat(unread(ann, group)).isEqualTo(1);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(items(ann)).containsExactly("messaged /messages/" + group));
    }

    @Test
    void aMessageThatShowsNothingIsRefused() {
        var ann = square.person("Ann");
        var thread = thread(ann, square.person("Bob"));
        assertThat(send(ann, thread, "\u200b&nbsp;").outcome()).isEqualTo("400 social.invalid");
        assertThat(send(ann, thread, "#").outcome()).isEqualTo("400 social.invalid");
    }
}
