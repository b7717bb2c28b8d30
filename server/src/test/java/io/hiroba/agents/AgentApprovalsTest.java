package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestHttpService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Agents with a scripted model on a whole server: what they change there, and what their callers approve in their inboxes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentApprovalsTest {

    private final Queue<String> script = new ConcurrentLinkedQueue<>();
    private final TestHttpService model = TestHttpService.start((asked, exchange) -> say(exchange));
    private Square square;
    private Person ann;
    private Person bob;
    private String agent = "";
    private String project = "";

    @BeforeAll
    void open() {
        square = new Square(
                "--knowledge.chat.models.acting.base-url=" + model.url() + "/v1",
                "--knowledge.chat.models.acting.model=acting");
        ann = square.person("Ann");
        bob = square.person("Bob");
        square.admin.api().put("/api/v1/ai-models/acting", "{'inputCost': 0, 'outputCost': 0, 'description': ''}");
        var made = square.admin
                .api()
                .post(
                        "/api/v1/agents",
                        Json.text(Map.of(
                                "nickname",
                                "Acty",
                                "model",
                                "acting",
                                "tools",
                                List.of("posts_create", "records_create", "records_update", "records_delete"))));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        agent = made.text("id");
        project = ann.api().post("/api/v1/projects", "{'name': 'Shop'}").text("id");
        member(agent, "editor");
        assertThat(ann.api()
                        .post(
                                "/api/v1/projects/" + project + "/schemas",
                                "{'name': 'product', 'attributes': [{'name': 'name', 'type': 'text', 'unique': true}]}")
                        .outcome())
                .isEqualTo("201");
    }

    @AfterAll
    void close() {
        square.close();
        model.close();
    }

    private void member(String id, String role) {
        assertThat(ann.api()
                        .put("/api/v1/projects/" + project + "/members/" + id, "{'role': '" + role + "'}")
                        .outcome())
                .isEqualTo("204");
    }

    private void say(HttpExchange exchange) throws IOException {
        var next = script.poll();
        var delta = next == null ? "{\"content\":\"nothing to say\"}" : next;
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write("""
                        data: {"choices": [{"delta": %s}]}

                        data: {"choices": [{"delta": {}, "finish_reason": "%s"}]}

                        data: [DONE]

                        """.formatted(delta, delta.contains("tool_calls") ? "tool_calls" : "stop")
                .getBytes(StandardCharsets.UTF_8));
    }

    private void asksFor(String tool, Map<String, ?> arguments) {
        script.add(Json.text(Map.of(
                "tool_calls",
                List.of(Map.of(
                        "index",
                        0,
                        "id",
                        "c1",
                        "function",
                        Map.of("name", tool, "arguments", Json.text(arguments)))))));
    }

    private void says(String text) {
        script.add(Json.text(Map.of("content", text)));
    }

    private void asksForProduct(String name) {
        asksFor("records_create", Map.of("project", project, "schema", "product", "body", Map.of("name", name)));
    }

    private JsonNode run(String post) {
        return square.admin
                .api()
                .get("/api/v1/agents/" + agent + "/runs")
                .json()
                .path("items")
                .valueStream()
                .filter(run -> run.path("postId").asString().equals(post))
                .findFirst()
                .orElse(Json.mapper().createObjectNode());
    }

    private void awaitState(String post, String state) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> run(post).path("state").asString(""), state::equals);
    }

    private String reply(String post) {
        return square.admin
                .api()
                .get("/api/v1/posts/" + run(post).path("replyId").asString())
                .text("content");
    }

    private List<String> products() {
        return ann.api()
                .get("/api/v1/projects/" + project + "/records/product")
                .json()
                .path("items")
                .valueStream()
                .map(each -> each.path("values").path("name").asString())
                .toList();
    }

    /** The item that asks for an approval, once it is there. */
    private JsonNode item(Person person) {
        return await().atMost(Duration.ofSeconds(20))
                .until(
                        () -> person.api()
                                .get("/api/v1/inbox")
                                .json()
                                .path("items")
                                .valueStream()
                                .filter(each -> each.path("action").asString().equals("approval_required"))
                                .findFirst()
                                .orElse(null),
                        item -> item != null);
    }

    /** What the model was told last. */
    private String told() {
        return model.asked().getLast().body();
    }

    @Test
    void aRecordIsMadeOnceItsCallerHasApprovedIt() {
        asksForProduct("Lamp");
        says("It is there.");
        var post = ann.post("@Acty add a lamp");
        var item = item(ann);
        assertThat(item.at("/approval/workflowName").isNull()).isTrue();
        assertThat(item.at("/approval/deadline").isString()).isTrue();
        assertThat(run(post).path("state").asString()).isEqualTo("approval");
        assertThat(products()).as("rehearsed, and not made").doesNotContain("Lamp");
        var path = "/api/v1/inbox/" + item.path("id").asString();
        var approval = ann.api().get(path + "/approval");
        assertThat(approval.outcome()).as(approval.body()).isEqualTo("200");
        assertThat(approval.text("title")).isEqualTo("Acty asks for your approval: create records");
        assertThat(approval.text("text")).contains("`records_create`", "\"name\" : \"Lamp\"");
        var approved = ann.api().post(path + "/approve", "{'comment': 'Fine'}");
        assertThat(approved.outcome()).as(approved.body()).isEqualTo("200");
        assertThat(ann.api().post(path + "/approve", "").outcome()).isEqualTo("409 agents.approval-closed");
        awaitState(post, "answered");
        assertThat(reply(post)).isEqualTo("It is there.");
        assertThat(products()).containsOnlyOnce("Lamp");
        assertThat(told()).contains("Lamp");
        assertThat(square.audited("action=approval-approved")).isNotEmpty();
    }

    @Test
    void whatCanNotBeDoneAnyMoreIsNotApproved() {
        var cat = square.person("Cat");
        member(cat.id(), "editor");
        asksForProduct("Ghost");
        var post = cat.post("@Acty add a ghost");
        awaitState(post, "approval");
        var path = "/api/v1/inbox/" + item(cat).path("id").asString();
        square.admin.api().send("PATCH", "/api/v1/agents/" + agent, "{'enabled': false}");
        assertThat(cat.api().post(path + "/approve", "").outcome()).isEqualTo("409 agents.approval-impossible");
        square.admin.api().send("PATCH", "/api/v1/agents/" + agent, "{'enabled': true}");
        cat.api().delete("/api/v1/posts/" + post);
        assertThat(cat.api().post(path + "/approve", "").outcome()).isEqualTo("409 agents.approval-impossible");
        assertThat(cat.api().post(path + "/reject", "").outcome()).isEqualTo("200");
        awaitState(post, "refused");
    }

    @Test
    void itIsRejectedOnItsPageWithAComment() {
        asksForProduct("<b>Bomb</b>\n\nApproved: yes");
        says("Then not.");
        var post = ann.post("@Acty add a bomb");
        awaitState(post, "approval");
        var item = item(ann);
        var path = item.path("resource").path("url").asString(item.path("url").asString(""));
        assertThat(path).as(item.toString()).startsWith("/agents/approvals/");
        var visitor = signedIn(ann);
        var page = Jsoup.parse(visitor.get(path).body());
        assertThat(page.select("h1").text()).isEqualTo("Acty asks for your approval: create records");
        assertThat(page.select("dd pre").eachText())
                .anySatisfy(text -> assertThat(text).contains("<b>Bomb</b>"));
        assertThat(signedIn(bob).get(path).status()).isEqualTo(404);
        assertThat(submit(visitor, path, "decision=maybe").status()).isEqualTo(400);
        assertThat(submit(visitor, path, "decision=reject&comment=No+bombs").status())
                .isEqualTo(303);
        assertThat(Jsoup.parse(visitor.get(path).body()).select(".status").text())
                .isEqualTo("Rejected");
        awaitState(post, "answered");
        assertThat(told()).contains("No bombs");
        assertThat(products()).noneMatch(name -> name.contains("Bomb"));
    }

    @Test
    void whatTheCallerMayNotDoIsNeitherAskedForNorDone() {
        asksForProduct("Theft");
        says("You may not.");
        var post = bob.post("@Acty add a theft");
        awaitState(post, "answered");
        assertThat(told()).contains("404");
        member(bob.id(), "editor");
        asksForProduct("Late theft");
        says("Not any more.");
        var second = bob.post("@Acty add a late theft");
        var item = item(bob);
        assertThat(ann.api()
                        .delete("/api/v1/projects/" + project + "/members/" + bob.id())
                        .outcome())
                .isEqualTo("204");
        assertThat(bob.api()
                        .post("/api/v1/inbox/" + item.path("id").asString() + "/approve", "")
                        .outcome())
                .isEqualTo("200");
        awaitState(second, "answered");
        assertThat(products()).noneMatch(name -> name.endsWith("heft"));
    }

    @Test
    void aPostIsMadeAtOnceByTheAgentAndNotByTheCaller() {
        asksFor("posts_create", Map.of("content", "The canteen is closed tomorrow."));
        says("Posted.");
        var before = count(ann.id());
        var own = count(agent);
        var post = ann.post("@Acty tell everybody that the canteen is closed");
        awaitState(post, "answered");
        // The reply, and what it was asked to post.
        assertThat(count(agent)).isEqualTo(own + 2);
        assertThat(told()).containsPattern("id\\W+[0-9A-F]{16}");
        assertThat(count(ann.id())).isEqualTo(before + 1);
    }

    @Test
    void aToolThatThereIsNotIsToldToTheModelAndTheRunGoesOn() {
        asksFor("rm_rf", Map.of("path", "/"));
        says("There is none.");
        var post = ann.post("@Acty clean up");
        awaitState(post, "answered");
        assertThat(told()).contains("There is no such tool");
        assertThat(run(post).path("turns").asInt()).isEqualTo(2);
    }

    private long count(String author) {
        return square.server
                .database()
                .db()
                .read(reads -> reads.query("SELECT count(*) FROM social.posts WHERE owned_by = :id")
                        .bind("id", Long.parseUnsignedLong(author, 16))
                        .mapTo(Long.class)
                        .one());
    }

    private ApiClient signedIn(Person person) {
        var session = square.anonymous()
                .post("/api/v1/session", Json.text(Map.of("email", person.email(), "password", person.password())));
        return square.anonymous().cookie(session.cookie()).with("Accept", "text/html");
    }

    private static ApiClient.Reply submit(ApiClient visitor, String path, String form) {
        return visitor.sendAs("application/x-www-form-urlencoded", "POST", path, form);
    }
}
