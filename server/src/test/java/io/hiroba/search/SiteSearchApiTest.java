package io.hiroba.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The one search over HTTP: what is found of each kind, and by whom it is not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SiteSearchApiTest {

    private Square square;
    private Person owner;
    private Person other;

    @BeforeAll
    void open() {
        square = new Square();
        owner = square.person("Zanzibarella");
        other = square.person("Stranger");
        owner.post(
                "Trip to Zanzibar, packed with v1.2.3 of the app, ERR-421 and getUserName in src/main_case/Foo.java");
        var project = "/api/v1/projects/"
                + made(owner.api(), "/api/v1/projects", "{'name': 'Trips'}").text("id");
        made(owner.api(), project + "/schemas", """
                {'name': 'trip', 'attributes': [{'name': 'place', 'type': 'text'}, {'name': 'secret', 'type': 'text'}]}
                """);
        made(owner.api(), project + "/records/trip", "{'place': 'Zanzibar by boat', 'secret': 'hush-hush'}");
        assertThat(owner.api()
                        .put(project + "/schemas/trip/rules", "{'hidden': ['secret']}")
                        .outcome())
                .isEqualTo("200");
        assertThat(owner.api()
                        .put(project + "/members/" + square.admin.id(), "{'role': 'viewer'}")
                        .outcome())
                .startsWith("20");
        made(
                owner.api(),
                "/api/v1/knowledge/sources",
                "{'title': 'Guide', 'text': 'Zanzibar has ports. Release v1.2.3 of the chart.', 'visibility': 'private'}");
        assertThat(owner.api()
                        .post(
                                "/api/v1/knowledge/sessions/thread:7/messages",
                                "{'role': 'user', 'content': 'Is Zanzibar hot?'}")
                        .outcome())
                .startsWith("20");
        var admin = square.admin.api();
        admin.put("/api/v1/saga-services/stock", "{'endpoint': 'http://127.0.0.1:1/'}");
        made(
                admin,
                "/api/v1/workflows",
                "{'name': 'booking', 'steps': [{'name': 'book', 'service': 'stock', 'method': 'book'}]}");
        made(
                admin,
                "/api/v1/sagas",
                "{'workflowName': 'booking', 'correlationId': 'trip-77', 'payload': {'to': 'Zanzibar'}}");
        assertThat(admin.put("/api/v1/inbox/resources/issue/9", "{'title': 'Zanzibar visa', 'namespace': 'crew/app'}")
                        .outcome())
                .isEqualTo("201");
        assertThat(admin.post(
                                "/api/v1/inbox/notify",
                                "{'user': '%s', 'action': 'assigned', 'resourceType': 'issue', 'resource': '9'}"
                                        .formatted(owner.email()))
                        .outcome())
                .startsWith("20");
    }

    @AfterAll
    void close() {
        square.close();
    }

    private static ApiClient.Reply made(ApiClient api, String path, String json) {
        var reply = api.post(path, json);
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("201");
        return reply;
    }

    private static ApiClient.Reply search(ApiClient api, String query, String more) {
        return api.get("/api/v1/search?q=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + more);
    }

    /** The kinds of which something is found. */
    private static List<String> kinds(ApiClient api, String query) {
        var reply = search(api, query, "");
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("200");
        var kinds = new ArrayList<String>();
        reply.json().path("groups").forEach(group -> {
            assertThat(group.path("status").asString()).as(reply.body()).isEqualTo("ok");
            if (!group.path("items").isEmpty()) {
                kinds.add(group.path("type").asString());
            }
        });
        return kinds;
    }

    private static List<String> asked(ApiClient api, String more) {
        var types = new ArrayList<String>();
        search(api, "zanzibar", more)
                .json()
                .path("groups")
                .forEach(group -> types.add(group.path("type").asString()));
        return types;
    }

    private static void finds(ApiClient api, String query, String... kinds) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(kinds(api, query)).as(query).containsExactly(kinds));
    }

    @Test
    void allKindsAreFoundByAPartOfAWordAndOnlyByThoseWhoMayReadThem() {
        finds(owner.api(), "zanz", "posts", "people", "records", "sources", "conversations", "inbox");
        finds(owner.api(), "zanzibar", "posts", "people", "records", "sources", "conversations", "inbox");
        finds(other.api(), "zanz", "posts", "people");
        finds(square.admin.api(), "zanzibar", "posts", "people", "records", "sagas");
        other.block(owner);
        finds(other.api(), "zanzibar", "people");
    }

    @Test
    void wordsOfAnyWidthFindTheOthers() {
        for (var found :
                Map.of("inbox", "ｖｉｓａ", "conversations", "ｚａｎｚｉｂａｒ ｈｏｔ？").entrySet()) {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(search(owner.api(), found.getValue(), "&types=" + found.getKey())
                                    .json()
                                    .at("/groups/0/items"))
                            .as(found.getKey())
                            .hasSize(1));
        }
    }

    @Test
    void codesAreFoundByTheirParts() {
        finds(owner.api(), "1.2.3", "posts", "sources");
        finds(owner.api(), "ERR-42", "posts");
        finds(owner.api(), "username", "posts");
        finds(owner.api(), "main_ca", "posts");
        finds(owner.api(), "\"zanz\"", "people", "records", "conversations", "inbox");
    }

    @Test
    void aResultHasATitleAnAddressAndWhatMatches() {
        var group = search(owner.api(), "zanz", "&types=records")
                .json()
                .path("groups")
                .path(0);
        var item = group.path("items").path(0);
        assertThat(item.path("title").asString()).isEqualTo("Zanzibar by boat · Trips / trip");
        assertThat(item.path("url").asString()).startsWith("/records/");
        assertThat(item.path("snippet").path(0).path("text").asString()).isEqualTo("Zanz");
        assertThat(item.path("snippet").path(0).path("hit").asBoolean()).isTrue();
        assertThat(group.path("more").asBoolean()).isFalse();
    }

    @Test
    void whatARuleHidesIsNotFound() {
        finds(owner.api(), "hush-hush", "records");
        finds(square.admin.api(), "hush-hush");
    }

    @Test
    void sagasAreFoundByIdAndCorrelationIdAndPayload() {
        var saga = square.admin
                .api()
                .get("/api/v1/sagas?correlationId=trip-77")
                .json()
                .path("items")
                .path(0);
        for (var query : List.of(saga.path("id").asString(), "trip-77", "booking zanzibar")) {
            finds(square.admin.api(), query, "sagas");
        }
        assertThat(asked(owner.api(), "")).doesNotContain("sagas");
    }

    @Test
    void aTokenFindsWhatItsScopesReach() {
        var body = Map.of(
                "email",
                owner.email(),
                "password",
                owner.password(),
                "name",
                "limited",
                "scopes",
                List.of("posts:read", "inbox:read"));
        var token = square.anonymous().post("/api/v1/tokens", Json.text(body)).text("token");
        var limited = square.anonymous().token(token);
        assertThat(asked(limited, "")).containsExactly("posts", "inbox");
        assertThat(asked(limited, "&types=people,posts")).containsExactly("posts");
        assertThat(search(square.anonymous(), "zanz", "").outcome()).startsWith("401");
    }

    @Test
    void aSingleWordOfALongPassageIsFoundInTheOneSearch() {
        var captain = square.person("Captain");
        var ferry =
                "# Ferry to Skerry Island\\n\\nThe boat leaves at 07:40 and 16:15 from pier 3, on Sundays only at 10:00. Bicycles"
                        + " travel free of charge. In a gale of force eight or more, the crossing is called off; a replacement bus goes.";
        var added = captain.api()
                .post("/api/v1/knowledge/sources", "{'text': '%s', 'visibility': 'private'}".formatted(ferry));
        var source = "/api/v1/knowledge/sources/" + added.text("id");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> captain.api().get(source).text("status").equals("completed"));
        assertThat(captain.api()
                        .get("/api/v1/search?q=gale&types=sources")
                        .json()
                        .path("groups")
                        .path(0)
                        .path("items"))
                .hasSize(1);
    }

    @Test
    void whatIsWrongWithAQueryIsOneSentence() {
        assertThat(owner.api().get("/api/v1/search?q=%20").text("detail"))
                .isEqualTo("`q` must have 1 to 200 characters.");
    }

    @Test
    void aBadQueryIsRefusedByThoseToWhomItMakesNoSense() {
        for (var bad :
                List.of("?q=", "?q=" + "x".repeat(201), "?q=x&types=posts,nothing", "?q=x&limit=0", "?q=x&limit=21")) {
            assertThat(owner.api().get("/api/v1/search" + bad).outcome())
                    .as(bad)
                    .isEqualTo("400 http.invalid");
        }
        var posts = search(owner.api(), "-this", "&types=posts")
                .json()
                .path("groups")
                .path(0);
        assertThat(posts.path("status").asString()).isEqualTo("refused");
        assertThat(posts.path("detail").asString()).contains("besides exclusions");
    }
}
