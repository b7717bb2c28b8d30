package io.hiroba.knowledge.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions over HTTP. */
class ChatSessionApiTest {

    private static final String ALL = "/api/v1/knowledge/sessions";
    private static final AtomicInteger COUNT = new AtomicInteger();

    private static Square square;
    private static Person owner;
    private static Person stranger;

    private String key = "";
    private String path = "";

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner");
        stranger = square.person("Stranger");
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @BeforeEach
    void aKey() {
        key = "thread:" + COUNT.incrementAndGet();
        path = ALL + "/" + key;
    }

    private String ofOwner() {
        return path + "?owner=" + owner.id();
    }

    private String say(String content) {
        return owner.api()
                .post(path + "/messages", "{'role': 'user', 'content': '%s'}".formatted(content))
                .outcome();
    }

    @Test
    void aKeyIsWrittenInAnyScript() {
        for (var name : List.of("相談窓口", "สนทนาที่๑", "चर्चा")) {
            var session = ALL + "/thread:" + URLEncoder.encode(name, StandardCharsets.UTF_8);
            assertThat(owner.api().put(session, "{}").text("key")).isEqualTo("thread:" + name);
            assertThat(owner.api().get(session).outcome()).isEqualTo("200");
        }
    }

    @Test
    void aSessionIsMadeChangedReadAndDeleted() {
        var made = owner.api().put(path, "{'guildId': '9007199254740993', 'channelId': 7, 'threadId': '8'}");
        assertThat(made.outcome()).isEqualTo("201");
        assertThat(made.text("type")).isEqualTo("thread");
        assertThat(made.text("visibility")).isEqualTo("private");
        assertThat(made.text("guildId")).isEqualTo("9007199254740993");
        assertThat(made.text("channelId")).isEqualTo("7");
        assertThat(made.header("ETag")).isEqualTo("\"1\"");

        var same = owner.api().put(path, "{'guildId': '9007199254740993', 'channelId': 7, 'threadId': '8'}");
        assertThat(same.outcome()).isEqualTo("200");
        assertThat(same.header("ETag")).isEqualTo("\"1\"");

        var changed = owner.api().put(path, "{'type': 'mention', 'userId': '5', 'visibility': 'public'}");
        assertThat(changed.outcome()).isEqualTo("200");
        assertThat(changed.text("type")).isEqualTo("mention");
        assertThat(changed.json().path("guildId").isNull()).isTrue();
        assertThat(changed.header("ETag")).isEqualTo("\"2\"");

        assertThat(owner.api().delete(path).outcome()).isEqualTo("204");
        assertThat(owner.api().get(path).outcome()).isEqualTo("404 knowledge.no-session");
        assertThat(owner.api().delete(path).outcome()).isEqualTo("404 knowledge.no-session");
    }

    @Test
    void messagesAreKeptInOrderWithWhatIsKnownOfThem() {
        var first = owner.api()
                .post(
                        path + "/messages",
                        "{'role': 'user', 'content': 'Hi', 'author': 'Ann', 'messageId': '77', 'sentAt': '2026-01-31T12:00:00.123Z'}");
        assertThat(first.outcome()).isEqualTo("201");
        assertThat(first.json().path("index").asInt()).isZero();
        assertThat(first.json().path("version").asInt()).isEqualTo(2);
        var more = owner.api()
                .post(
                        path + "/messages",
                        " [{'role': 'assistant', 'content': 'Hello'}, {'role': 'system', 'content': '…'}]");
        assertThat(more.json().path("index").asInt()).isEqualTo(1);

        var read = owner.api().get(path);
        assertThat(read.header("ETag")).isEqualTo("\"3\"");
        assertThat(read.json().path("session").path("messageCount").asInt()).isEqualTo(3);
        var message = read.json().path("messages").path(0);
        assertThat(message.path("author").asString()).isEqualTo("Ann");
        assertThat(message.path("messageId").asString()).isEqualTo("77");
        assertThat(message.path("sentAt").asString()).isEqualTo("2026-01-31T12:00:00.123Z");
        assertThat(read.json().path("messages").path(2).path("role").asString()).isEqualTo("system");
        assertThat(read.json().path("olderBefore").isNull()).isTrue();
    }

    @Test
    void olderMessagesAreAskedForByTheIndexTheyComeBefore() {
        for (int i = 0; i < 5; i++) {
            assertThat(say("message " + i)).isEqualTo("201");
        }
        var newest = owner.api().get(path + "?limit=2");
        assertThat(contents(newest.json())).containsExactly("message 3", "message 4");
        var older = owner.api().get(path + "?limit=2&before=" + newest.text("olderBefore"));
        assertThat(contents(older.json())).containsExactly("message 1", "message 2");
        var oldest = owner.api().get(path + "?limit=2&before=" + older.text("olderBefore"));
        assertThat(contents(oldest.json())).containsExactly("message 0");
        assertThat(oldest.json().path("olderBefore").isNull()).isTrue();
        assertThat(owner.api().get(path + "?before=x").outcome()).isEqualTo("400 http.invalid");
        assertThat(owner.api().get(path + "?limit=101").outcome()).isEqualTo("400 http.invalid");
    }

    private static List<String> contents(tools.jackson.databind.JsonNode transcript) {
        return transcript
                .path("messages")
                .valueStream()
                .map(message -> message.path("content").asString())
                .toList();
    }

    @Test
    void anExpectedVersionIsHeldTo() {
        say("one");
        var messages = path + "/messages";
        var late = owner.api().with("If-Match", "\"1\"").post(messages, "{'role': 'user', 'content': 'two'}");
        assertThat(late.outcome()).isEqualTo("409 knowledge.version-conflict");
        assertThat(late.body()).contains("its version is 2");
        assertThat(owner.api().with("If-Match", "\"1\"").put(path, "{}").outcome())
                .isEqualTo("409 knowledge.version-conflict");
        assertThat(owner.api().with("If-Match", "\"1\"").delete(path).outcome())
                .isEqualTo("409 knowledge.version-conflict");
        var inTime = owner.api().with("If-Match", "\"2\"").post(messages, "{'role': 'user', 'content': 'two'}");
        assertThat(inTime.outcome()).isEqualTo("201");
        assertThat(inTime.header("ETag")).isEqualTo("\"3\"");
        assertThat(owner.api().with("If-Match", "\"nonsense\"").delete(path).outcome())
                .isEqualTo("409 knowledge.version-conflict");
        assertThat(owner.api()
                        .with("If-Match", "\"1\"")
                        .post(ALL + "/thread:nobody/messages", "{'role': 'user', 'content': 'x'}")
                        .outcome())
                .isEqualTo("404 knowledge.no-session");
        var any = owner.api().with("If-Match", "*");
        assertThat(any.put(ALL + "/thread:nobody", "{}").outcome()).isEqualTo("404 knowledge.no-session");
        assertThat(any.post(ALL + "/thread:nobody/messages", "{'role': 'user', 'content': 'x'}")
                        .outcome())
                .isEqualTo("404 knowledge.no-session");
        assertThat(any.put(path, "{}").outcome()).isEqualTo("200");
        assertThat(owner.api().with("If-Match", "\"0\"").delete(path).outcome())
                .isEqualTo("409 knowledge.version-conflict");
        assertThat(owner.api().with("If-None-Match", "\"3\"").get(path).status())
                .isEqualTo(304);
    }

    @Test
    void aRepeatedMessageIsSaidOnce() {
        var repeatable = owner.api().with("Idempotency-Key", "say-" + key);
        var body = "{'role': 'user', 'content': 'once'}";
        assertThat(repeatable.post(path + "/messages", body).outcome()).isEqualTo("201");
        assertThat(repeatable.post(path + "/messages", body).header("Idempotency-Replayed"))
                .isEqualTo("true");
        assertThat(owner.api().get(path).json().path("messages").size()).isEqualTo(1);
    }

    @Test
    void anothersPrivateSessionIsNotThereAndAPublicOneIsReadOnly() {
        say("secret");
        assertThat(stranger.api().get(path).outcome()).isEqualTo("404 knowledge.no-session");
        assertThat(attempts(stranger)).containsOnly("404 knowledge.no-session");
        assertThat(stranger.api().get(ofOwner()).outcome()).isEqualTo("404 knowledge.no-session");

        owner.api().put(path, "{'visibility': 'public'}");
        assertThat(contents(stranger.api().get(ofOwner()).json())).containsExactly("secret");
        assertThat(attempts(stranger)).containsOnly("403 knowledge.not-yours");
        assertThat(square.anonymous().get(ofOwner()).status()).isEqualTo(401);
        assertThat(owner.api().get(path).json().path("messages").size()).isEqualTo(1);

        // The same key is another session of another owner.
        assertThat(stranger.api()
                        .post(path + "/messages", "{'role': 'user', 'content': 'mine'}")
                        .outcome())
                .isEqualTo("201");
        assertThat(contents(owner.api().get(path).json())).containsExactly("secret");
    }

    private List<String> attempts(Person by) {
        return List.of(
                by.api().put(ofOwner(), "{}").outcome(),
                by.api().delete(ofOwner()).outcome(),
                by.api()
                        .post(path + "/messages?owner=" + owner.id(), "{'role': 'user', 'content': 'intruder'}")
                        .outcome());
    }

    @Test
    void anAdminReadsAndWritesEverything() {
        say("secret");
        assertThat(contents(square.admin.api().get(ofOwner()).json())).containsExactly("secret");
        var read = square.admin
                .api()
                .get("/api/v1/audit?limit=1&action=chat-session-read&subject=" + owner.id())
                .json();
        assertThat(read.at("/items/0/target/name").asString()).isEqualTo(key);
        assertThat(attempts(square.admin)).containsExactly("200", "204", "201");
        assertThat(square.audited("targetKind=chat-session&subject=" + owner.id()))
                .contains("chat-session-read", "chat-session-changed", "chat-session-deleted");
    }

    @Test
    void whatCannotBeAMessageIsRefused() {
        assertThat(say("")).isEqualTo("400 knowledge.invalid");
        assertThat(say("x".repeat(100_001))).isEqualTo("400 knowledge.invalid");
        assertThat(say("語".repeat(100_000))).isEqualTo("201");
        var messages = path + "/messages";
        for (var body : List.of(
                "{'role': 'emperor', 'content': 'x'}",
                "{'role': 'user'}",
                "{'role': 'user', 'content': 'x', 'messageId': '-1'}",
                "{'role': 'user', 'content': 'x', 'messageId': '99999999999999999999'}",
                "{'role': 'user', 'content': 'x', 'sentAt': '+9999-01-01T00:00:00Z'}",
                "[]",
                "[null]",
                "[%s]".formatted(String.join(",", Collections.nCopies(101, "{'role': 'user', 'content': 'x'}"))))) {
            assertThat(owner.api().post(messages, body).status()).as(body).isEqualTo(400);
        }
        assertThat(owner.api()
                        .post(ALL + "/unknown/messages", "{'role': 'user', 'content': 'x'}")
                        .outcome())
                .isEqualTo("404 knowledge.no-session");
    }

    @Test
    void whatCannotBeASessionIsRefused() {
        assertThat(owner.api()
                        .put(ALL + "/" + "k".repeat(201), "{'type': 'thread'}")
                        .outcome())
                .isEqualTo("400 knowledge.invalid");
        assertThat(owner.api().put(ALL + "/a%20b", "{'type': 'thread'}").outcome())
                .isEqualTo("400 knowledge.invalid");
        assertThat(owner.api().put(ALL + "/plain", "{}").outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(owner.api().put(ALL + "/plain", "{'type': 'thread'}").outcome())
                .isEqualTo("201");
        assertThat(owner.api().put(path, "{'type': 'letter'}").outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(owner.api().put(path, "{'visibility': 'shared'}").outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(owner.api().put(path, "{'guildId': 'x'}").status()).isEqualTo(400);
    }

    @Test
    void theListIsByLastActivityFilteredAndPaged() {
        var person = square.person("Lister");
        for (int i = 0; i < 5; i++) {
            person.api()
                    .post(
                            ALL + "/%s:%d/messages".formatted(i % 2 == 0 ? "thread" : "mention", i),
                            "{'role': 'user', 'content': 'x'}");
        }
        person.api().put(ALL + "/thread:2", "{'visibility': 'public'}");
        person.api().post(ALL + "/thread:0/messages", "{'role': 'user', 'content': 'again'}");

        var keys = new ArrayList<String>();
        var next = "";
        do {
            var page = person.api().get(ALL + "?limit=2" + (next.isEmpty() ? "" : "&after=" + next));
            page.json().path("items").forEach(item -> keys.add(item.path("key").asString()));
            next = page.text("next");
        } while (!next.isEmpty());
        assertThat(keys).containsExactly("thread:0", "thread:4", "mention:3", "thread:2", "mention:1");
        assertThat(keys(person, ALL + "?type=mention")).containsExactly("mention:3", "mention:1");
        assertThat(keys(person, ALL + "?status=archived")).isEmpty();
        assertThat(keys(stranger, ALL + "?owner=" + person.id())).containsExactly("thread:2");
        assertThat(keys(square.admin, ALL + "?owner=" + person.id())).hasSize(5);
        assertThat(person.api().get(ALL + "?type=letter").outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(person.api().get(ALL + "?after=x").outcome()).isEqualTo("400 http.bad-cursor");
    }

    private static List<String> keys(Person by, String path) {
        return by.api()
                .get(path)
                .json()
                .path("items")
                .valueStream()
                .map(item -> item.path("key").asString())
                .toList();
    }

    @Test
    void anOwnerArchivesASessionAtOnce() {
        say("short");
        var archive = path + "/archive";
        assertThat(stranger.api().post(archive + "?owner=" + owner.id(), "").outcome())
                .isEqualTo("404 knowledge.no-session");
        var tooLittle = owner.api().post(archive, "");
        assertThat(tooLittle.text("outcome")).isEqualTo("skipped");
        assertThat(tooLittle.text("why")).contains("30 characters");

        say("Now this is long enough to be remembered.");
        var archived = owner.api().post(archive, "");
        assertThat(archived.outcome()).isEqualTo("200");
        assertThat(archived.text("outcome")).isEqualTo("archived");
        assertThat(archived.json().path("sourceIds").size()).isEqualTo(1);
        assertThat(archived.json().path("session").path("status").asString()).isEqualTo("archived");
        assertThat(archived.json()
                        .path("session")
                        .path("lastArchivedMessageIndex")
                        .asInt())
                .isEqualTo(2);
        assertThat(keys(owner, ALL + "?status=archived")).contains(key);
        assertThat(owner.api().post(archive, "").text("outcome")).isEqualTo("not-due");

        assertThat(say("and on it goes")).isEqualTo("201");
        assertThat(keys(owner, ALL + "?status=archived")).doesNotContain(key);
        owner.api().put(path, "{'visibility': 'public'}");
        assertThat(stranger.api().post(archive + "?owner=" + owner.id(), "").outcome())
                .isEqualTo("403 knowledge.not-yours");
    }
}
