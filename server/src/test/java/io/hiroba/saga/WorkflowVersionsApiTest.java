package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a version of a workflow means to those who start its sagas, and to sagas of older ones. */
class WorkflowVersionsApiTest {

    private static final String SAGAS = "/api/v1/sagas";
    private static final TestSagaServer server = new TestSagaServer();

    @AfterAll
    static void close() {
        server.close();
    }

    private static String fields(JsonNode problem) {
        return String.join(
                ",",
                problem.path("errors").valueStream()
                        .map(each -> each.path("field").asString())
                        .toList());
    }

    @Test
    void aStartThatDoesNotFitThePayloadOfTheWorkflowIsRefusedByItsFields() {
        server.register("""
                name: invoice
                payload:
                  - {name: amount, type: number, required: true}
                  - {name: currency, type: choice, options: [EUR, JPY], default: EUR}
                  - {name: express, type: boolean}
                  - {name: due, label: Due date, type: date}
                steps: [{name: go, waitForSignal: go}]
                """);
        var schema = server.auditor.get("/api/v1/workflows/invoice").json().path("payload");
        assertThat(schema.path(1).toString())
                .isEqualTo("{\"name\":\"currency\",\"label\":\"currency\",\"type\":\"choice\",\"required\":false,"
                        + "\"options\":[\"EUR\",\"JPY\"],\"default\":\"EUR\"}");
        var wrong = "{'amount':'12','currency':'USD','express':'yes','due':'soon'}";
        var refused = server.operator.post(SAGAS, "{'workflowName':'invoice','payload':%s}".formatted(wrong));
        assertThat(refused.outcome()).isEqualTo("422 saga.bad-payload");
        assertThat(fields(refused.json())).isEqualTo("payload.amount,payload.currency,payload.express,payload.due");
        assertThat(server.operator
                        .post(SAGAS, "{'workflowName':'invoice','payload':[1]}")
                        .outcome())
                .isEqualTo("422 saga.bad-payload");
        var missing = server.operator.with("Idempotency-Key", "k1").post(SAGAS, "{'workflowName':'invoice'}");
        assertThat(fields(missing.json())).isEqualTo("payload.amount");
        var id = server.operator
                .post(SAGAS, "{'workflowName':'invoice','payload':{'amount':12.5,'lines':[1]}}")
                .text("id");
        assertThat(server.saga(id).path("payload").toString())
                .isEqualTo("{\"lines\":[1],\"amount\":12.5,\"currency\":\"EUR\"}");
        server.awaitRest(id);
        assertThat(server.operator
                        .send("PATCH", SAGAS + "/" + id, "{'payload':{'amount':true},'reason':'typo'}")
                        .outcome())
                .isEqualTo("422 saga.bad-payload");
        var schedule = "{'name':'Monthly','workflow':'invoice','every':'PT1H','payload':%s}";
        assertThat(server.operator
                        .post("/api/v1/schedules", schedule.formatted("{}"))
                        .outcome())
                .isEqualTo("422 saga.bad-payload");
        assertThat(server.operator
                        .post("/api/v1/schedules", schedule.formatted("{'amount':1}"))
                        .outcome())
                .isEqualTo("201");
    }

    @Test
    void aChildWhosePayloadDoesNotFitFailsTheStepThatStartsIt() {
        server.register("{name: counted, payload: [{name: n, type: number, required: true}],"
                + " steps: [{name: a, service: s, method: m}]}");
        server.register("{name: counting, steps: [{name: child, workflow: counted, input: {n: $.payload.n}}]}");
        var good = server.operator.post(SAGAS, "{'workflowName':'counting','payload':{'n':1}}");
        server.awaitStatus(good.text("id"), "COMPLETED");
        var bad = server.operator.post(SAGAS, "{'workflowName':'counting','payload':{'n':'one'}}");
        var failed = server.awaitStatus(bad.text("id"), "FAILED");
        assertThat(failed.path("errorMessage").asString())
                .contains("does not fit the workflow counted: `payload.n` must be a number");
    }

    @Test
    void aPayloadThatIsWrittenWronglyIsRefusedByItsLine() {
        var text = """
                name: bad
                payload:
                  - {name: amount, type: number, default: much}
                  - {name: amount, typ: text}
                steps: [{name: go, waitForSignal: go}]
                """;
        var refused = server.admin.sendAs("application/yaml", "POST", "/api/v1/workflows", text);
        assertThat(refused.outcome()).isEqualTo("400 saga.bad-workflow");
        assertThat(refused.body()).contains("payload[0].default", "payload[1].typ", "is a duplicate field name");
    }
}
