package io.hiroba.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Feeds and webhooks of some projects and workflows, tokens of one project, and what admins do with webhooks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookFiltersTest {

    private static final String PATH = "/api/v1/webhooks";

    private Square square;
    private Person ann;
    private String shop;
    private String other;

    @BeforeAll
    void open() {
        square = new Square("--webhooks.private-addresses=true", "--webhooks.retry-delay=50ms");
        ann = square.person("Ann");
        shop = project("Shop");
        other = project("Other");
    }

    @AfterAll
    void close() {
        square.close();
    }

    private String project(String name) {
        var project = made(ann.api(), "/api/v1/projects", Json.text(Map.of("name", name)))
                .text("id");
        made(
                ann.api(),
                "/api/v1/projects/" + project + "/schemas",
                "{'name': 'task', 'attributes': [{'name': 'title', 'type': 'text'}]}");
        return project;
    }

    private static ApiClient.Reply made(ApiClient api, String path, String body) {
        var reply = api.post(path, body);
        assertThat(reply.status()).as(reply.body()).isBetween(200, 202);
        return reply;
    }

    private String record(String project) {
        return made(ann.api(), "/api/v1/projects/" + project + "/records/task", "{'title': 'one'}")
                .text("id");
    }

    private ApiClient limited(Person person, String... scopes) {
        var body = Map.of(
                "email", person.email(), "password", person.password(), "name", "limited", "scopes", List.of(scopes));
        return square.anonymous()
                .token(made(square.anonymous(), "/api/v1/tokens", Json.text(body))
                        .text("token"));
    }

    private static Stream<String> keys(ApiClient api, String query) {
        var reply = api.get("/api/v1/events?limit=500&" + query);
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("200");
        return reply.json()
                .path("items")
                .valueStream()
                .map(event -> event.path("key").asString());
    }

    @Test
    void aFeedHasTheRecordsOfSomeProjectsAndTheSagasOfSomeWorkflowsAlone() {
        var admin = square.admin.api();
        admin.put("/api/v1/saga-services/away", "{'endpoint': 'http://127.0.0.1:1/'}");
        var sagas = Stream.of("pack", "send")
                .map(name -> {
                    made(
                            admin,
                            "/api/v1/workflows",
                            "{'name': '%s', 'steps': [{'name': 'a', 'service': 'away', 'method': 'a'}]}"
                                    .formatted(name));
                    return made(admin, "/api/v1/sagas", "{'workflowName': '%s', 'payload': {}}".formatted(name))
                            .text("id");
                })
                .toList();
        var wanted = record(shop);
        var unwanted = record(other);
        await().untilAsserted(() -> assertThat(keys(admin, "projects=" + shop + "&workflows=send"))
                .contains(wanted, sagas.get(1))
                .doesNotContain(unwanted, sagas.get(0)));
        assertThat(ann.api().get("/api/v1/events?projects=x").outcome()).isEqualTo("400 webhooks.invalid");
        assertThat(ann.api().get("/api/v1/events?workflows=a,,b").outcome()).isEqualTo("200");
    }

    @Test
    void aTokenOfOneProjectIsToldOfItsRecordsAlone() {
        var token = limited(ann, "records:read:" + shop, "account:write");
        var own = record(shop);
        var others = record(other);
        await().untilAsserted(
                        () -> assertThat(keys(ann.api(), "types=record.*")).contains(own, others));
        assertThat(keys(token, "types=*")).contains(own).doesNotContain(others);
        // A webhook goes on after the token: it must not be told of more than that.
        assertThat(token.post(PATH, "{'url': 'https://hooks.example/', 'events': ['record.*']}")
                        .outcome())
                .isEqualTo("403 webhooks.scope-required");
        assertThat(token.post(
                                PATH,
                                Json.text(Map.of(
                                        "url",
                                        "https://hooks.example/",
                                        "events",
                                        List.of("record.*"),
                                        "projects",
                                        List.of(shop, other))))
                        .outcome())
                .isEqualTo("403 webhooks.scope-required");
        made(
                token,
                PATH,
                Json.text(Map.of(
                        "url", "https://hooks.example/", "events", List.of("record.*"), "projects", List.of(shop))));
    }

    @Test
    void aWebhookIsToldOfTheRecordsOfItsProjectsAndOfAllPosts() {
        try (var receiver = new WebhookReceiver()) {
            var webhook = made(
                    ann.api(),
                    PATH,
                    Json.text(Map.of(
                            "url",
                            receiver.service.url(),
                            "events",
                            List.of("record.*", "post.*"),
                            "projects",
                            List.of(shop.toLowerCase(Locale.ROOT)))));
            assertThat(webhook.json().at("/webhook/projects/0").asString()).isEqualTo(shop);
            var unwanted = record(other);
            var wanted = record(shop);
            var post = ann.post("told");
            receiver.gets(wanted, "record.created");
            receiver.gets(post, "post.created");
            assertThat(receiver.types(unwanted)).isEmpty();
            var replay = PATH + "/" + webhook.text("id") + "/replay";
            assertThat(ann.api()
                            .post(replay, "{'since': '+999999999-12-31T23:59:59Z'}")
                            .status())
                    .isEqualTo(202);
            assertThat(ann.api()
                            .post(replay, "{'since': '-999999999-01-01T00:00:00Z'}")
                            .outcome())
                    .isEqualTo("410 webhooks.cursor-expired");
        }
    }

    @Test
    void onePersonDoesNotTakeAllThePlacesOfThoseWhoWait() {
        var reader = square.person("Reader");
        var start = reader.api().get("/api/v1/events?since=" + Instant.now()).text("next");
        var answered = new AtomicInteger();
        var query = "/api/v1/events?types=user.followed&wait=20&after=" + start;
        var asked = Stream.generate(() -> CompletableFuture.runAsync(
                        () -> {
                            assertThat(reader.api().get(query).outcome()).isEqualTo("200");
                            answered.incrementAndGet();
                        },
                        command -> Thread.ofVirtual().start(command)))
                .limit(23)
                .toList();
        await().untilAsserted(() -> assertThat(answered).hasValue(3));
        reader.follow(ann);
        asked.forEach(CompletableFuture::join);
    }

    @Test
    void anAdminPausesResumesAndDeletesTheWebhooksOfOthersOnAPage() {
        try (var receiver = new WebhookReceiver()) {
            var id = made(
                            ann.api(),
                            PATH,
                            Json.text(Map.of("url", receiver.service.url(), "events", List.of("post.created"))))
                    .text("id");
            var visitor = signedIn(square.admin);
            assertThat(signedIn(ann).get("/admin/webhooks").status()).isEqualTo(403);
            assertThat(Jsoup.parse(visitor.get("/admin/webhooks").body())
                            .select("#webhooks")
                            .text())
                    .contains(receiver.service.url(), "Ann");
            assertThat(submit(signedIn(ann), "/admin/webhooks/" + id + "/pause").status())
                    .isEqualTo(403);
            assertThat(submit(visitor, "/admin/webhooks/" + id + "/pause").status())
                    .isEqualTo(303);
            assertThat(isPaused(id)).isTrue();
            // Its owner may change it, and is told of nothing all the same.
            assertThat(ann.api()
                            .put(
                                    PATH + "/" + id,
                                    Json.text(Map.of("url", receiver.service.url(), "events", List.of("post.created"))))
                            .status())
                    .isEqualTo(200);
            assertThat(ann.api().post(PATH + "/" + id + "/ping", "").outcome()).isEqualTo("409 webhooks.paused");
            var missed = ann.post("while it is paused");
            assertThat(submit(visitor, "/admin/webhooks/" + id + "/resume").status())
                    .isEqualTo(303);
            var post = ann.post("after it was resumed");
            receiver.gets(post, "post.created");
            assertThat(receiver.types(missed)).isEmpty();
            assertThat(submit(signedIn(ann), "/admin/webhooks/" + id + "/delete")
                            .status())
                    .isEqualTo(403);
            assertThat(submit(visitor, "/admin/webhooks/" + id + "/delete").status())
                    .isEqualTo(303);
            assertThat(ann.api().get(PATH + "/" + id).outcome()).isEqualTo("404 webhooks.not-found");
            assertThat(square.admin
                            .api()
                            .get("/api/v1/audit?targetKind=webhook&targetId=" + id)
                            .json()
                            .path("items")
                            .valueStream()
                            .map(entry -> entry.path("action").asString()))
                    .contains("webhook-changed", "webhook-deleted");
        }
    }

    @Test
    void aWebhookThatItsOwnerHasDisabledStaysSoWhenAnAdminResumesIt() {
        try (var receiver = new WebhookReceiver()) {
            var url = receiver.service.url();
            var id = made(ann.api(), PATH, Json.text(Map.of("url", url, "events", List.of("post.created"))))
                    .text("id");
            var disabled = Json.text(Map.of("url", url, "events", List.of("post.created"), "enabled", false));
            var enabled = Json.text(Map.of("url", url, "events", List.of("post.created"), "enabled", true));
            var admin = square.admin.api();
            // Before it is paused, and while it is.
            ann.api().put(PATH + "/" + id, disabled);
            admin.post(PATH + "/" + id + "/pause", "");
            admin.post(PATH + "/" + id + "/resume", "");
            assertThat(ann.api().get(PATH + "/" + id).text("disabledBy")).isEqualTo("owner");
            ann.api().put(PATH + "/" + id, enabled);
            admin.post(PATH + "/" + id + "/pause", "");
            assertThat(isPaused(id)).isTrue();
            ann.api().put(PATH + "/" + id, disabled);
            admin.post(PATH + "/" + id + "/resume", "");
            assertThat(isPaused(id)).isFalse();
            assertThat(ann.api().get(PATH + "/" + id).text("disabledBy")).isEqualTo("owner");
            admin.delete(PATH + "/" + id);
        }
    }

    private boolean isPaused(String id) {
        return ann.api().get(PATH + "/" + id).json().path("paused").asBoolean();
    }

    private ApiClient signedIn(Person person) {
        var session = square.anonymous()
                .post("/api/v1/session", Json.text(Map.of("email", person.email(), "password", person.password())));
        return square.anonymous().cookie(session.cookie()).with("Accept", "text/html");
    }

    private static ApiClient.Reply submit(ApiClient caller, String path) {
        return caller.sendAs("application/x-www-form-urlencoded", "POST", path, "");
    }
}
