package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.App;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestServer;
import io.hiroba.testkit.TestStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** What runs write, read while they write it on two nodes, and runs that are stopped meanwhile. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveRunsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final WritingModel model = new WritingModel();
    private final Square square =
            new Square("--knowledge.chat.base-url=" + model.url("one"), "--knowledge.chat.model=writer");
    private final App other = TestServer.node(
            square.server.database().config(),
            square.server.data(),
            "--http.rate-limit.enabled=false",
            "--knowledge.chat.base-url=" + model.url("two"),
            "--knowledge.chat.model=writer");
    private final Person ann = square.person("Ann");
    private final Person bob = square.person("Bob");
    private final String agent;
    private String post = "";
    private String run = "";

    LiveRunsTest() {
        square.admin.api().put("/api/v1/ai-models/writer", "{'inputCost': 1, 'outputCost': 1}");
        var made = square.admin
                .api()
                .post(
                        "/api/v1/agents",
                        Json.text(Map.of("nickname", "Kiki", "model", "writer", "tools", List.of("posts_search"))));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        agent = made.text("id");
    }

    @AfterAll
    void close() {
        other.close();
        square.close();
        model.close();
    }

    @BeforeEach
    void ask() {
        int before = model.calls();
        post = ann.post("@Kiki when does it open?");
        await().atMost(PATIENCE).until(() -> model.calls() > before);
        run = runs().getFirst().path("id").asString();
    }

    private List<JsonNode> runs() {
        return square.admin
                .api()
                .get("/api/v1/agents/" + agent + "/runs")
                .json()
                .path("items")
                .valueStream()
                .toList();
    }

    private JsonNode shown() {
        return square.admin.api().get(path("")).json();
    }

    private String path(String more) {
        return "/api/v1/agents/%s/runs/%s%s".formatted(agent, run, more);
    }

    /** The API of the other node. */
    private ApiClient there(Person person) {
        var anonymous = ApiClient.anonymous(other.address().getPort());
        var token = anonymous.post(
                "/api/v1/tokens",
                Json.text(Map.of("email", person.email(), "password", person.password(), "name", "there")));
        return anonymous.token(token.text("token"));
    }

    private static String text(TestStream stream) {
        var text = new StringBuilder();
        for (var message : stream.messages("delta")) {
            text.setLength(message.json().path("offset").asInt());
            text.append(message.json().path("text").asString());
        }
        return text.toString();
    }

    private static void awaitText(TestStream stream, String expected) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(text(stream)).isEqualTo(expected));
    }

    private void end() {
        model.ends();
        await().atMost(PATIENCE)
                .until(() -> !shown().path("endedAt").asString("").isEmpty());
    }

    @Test
    void readersOfBothNodesSeeTheTextGrowAndLateOnesGetAllOfIt() {
        try (var here = bob.api().stream(path("/stream"));
                var there = there(ann).stream(path("/stream"))) {
            model.writes("It opens ");
            awaitText(here, "It opens ");
            awaitText(there, "It opens ");
            model.writes("at **nine**.");
            awaitText(here, "It opens at **nine**.");
            awaitText(there, "It opens at **nine**.");
            try (var late = bob.api().stream(path("/stream"))) {
                awaitText(late, "It opens at **nine**.");
                assertThat(late.messages("delta")).hasSize(1);
                end();
                assertThat(late.await("done").json().path("state").asString()).isEqualTo("answered");
            }
            var done = here.await("done").json();
            assertThat(done.path("replyId").asString())
                    .isEqualTo(shown().path("replyId").asString());
            there.await("done");
            await().atMost(PATIENCE).until(() -> here.isEnded() && there.isEnded());
        }
        try (var after = bob.api().stream(path("/stream"))) {
            after.await("done");
            assertThat(after.messages("delta")).isEmpty();
        }
        assertThat(drafts()).isZero();
    }

    @Test
    void whatAPersonSaidInAnotherThreadIsRecalledForThemAlone() {
        model.writes("At nine.");
        end();
        var session = "/api/v1/knowledge/sessions/mention:agent-" + agent + "-" + ann.post("What a day!");
        assertThat(ann.api()
                        .post(
                                session + "/messages",
                                "[{'role': 'user', 'content': 'I am allergic to the vreeble nuts of the island'},"
                                        + " {'role': 'assistant', 'content': 'I will remember that'}]")
                        .outcome())
                .isEqualTo("201");
        assertThat(ann.api().post(session + "/archive", "").outcome()).isEqualTo("200");
        assertThat(toldTo(ann)).contains("of the island");
        assertThat(toldTo(bob)).doesNotContain("of the island");
        ann.api().delete("/api/v1/agents/" + agent + "/memory");
        assertThat(toldTo(ann)).doesNotContain("of the island");
    }

    private String toldTo(Person asker) {
        int before = model.calls();
        asker.post("@Kiki which vreeble nuts am I allergic to?");
        await().atMost(PATIENCE).until(() -> model.calls() > before);
        model.writes("All of them.");
        model.ends();
        return model.told();
    }

    private long drafts() {
        return square.server
                .database()
                .db()
                .read(reads -> reads.query("SELECT count(*) FROM agents.drafts")
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void aToolIsToldAndTheNextTurnBeginsAnew() {
        try (var stream = ann.api().stream(path("/stream"))) {
            model.writes("Let me look.");
            awaitText(stream, "Let me look.");
            model.asksFor("posts_search");
            assertThat(stream.await("tool").json().path("tool").asString()).isEqualTo("posts_search");
            await().atMost(PATIENCE).until(() -> model.calls() >= 2);
            await().atMost(PATIENCE).untilAsserted(() -> {
                model.writes(".");
                assertThat(stream.messages("delta")
                                .getLast()
                                .json()
                                .path("turn")
                                .asInt())
                        .isEqualTo(2);
            });
            assertThat(text(stream)).startsWith(".");
            end();
            stream.await("done");
        }
    }

    @Test
    void whoeverStopsARunOnAnyNodeCutsTheModelOffAndNothingIsPosted() {
        try (var stream = bob.api().stream(path("/stream"))) {
            model.writes("I will never ");
            awaitText(stream, "I will never ");
            int cut = model.gone.size();
            assertThat(bob.api().post(path("/stop"), "").outcome()).isEqualTo("404 agents.run-not-found");
            // By the node that does not carry it out.
            var api = model.callers.getLast().equals("one") ? there(ann) : ann.api();
            var stopped = api.post(path("/stop"), "");
            assertThat(stopped.outcome()).as(stopped.body()).isEqualTo("200");
            assertThat(stopped.text("stoppedBy")).isEqualTo(ann.id());
            await().atMost(PATIENCE).until(() -> model.gone.size() > cut);
            var refused = stream.await("refused").json();
            assertThat(refused.path("state").asString()).isEqualTo("stopped");
            assertThat(refused.path("stoppedBy").asString()).isEqualTo(ann.id());
            assertThat(api.post(path("/stop"), "").outcome()).isEqualTo("409 agents.run-ended");
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(shown().path("cost").decimalValue())
                        .as("what the call may have cost")
                        .isPositive());
        assertThat(shown().path("state").asString()).isEqualTo("stopped");
        assertThat(bob.api()
                        .get("/api/v1/posts/" + post)
                        .json()
                        .path("countReplies")
                        .asInt())
                .isZero();
        assertThat(drafts()).isZero();
    }

    @Test
    void aRunThatAnotherNodeBeginsAnewIsReadFromItsBeginning() {
        try (var stream = bob.api().stream(path("/stream"))) {
            model.writes("The first answer");
            awaitText(stream, "The first answer");
            int calls = model.calls();
            // As if the node had died long ago.
            square.server
                    .database()
                    .db()
                    .useTransaction(tx -> tx.update("UPDATE agents.runs SET due_at = now() WHERE due_at IS NOT NULL")
                            .execute());
            // Wakes the workers of a node.
            var wakes = ann.post("@Kiki and this?");
            await().atMost(PATIENCE).until(() -> model.calls() >= calls + 2);
            assertThat(wakes).isNotEmpty();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(text(stream)).isEmpty());
            assertThat(stream.messages("delta").getLast().json().path("attempt").asInt())
                    .isEqualTo(2);
            await().atMost(PATIENCE).until(() -> !model.gone.isEmpty());
        }
        for (var open : runs()) {
            square.admin
                    .api()
                    .post(
                            "/api/v1/agents/%s/runs/%s/stop"
                                    .formatted(agent, open.path("id").asString()),
                            "");
        }
        assertThat(bob.api()
                        .get("/api/v1/posts/" + post)
                        .json()
                        .path("countReplies")
                        .asInt())
                .isZero();
    }

    @Test
    void nobodyReadsWhatAnswersAPostThatTheyMayNotRead() {
        var carol = square.person("Carol");
        try (var stream = carol.api().stream(path("/stream"));
                var page = carol.api().stream("/api/v1/stream?runs=" + post)) {
            model.writes("Before. ");
            awaitText(stream, "Before. ");
            page.await("run");
            ann.block(carol);
            await().atMost(PATIENCE).untilAsserted(() -> {
                model.writes("x");
                assertThat(stream.isEnded()).isTrue();
            });
            model.writes("A secret.");
            try (var anns = ann.api().stream(path("/stream"))) {
                await().atMost(PATIENCE).until(() -> text(anns).contains("A secret."));
            }
            assertThat(page.messages("run").toString()).doesNotContain("secret");
            assertThat(stream.messages("delta").toString()).doesNotContain("secret");
        }
        assertThat(carol.api().get(path("/stream")).outcome()).isEqualTo("404 agents.run-not-found");
        try (var page = carol.api().stream("/api/v1/stream?runs=" + post);
                var anns = ann.api().stream("/api/v1/stream?runs=" + post)) {
            assertThat(anns.await("run").json().path("html").asString()).contains("A secret.");
            assertThat(page.messages("run")).isEmpty();
        }
        assertThat(square.anonymous().get(path("/stream")).outcome()).startsWith("401");
        end();
    }

    @Test
    void whoeverBlockedTheAgentDoesNotReadWhatItWrites() {
        var dora = square.person("Dora");
        try (var stream = dora.api().stream(path("/stream"))) {
            model.writes("Before. ");
            awaitText(stream, "Before. ");
            assertThat(dora.api().post("/api/v1/users/" + agent + "/block", "").status())
                    .isLessThan(300);
            await().atMost(PATIENCE).untilAsserted(() -> {
                model.writes("x");
                assertThat(stream.isEnded()).isTrue();
            });
        }
        assertThat(dora.api().get(path("/stream")).outcome()).isEqualTo("404 agents.run-not-found");
        end();
    }

    @Test
    void aPageIsSentTheWritingAsHtmlAndItsEnd() {
        try (var page = bob.api().stream("/api/v1/stream?runs=" + post)) {
            assertThat(page.await("run").json().path("state").asString()).isEqualTo("running");
            model.writes("It is **nine** <script>alert(1)</script>");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(page.messages("run")
                                    .getLast()
                                    .json()
                                    .path("html")
                                    .asString())
                            .contains("<strong>nine</strong>")
                            .doesNotContain("<script>"));
            end();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(page.messages("run")
                                    .getLast()
                                    .json()
                                    .path("state")
                                    .asString())
                            .isEqualTo("answered"));
        }
    }

    @Test
    void aStreamOfNonsenseIsRefused() {
        var api = ann.api();
        assertThat(api.get("/api/v1/stream?runs=nonsense").outcome()).isEqualTo("400 http.invalid");
        assertThat(api.get("/api/v1/stream?runs=").outcome()).isEqualTo("400 http.invalid");
        var many = String.join(
                ",", LongStream.range(0, 101).mapToObj("%016X"::formatted).toList());
        assertThat(api.get("/api/v1/stream?runs=" + many).outcome()).isEqualTo("400 http.invalid");
        assertThat(api.get("/api/v1/agents/%s/runs/%s/stream".formatted(ann.id(), run))
                        .outcome())
                .isEqualTo("404 agents.run-not-found");
        model.writes("At nine.");
        end();
    }
}
