package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** A workflow on a whole server with a step that asks the built-in librarian, and agents that a member makes. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentStepSagaTest {

    private Square square;

    @BeforeAll
    void open() {
        square = new Square(
                "--knowledge.chat.models.tiny.base-url=http://127.0.0.1:1/v1",
                "--knowledge.chat.models.tiny.model=tiny-1");
        var made = square.admin
                .api()
                .post("/api/v1/agents", Json.text(Map.of("nickname", "Oracle", "model", "librarian")));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
    }

    @AfterAll
    void close() {
        square.close();
    }

    private JsonNode ended(String workflow, String payload) {
        var started = square.admin
                .api()
                .post("/api/v1/sagas", "{'workflowName':'%s','payload':%s}".formatted(workflow, payload));
        assertThat(started.outcome()).as(started.body()).isEqualTo("201");
        return await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> square.admin
                                .api()
                                .get("/api/v1/sagas/" + started.text("id"))
                                .json(),
                        saga -> saga.path("status").asString().matches("COMPLETED|FAILED"));
    }

    private void register(String yaml) {
        var made = square.admin.api().sendAs("application/yaml", "POST", "/api/v1/workflows", yaml);
        assertThat(made.status()).as(made.body()).isBetween(200, 201);
    }

    @Test
    void theAnswerOfAnAgentIsTheAnswerOfItsStep() {
        square.person("Bob").post("The quibblet bridge was built in 1907 by two brothers.");
        register("""
                name: ask-oracle
                output: {said: $.steps.oracle.answer}
                steps:
                  - name: oracle
                    agent: {nickname: Oracle, prompt: "=payload.question"}
                """);
        var saga = await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> ended("ask-oracle", "{'question':'When was the quibblet bridge built?'}"),
                        each -> each.toString().contains("1907"));
        assertThat(saga.path("status").asString()).isEqualTo("COMPLETED");

        var path = "/agents/steps/" + saga.path("id").asString() + "/0";
        assertThat(page(square.admin, "/sagas/" + saga.path("id").asString())
                        .select(".attempts a")
                        .eachAttr("href"))
                .containsExactly(path);
        var led = square.admin.api().get(path);
        assertThat(led.status()).isEqualTo(303);
        var runs = page(square.admin, led.header("Location").replaceAll("#.*", ""));
        assertThat(runs.select("#runs li").first().select("a").eachAttr("href"))
                .contains("/sagas/" + saga.path("id").asString());
        assertThat(runs.select("#runs li").first().id())
                .isEqualTo(led.header("Location").replaceAll(".*#", ""));
        assertThat(square.person("Stranger").api().get(path).status()).isEqualTo(404);
        var maker = square.person("Usurper");
        assertThat(square.admin
                        .api()
                        .put("/api/v1/admin/agents/makers/" + maker.id(), "")
                        .status())
                .isLessThan(300);
        var namesake = maker.api().post("/api/v1/agents", "{'nickname': 'oracle', 'model': 'librarian'}");
        assertThat(namesake.outcome()).as(namesake.body()).isEqualTo("409 agents.name-taken");
        assertThat(ended("ask-oracle", "{'question':'When was the quibblet bridge built?'}")
                        .path("status")
                        .asString())
                .as("a member who asks for the same name neither takes the step over nor breaks it")
                .isEqualTo("COMPLETED");
    }

    @Test
    void anAgentThatIsNotThereFailsTheSaga() {
        register("""
                name: ask-nobody
                steps:
                  - name: oracle
                    agent: {nickname: Nobody, prompt: "Hello?"}
                """);
        var saga = ended("ask-nobody", "{}");
        assertThat(saga.path("status").asString()).isEqualTo("FAILED");
        assertThat(saga.toString()).contains("Nobody");
    }

    @Test
    void quietHoursHoldNoSagaAndAPauseFailsIt() {
        var made = square.admin.api().post("/api/v1/agents", "{'nickname': 'Pythia', 'model': 'librarian'}");
        var agent = "/api/v1/agents/" + made.text("id");
        var now = LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MINUTES);
        var quiet = square.admin
                .api()
                .put(
                        agent + "/quiet-hours",
                        "{'from': '%s', 'until': '%s', 'timeZone': 'UTC'}"
                                .formatted(now.minusHours(1), now.plusHours(2)));
        assertThat(quiet.status()).as(quiet.body()).isLessThan(300);
        register("""
                name: ask-pythia
                steps:
                  - name: pythia
                    agent: {nickname: Pythia, prompt: "Hello?", data: {order: $.payload.order?, all: "=payload"}}
                """);
        assertThat(ended("ask-pythia", "{'order':7}").path("status").asString()).isEqualTo("COMPLETED");
        assertThat(square.admin.api().post(agent + "/pause", "{}").status()).isLessThan(300);
        var failed = ended("ask-pythia", "{}");
        assertThat(failed.path("status").asString()).isEqualTo("FAILED");
        assertThat(failed.toString()).contains("The agent is paused.");
    }

    @Test
    void allThatIsWrongWithAnAgentIsToldAtOnce() {
        var api = square.admin.api();
        var wrong = api.post("/api/v1/agents", """
                {'nickname': 'Twice@Home', 'model': 'unheard-of', 'tools': ['rm_rf', 'fly'], 'wake': ['noon'],
                 'callers': ['nobody', '7'], 'limits': {'turns': 0, 'seconds': 0}}
                """);
        assertThat(wrong.outcome()).isEqualTo("400 agents.invalid");
        assertThat(wrong.json()
                        .path("errors")
                        .valueStream()
                        .map(error -> error.path("field").asString("")))
                .containsExactly(
                        "nickname", "model", "tools", "wake", "callers", "callers", "limits.turns", "limits.seconds");
        assertThat(wrong.body()).contains("rm_rf, fly");
        var own = api.post("/api/v1/agents", "{'nickname': 'Own', 'model': 'librarian', 'tools': ['inbox_done']}");
        assertThat(own.outcome()).isEqualTo("400 agents.invalid");
        assertThat(own.body()).contains("inbox_done, which agents cannot use");
        var form = submitted(square.admin, "/agents", "nickname=Own&model=librarian&tools=inbox_done");
        assertThat(Jsoup.parse(form.body()).select("#tools-error").text()).contains("inbox_done");
        var wide = api.post("/api/v1/agents", "{'nickname': 'Ｏｒａｃｌｅ', 'model': 'librarian'}");
        assertThat(wide.outcome()).isEqualTo("409 agents.name-taken");
    }

    @Test
    void whatIsWrongWithSuchAStepIsSaidWhenItIsRegistered() {
        var refused = square.admin.api().sendAs("application/yaml", "POST", "/api/v1/workflows", """
                name: wrong
                steps:
                  - name: oracle
                    service: stock
                    agent: {nickname: Oracle, answer: [{name: team, type: colour}], colour: red,
                            data: $.steps.later.x}
                """);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body())
                .contains("prompt")
                .contains("service")
                .contains("colour")
                .contains("later");
    }

    @Test
    void adminsLetMembersMakeAgentsAndEverybodySeesTheCostsOfTheirOwn() {
        var ann = square.person("Ann");
        var maker = square.person("Makerina");
        assertThat(page(maker, "/agents").select("form[action=/agents]")).isEmpty();
        assertThat(submitted(maker, "/agents", "nickname=Mine&model=librarian").status())
                .isEqualTo(403);
        assertThat(maker.api().get("/admin/agents/makers").status()).isEqualTo(403);
        var form = "user=Makerina";
        assertThat(submitted(maker, "/admin/agents/makers", form).status()).isEqualTo(403);
        assertThat(submitted(square.admin, "/admin/agents/makers", "user=Nobody+here")
                        .status())
                .isEqualTo(422);
        assertThat(submitted(square.admin, "/admin/agents/makers", form).status())
                .isEqualTo(303);
        assertThat(page(square.admin, "/agents").select("p.hint").text()).contains("without a price yet: tiny");
        for (var name : List.of("tiny", "unserved")) {
            assertThat(square.admin
                            .api()
                            .put("/api/v1/ai-models/" + name, "{'inputCost': 1, 'outputCost': 1}")
                            .status())
                    .isLessThan(300);
        }
        var unserved = square.admin.api().post("/api/v1/agents", "{'nickname': 'Mute', 'model': 'unserved'}");
        assertThat(unserved.outcome()).isEqualTo("400 agents.invalid");
        assertThat(unserved.text("detail")).contains("librarian, tiny");
        assertThat(page(square.admin, "/agents")
                        .select("form[action=/agents] option")
                        .eachText())
                .containsExactly("librarian", "tiny");
        assertThat(maker.api()
                        .post("/api/v1/agents", "{'nickname': 'M', 'model': 'tiny'}")
                        .outcome())
                .isEqualTo("400 agents.invalid");
        assertThat(submitted(square.admin, "/admin/agents/makers/models", "model=tiny")
                        .status())
                .isEqualTo(303);
        assertThat(square.admin.api().get("/api/v1/admin/agents/models").body()).contains("tiny");
        assertThat(page(maker, "/agents").select("form[action=/agents] option").eachText())
                .containsExactly("librarian", "tiny");
        var made = maker.api().post("/api/v1/agents", "{'nickname': 'Minette', 'model': 'librarian'}");
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        assertThat(made.text("ownerId")).isEqualTo(maker.id());
        var path = "/agents/" + made.text("id");
        assertThat(maker.api()
                        .send("PATCH", "/api/v1" + path, "{'tools': ['weather__forecast']}")
                        .outcome())
                .isEqualTo("400 agents.invalid");
        assertThat(page(maker, path).select("form[action=" + path + "]")).hasSize(1);
        assertThat(page(ann, path).select("form[action=" + path + "]")).isEmpty();
        assertThat(ann.api().get(path + "/pauses").status()).isEqualTo(403);
        assertThat(submitted(maker, path + "/pauses/pause", "").header("Location"))
                .isEqualTo(path + "/pauses");
        assertThat(page(maker, path + "/pauses").select("form[action=" + path + "/pauses/resume]"))
                .hasSize(1);
        assertThat(submitted(maker, path + "/pauses/resume", "").status()).isEqualTo(303);

        ann.post("@Minette is anybody there?");
        var own = await().atMost(Duration.ofSeconds(20))
                .until(
                        () -> maker.api()
                                .get("/api/v1/agents/statistics?range=7d")
                                .json(),
                        found -> found.at("/all/answered").asInt() == 1);
        assertThat(own.path("agents")).hasSize(1);
        assertThat(own.toString()).doesNotContain(ann.id());
        assertThat(ann.api()
                        .get("/api/v1/agents/statistics")
                        .json()
                        .at("/all/runs")
                        .asInt())
                .isZero();
        assertThat(ann.api().get("/api/v1/agents/statistics?range=1y").outcome())
                .isEqualTo("400 agents.invalid");
        var seen = page(square.admin, "/agents/statistics?range=30d");
        assertThat(seen.select("table.plain a").eachText()).contains("Minette");
        assertThat(seen.select("svg.run-bars rect.answered title").text()).contains("answered");

        assertThat(square.admin
                        .api()
                        .delete("/api/v1/admin/agents/makers/" + maker.id())
                        .outcome())
                .isEqualTo("204");
        assertThat(page(maker, "/agents").select("form[action=/agents]")).isEmpty();
        assertThat(square.admin.api().delete("/api/v1/admin/agents/models/tiny").outcome())
                .isEqualTo("204");
        assertThat(maker.api().delete("/api/v1" + path).outcome()).isEqualTo("204");
    }

    @Test
    void theFormOfAnAgentOffersToolsWhatWakesItAndWhoMayCallIt() {
        var carol = square.person("Carol");
        var refused = submitted(square.admin, "/agents", "nickname=Formy&model=librarian&tools=nonsense&wakes=on");
        assertThat(Jsoup.parse(refused.body()).select("input[name=wake][checked]"))
                .as("as it was sent")
                .isEmpty();
        var nobody = submitted(square.admin, "/agents", "nickname=Formy&model=librarian&callers=Carol,+Nobody+here");
        assertThat(Jsoup.parse(nobody.body()).select("#callers-error").text()).contains("Nobody here");
        var form = page(square.admin, "/agents");
        assertThat(form.select("label:has(input[name=tools][value=posts_search])")
                        .text())
                .isEqualTo("posts_search search posts");
        assertThat(form.select("input[name=tools][value=inbox_done]")).isEmpty();
        assertThat(form.select("input[name=wake][checked]")).hasSize(Agent.Wake.values().length);

        var fields =
                "nickname=Formy&model=librarian&tools=posts_search&tools=posts_get&wakes=on&wake=step&callers=Carol,"
                        + square.admin.id();
        var made = submitted(square.admin, "/agents", fields);
        assertThat(made.status()).as(made.body()).isEqualTo(303);
        var agent = square.admin.api().get("/api/v1" + made.header("Location")).json();
        assertThat(agent.path("wake").toString()).isEqualTo("[\"step\"]");
        assertThat(agent.path("callers").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrder(carol.id(), square.admin.id());
        var filled = page(square.admin, made.header("Location"));
        assertThat(filled.select("#callers").text()).contains("Carol");
        assertThat(filled.select("input[name=tools][checked]").eachAttr("value"))
                .containsExactly("posts_get", "posts_search");
        assertThat(page(carol, made.header("Location")).select("#callers")).isEmpty();
    }

    private static Document page(Person person, String path) {
        return Jsoup.parse(person.api().get(path).body());
    }

    private static Reply submitted(Person person, String path, String form) {
        return person.api().sendAs("application/x-www-form-urlencoded", "POST", path, form);
    }
}
