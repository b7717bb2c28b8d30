package io.hiroba.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** The feed of events over HTTP: its order, its positions, and who is told of what. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventFeedTest {

    private Square square;
    private Person ann;
    private Person bob;

    @BeforeAll
    void open() {
        square = new Square();
        ann = square.person("Ann");
        bob = square.person("Bob");
    }

    @AfterAll
    void close() {
        square.close();
    }

    /** The position behind all that has happened so far. */
    private String end(ApiClient api) {
        var next = "";
        boolean more = true;
        while (more) {
            var page = page(api, (next.isEmpty() ? "after=0&" : "after=" + next + "&") + "limit=500");
            next = page.path("next").asString();
            more = page.path("more").asBoolean();
        }
        return next;
    }

    private static JsonNode page(ApiClient api, String query) {
        var reply = api.get("/api/v1/events?" + query);
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("200");
        return reply.json();
    }

    /** The types of what somebody is told after a position, with the values of a field of the data. */
    private static List<String> told(ApiClient api, String after, String field) {
        return page(api, "after=" + after)
                .path("items")
                .valueStream()
                .map(event -> event.path("type").asString() + " "
                        + event.path("data").path(field).asString())
                .toList();
    }

    private static ApiClient.Reply made(ApiClient api, String path, String json) {
        var reply = api.post(path, json);
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("201");
        return reply;
    }

    private static List<String> ids(ApiClient.Reply reply) {
        return reply.json()
                .path("items")
                .valueStream()
                .map(each -> each.path("id").asString())
                .toList();
    }

    private ApiClient limited(Person person, String... scopes) {
        var body = Map.of(
                "email", person.email(), "password", person.password(), "name", "limited", "scopes", List.of(scopes));
        return square.anonymous()
                .token(made(square.anonymous(), "/api/v1/tokens", Json.text(body))
                        .text("token"));
    }

    @Test
    void postsAreToldInOrderAndAPageGoesOnWhereTheOneBeforeEnded() {
        var start = end(bob.api());
        var first = ann.post("first");
        var second = ann.post("second");
        ann.api().delete("/api/v1/posts/" + first);
        assertThat(told(bob.api(), start, "postId"))
                .containsExactly("post.created " + first, "post.created " + second, "post.deleted " + first);

        var one = page(bob.api(), "after=" + start + "&limit=1");
        assertThat(one.path("more").asBoolean()).isTrue();
        assertThat(one.path("items").path(0).path("key").asString()).isEqualTo(first);
        assertThat(one.path("items").path(0).path("id").asString())
                .isEqualTo(one.path("next").asString());
        assertThat(told(bob.api(), one.path("next").asString(), "postId")).hasSize(2);
        assertThat(page(bob.api(), "types=post.deleted,saga.*&after=" + start).path("items"))
                .hasSize(1);
    }

    @Test
    void aReplyThatBecomesARootIsNoNewPost() {
        var root = ann.post("root");
        var reply = bob.reply(root, "reply");
        var start = end(bob.api());
        ann.api().delete("/api/v1/posts/" + root);
        assertThat(told(bob.api(), start, "postId")).containsExactly("post.deleted " + root);
        assertThat(bob.api().get("/api/v1/posts/" + reply).outcome()).isEqualTo("200");
    }

    @Test
    void nobodyIsToldOfThoseWhoBlockThemOrOfTheFollowsOfOthers() {
        var eve = square.person("Eve");
        var start = end(eve.api());
        bob.follow(ann);
        ann.block(eve);
        var hidden = ann.post("not for Eve");
        var shown = bob.post("for Eve");
        assertThat(told(eve.api(), start, "postId")).containsExactly("post.created " + shown);
        assertThat(told(bob.api(), start, "userId"))
                .containsExactly("user.followed " + ann.id(), "post.created " + ann.id(), "post.created " + bob.id());
        assertThat(hidden).isNotEmpty();
    }

    @Test
    void recordsAreForMembersByTheRulesOfRows() {
        var member = square.person("Member");
        var project = made(ann.api(), "/api/v1/projects", "{'name': 'Feed'}").text("id");
        var path = "/api/v1/projects/" + project;
        made(ann.api(), path + "/schemas", "{'name': 'task', 'attributes': [{'name': 'title', 'type': 'text'}]}");
        ann.api().put(path + "/members/" + member.id(), "{'role': 'editor'}");
        var start = end(ann.api());
        var record = made(ann.api(), path + "/records/task", "{'title': 'one'}").text("id");
        assertThat(told(ann.api(), start, "recordId")).containsExactly("record.created " + record);
        assertThat(told(member.api(), start, "recordId")).containsExactly("record.created " + record);
        assertThat(told(bob.api(), start, "recordId")).isEmpty();
        assertThat(told(square.admin.api(), start, "recordId")).containsExactly("record.created " + record);

        assertThat(ann.api()
                        .put(path + "/schemas/task/rules", "{'ownRowsOnly': true}")
                        .outcome())
                .isEqualTo("200");
        assertThat(told(member.api(), start, "recordId")).isEmpty();
        var own =
                made(member.api(), path + "/records/task", "{'title': 'mine'}").text("id");
        assertThat(told(member.api(), start, "recordId")).containsExactly("record.created " + own);

        ann.api().delete(path + "/members/" + member.id());
        assertThat(told(member.api(), start, "recordId")).isEmpty();
    }

    @Test
    void sagasAreForThoseWithARoleAndInboxItemsForTheirPerson() {
        var admin = square.admin.api();
        admin.put("/api/v1/saga-services/away", "{'endpoint': 'http://127.0.0.1:1/'}");
        made(
                admin,
                "/api/v1/workflows",
                "{'name': 'feed', 'steps': [{'name': 'book', 'service': 'away', 'method': 'book'}]}");
        var auditor = square.person("Auditor");
        admin.put("/api/v1/saga-roles/" + auditor.id(), "{'role': 'auditor'}");
        var start = end(admin);
        var saga = made(admin, "/api/v1/sagas", "{'workflowName': 'feed', 'correlationId': 'c-1', 'payload': {}}")
                .text("id");
        admin.put("/api/v1/inbox/resources/issue/77", "{'title': 'Feed', 'namespace': 'crew/feed'}");
        admin.post(
                "/api/v1/inbox/notify",
                "{'user': '%s', 'action': 'assigned', 'resourceType': 'issue', 'resource': '77'}"
                        .formatted(ann.email()));
        assertThat(told(auditor.api(), start, "sagaId")).contains("saga.started " + saga);
        assertThat(told(bob.api(), start, "sagaId")).isEmpty();
        assertThat(told(ann.api(), start, "action")).containsExactly("inbox.item.created assigned");
        var item = ids(ann.api().get("/api/v1/inbox")).getFirst();
        ann.api().post("/api/v1/inbox/" + item + "/read", "");
        ann.api().post("/api/v1/inbox/" + item + "/done", "");
        ann.api().post("/api/v1/inbox/" + item + "/restore", "");
        assertThat(told(ann.api(), start, "itemId"))
                .containsExactly(
                        "inbox.item.created " + item, "inbox.item.done " + item, "inbox.item.restored " + item);
        assertThat(told(limited(auditor, "sagas:read"), start, "sagaId")).contains("saga.started " + saga);
        assertThat(told(limited(auditor, "posts:read"), start, "sagaId")).isEmpty();
        // An admin's token has an admin's rights only with the scope of admins.
        assertThat(told(limited(square.admin, "sagas:read"), start, "sagaId")).isEmpty();
        assertThat(told(limited(square.admin, "sagas:read", "admin:read"), start, "sagaId"))
                .contains("saga.started " + saga);
        admin.delete("/api/v1/saga-roles/" + auditor.id());
        assertThat(told(auditor.api(), start, "sagaId")).isEmpty();
    }

    @Test
    void aLateCommitIsNotSkipped() throws Exception {
        var start = end(bob.api());
        var appended = new CountDownLatch(1);
        var commit = new CountDownLatch(1);
        var author = Long.parseUnsignedLong(ann.id(), 16);
        var late = CompletableFuture.runAsync(
                () -> square.server.database().db().useTransaction(tx -> {
                    new EventLog()
                            .append(
                                    tx,
                                    NewEvent.of(author, "post")
                                            .with("postId", Ids.hex(1))
                                            .with("userId", ann.id()));
                    appended.countDown();
                    try {
                        assertThat(commit.await(20, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }),
                command -> Thread.ofVirtual().start(command));
        assertThat(appended.await(20, TimeUnit.SECONDS)).isTrue();
        var early = ann.post("committed first");
        var before = page(bob.api(), "after=" + start);
        assertThat(before.path("items")).isEmpty();
        commit.countDown();
        late.get(20, TimeUnit.SECONDS);
        assertThat(told(bob.api(), before.path("next").asString(), "postId"))
                .containsExactly("post.created " + Ids.hex(1), "post.created " + early);
    }

    @Test
    void anAnswerWaitsForTheFirstEvent() {
        var start = end(bob.api());
        assertThat(page(bob.api(), "wait=0&after=" + start).path("items")).isEmpty();
        var waiting = CompletableFuture.supplyAsync(
                () -> page(bob.api(), "types=post.created&wait=20&after=" + start),
                command -> Thread.ofVirtual().start(command));
        var post = ann.post("awaited");
        assertThat(waiting.join()
                        .path("items")
                        .path(0)
                        .path("data")
                        .path("postId")
                        .asString())
                .isEqualTo(post);
    }

    @Test
    void theSameEventsComeAsAStream() {
        var start = end(bob.api());
        var first = ann.post("before the stream");
        try (var stream = bob.api().with("Accept", "text/event-stream").with("Last-Event-ID", start).stream(
                "/api/v1/events?types=post.*")) {
            await().until(() -> stream.messages().size() == 1);
            var second = ann.post("while it is open");
            await().until(() -> stream.messages().size() == 2);
            assertThat(stream.messages().stream()
                            .map(message -> message.event() + " "
                                    + message.json().path("data").path("postId").asString()))
                    .containsExactly("post.created " + first, "post.created " + second);
        }
    }

    @Test
    void positionsThatAreNoneOrTooOldAreRefused() {
        var old = Ids.hex(Ids.lowestAt(Instant.now().minus(91, ChronoUnit.DAYS)));
        assertThat(bob.api().get("/api/v1/events?after=" + old).outcome()).isEqualTo("410 webhooks.cursor-expired");
        assertThat(bob.api().get("/api/v1/events?since=2001-01-01T00:00:00Z").outcome())
                .isEqualTo("410 webhooks.cursor-expired");
        assertThat(bob.api().get("/api/v1/events?after=zz").outcome()).isEqualTo("400 webhooks.invalid");
        assertThat(bob.api().get("/api/v1/events?types=nothing").outcome()).isEqualTo("400 webhooks.invalid");
        assertThat(bob.api().get("/api/v1/events?types=post.*,").outcome()).isEqualTo("200");
        assertThat(bob.api().get("/api/v1/events?since=1970-01-01T00:00:00Z").outcome())
                .as("a time, though one of which nothing is kept")
                .isEqualTo("410 webhooks.cursor-expired");
        assertThat(bob.api().get("/api/v1/events?limit=501").outcome()).isEqualTo("400 webhooks.invalid");
        assertThat(square.anonymous().get("/api/v1/events").outcome()).isEqualTo("401 accounts.not-signed-in");
        var now = Instant.now();
        var post = ann.post("since now");
        await().untilAsserted(() -> assertThat(page(bob.api(), "types=post.created&since=" + now)
                        .path("items")
                        .valueStream()
                        .map(event -> event.path("key").asString()))
                .contains(post));
    }

    @Test
    void webhooksToPrivateAddressesAreRefused() {
        for (var url : List.of(
                "http://example.org/",
                "https://localhost/",
                "https://127.0.0.1/",
                "https://10.1.2.3:8443/x",
                "https://[::1]/",
                "https://169.254.169.254/latest/meta-data",
                "https://user:pass@example.org/",
                "https://example.org/#x",
                "ftp://example.org/",
                "https:///x",
                "no address")) {
            assertThat(bob.api()
                            .post("/api/v1/webhooks", Json.text(Map.of("url", url, "events", List.of("post.*"))))
                            .outcome())
                    .as(url)
                    .isEqualTo("400 webhooks.invalid");
        }
    }

    @Test
    void aTokenMakesNoWebhookThatIsToldMoreThanItReads() {
        var token = limited(bob, "account:write", "posts:read");
        assertThat(token.post("/api/v1/webhooks", "{'url': 'https://hooks.example/', 'events': ['*']}")
                        .outcome())
                .isEqualTo("403 webhooks.scope-required");
        assertThat(token.post("/api/v1/webhooks", "{'url': 'https://hooks.example/', 'events': ['post.*']}")
                        .outcome())
                .isEqualTo("201");
    }

    @Test
    void webhooksAreInAnExportWithoutTheirSecretsAndGoWithTheAccount() throws IOException {
        var leaver = square.person("Leaver");
        var webhook =
                made(leaver.api(), "/api/v1/webhooks", "{'url': 'https://hooks.example/', 'events': ['post.deleted']}");
        var db = square.server.database().db();
        var owner = Long.parseUnsignedLong(leaver.id(), 16);
        var exported = new ByteArrayOutputStream();
        WebhookExportStore.part(db).content().write(owner, file -> exported);
        assertThat(exported.toString(StandardCharsets.UTF_8))
                .contains(webhook.text("id"), "https://hooks.example/")
                .doesNotContain("secret");
        assertThat(leaver.deleteAccount(leaver.id()).status()).isLessThan(300);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> db.read(reads -> new WebhookStore().count(reads, new UserId(owner))) == 0);
    }

    @Test
    void aWebhookIsMadeChangedAndDeletedOnThePagesOfItsOwnerAlone() {
        var visitor = signedIn(bob);
        var refused = submit(visitor, "/settings/webhooks", "url=http%3A%2F%2Fexample.org&events=post.created");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(Jsoup.parse(refused.body())
                        .selectXpath("//*[@id='url-error']")
                        .text())
                .contains("https://");

        var made = submit(
                visitor,
                "/settings/webhooks",
                "url=https%3A%2F%2Fhooks.example%2Fx&description=Mine&events=post.*&events=saga.stuck");
        assertThat(made.status()).as(made.body()).isEqualTo(200);
        var page = Jsoup.parse(made.body());
        assertThat(page.select("#secret").attr("value")).startsWith("whsec_");
        var path = page.select("form.form").getFirst().attr("action");
        assertThat(page.select("input[name=events][checked]").eachAttr("value"))
                .containsExactly("post.*", "saga.stuck");
        assertThat(visitor.get(path).body()).doesNotContain("whsec_");
        assertThat(visitor.get("/settings/webhooks").body()).contains("Mine", "https://hooks.example/x");
        assertThat(signedIn(ann).get(path).status()).isEqualTo(404);

        assertThat(submit(visitor, path, "url=https%3A%2F%2Fhooks.example%2Fy&events=*")
                        .status())
                .isEqualTo(303);
        var changed = Jsoup.parse(visitor.get(path).body());
        assertThat(changed.select("input[name=events][checked]").eachAttr("value"))
                .containsExactly("*");
        assertThat(changed.select(".status").text()).contains("Disabled");
        assertThat(submit(visitor, path + "/secret", "").body()).contains("whsec_");
        assertThat(submit(visitor, path + "/delete", "").status()).isEqualTo(303);
        assertThat(visitor.get(path).status()).isEqualTo(404);
    }

    private ApiClient signedIn(Person person) {
        var session = square.anonymous()
                .post("/api/v1/session", Json.text(Map.of("email", person.email(), "password", person.password())));
        return square.anonymous().cookie(session.cookie()).with("Accept", "text/html");
    }

    private static ApiClient.Reply submit(ApiClient caller, String path, String fields) {
        return caller.sendAs("application/x-www-form-urlencoded", "POST", path, fields);
    }
}
