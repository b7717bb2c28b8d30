package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Square;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** A workflow on a whole server with a step that asks the built-in librarian. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentStepSagaTest {

    private Square square;

    @BeforeAll
    void open() {
        square = new Square();
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
    void whatIsWrongWithSuchAStepIsSaidWhenItIsRegistered() {
        var refused = square.admin.api().sendAs("application/yaml", "POST", "/api/v1/workflows", """
                name: wrong
                steps:
                  - name: oracle
                    service: stock
                    agent: {nickname: Oracle, answer: [{name: team, type: colour}], colour: red}
                """);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("prompt").contains("service").contains("colour");
    }
}
