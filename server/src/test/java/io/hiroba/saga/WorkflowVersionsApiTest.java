package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.AiModel;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.Users.AgentProfile;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepCall;
import io.hiroba.saga.call.StepOutcome.Failed;
import java.math.BigDecimal;
import java.util.List;
import org.awaitility.Awaitility;
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
                problem.path("errors")
                        .valueStream()
                        .map(each -> each.path("field").asString())
                        .toList());
    }

    @Test
    void whatAWorkflowNamesThatIsNotThereIsSaidWhenItIsRegistered() {
        var registered = server.admin.sendAs("application/yaml", "POST", "/api/v1/workflows", """
                name: hopeful
                steps:
                  - {name: pay, service: bank, method: pay}
                  - {name: ship, workflow: shipping}
                  - {name: ask, agent: {nickname: Nobody, prompt: Why?}}
                  - {name: ask-other, agent: {nickname: $.payload.agent, prompt: Why?}}
                """);
        assertThat(registered.outcome()).as(registered.body()).isEqualTo("201");
        assertThat(registered.json().path("warnings").toString())
                .isEqualTo("[\"step pay calls the service `bank`, which does not exist yet\","
                        + "\"step ship starts the workflow `shipping`, which does not exist yet\","
                        + "\"step ask asks the agent Nobody, which does not exist yet\"]");
        server.register("{name: shipping, steps: [{name: go, waitForSignal: go}]}");
        var complete = server.admin.sendAs(
                "application/yaml",
                "POST",
                "/api/v1/workflows",
                "{name: complete, steps: [{name: ship, workflow: shipping}]}");
        assertThat(complete.json().path("warnings")).isEmpty();

        server.accounts.db.useTransaction(tx -> {
            server.accounts.aiModels.ensure(tx, new AiModel("librarian", BigDecimal.ZERO, BigDecimal.ZERO, ""));
            server.accounts.users.createAgent(tx, new AgentProfile(Nickname.parse("Shelf"), "librarian", null));
        });
        var form = server.admin.sendAs("application/yaml", "POST", "/api/v1/workflows", """
                name: formal
                steps:
                  - {name: text, agent: {nickname: Shelf, prompt: Why?}}
                  - {name: number, agent: {nickname: shelf, prompt: How many?, answer: [{name: count, type: number}]}}
                """);
        assertThat(form.json().path("warnings")).hasSize(1);
        assertThat(form.json().path("warnings").path(0).asString()).contains("step number", "librarian");

        var endless = server.admin.sendAs(
                "application/yaml",
                "POST",
                "/api/v1/workflows",
                "{name: endless, steps: [{name: again, workflow: endless}]}");
        assertThat(endless.outcome()).isEqualTo("400 saga.bad-workflow");
        assertThat(endless.text("detail")).contains("again", "line 1");
        var bounded = """
                name: bounded
                steps: [{name: again, workflow: bounded, forEach: "$.payload.parts", input: {parts: $.item}}]
                """;
        assertThat(server.admin
                        .sendAs("application/yaml", "POST", "/api/v1/workflows", bounded)
                        .outcome())
                .isEqualTo("201");
    }

    @Test
    void aCallForEachElementIsShownAsACallAndNotStartedByItself() {
        server.register("""
                name: charges
                steps:
                  - {name: charge, service: bank, method: charge, compensate: refund, forEach: "$.payload.lines", retry: {maxAttempts: 7}}
                """);
        var call = server.auditor
                .get("/api/v1/workflows/charges")
                .json()
                .path("steps")
                .path(0);
        assertThat(call.path("method").asString() + call.path("compensate").asString())
                .isEqualTo("chargerefund");
        assertThat(call.path("forEach").asString()).isEqualTo("$.payload.lines");
        assertThat(call.path("workflow").isNull()).isTrue();
        assertThat(call.at("/retry/maxAttempts").asInt()).isEqualTo(7);
        var own =
                "{'name':'own','steps':[{'name':'a','service':'hiroba.accounts','method':'m','forEach':'$.payload.x'}]}";
        assertThat(server.admin.post("/api/v1/workflows", own).body()).contains("saga.own-service");
        assertThat(server.operator
                        .post("/api/v1/sagas", "{'workflowName':'charges/charge'}")
                        .outcome())
                .isEqualTo("404 saga.no-workflow");
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

    private static String waiting(String name, String more) {
        return "{name: %s, steps: [{name: first, service: s, method: %s-first}, {name: go, waitForSignal: go}%s]}"
                .formatted(name, name, more);
    }

    private static String migrate(String id, int version) {
        return server.operator
                .post(SAGAS + "/" + id + "/migrate", "{'version':%d}".formatted(version))
                .outcome();
    }

    @Test
    void aMovedSagaGoesOnWithTheStepsOfTheNewerVersion() {
        server.register(waiting("moved", ""));
        var id = server.start("moved");
        server.awaitRest(id);
        server.register(waiting("moved", ", {name: last, service: s, method: moved-last}"));
        assertThat(migrate(id, 2)).isEqualTo("202");
        assertThat(server.awaitRest(id).path("workflowVersion").asInt()).isEqualTo(2);
        server.operator.post(SAGAS + "/" + id + "/signals/go", "{}");
        var ended = server.awaitStatus(id, "COMPLETED");
        assertThat(ended.path("resolutions").path(0).path("reason").asString()).isEqualTo("1 → 2");
        assertThat(server.service.effects()).containsOnlyOnce("moved-first", "moved-last");
        assertThat(server.accounts.audited(Action.SAGA_MIGRATED)).isNotEmpty();
        assertThat(migrate(id, 2)).isEqualTo("409 saga.terminal");
    }

    @Test
    void aVersionInWhichABegunStepIsAnotherIsRefusedByItsName() {
        server.register(waiting("kept", ""));
        var id = server.start("kept");
        server.awaitRest(id);
        var steps = new String[] {
            "{name: first, service: s, method: other}, {name: go, waitForSignal: go}",
            "{name: zeroth, service: s, method: m}, {name: first, service: s, method: kept-first}, {name: go, waitForSignal: go}",
            "{name: first, service: s, method: kept-first}, {name: go, waitForSignal: went}",
            "{name: first, service: s, method: kept-first}, {parallel: [{name: go, waitForSignal: go}, {name: beside, service: s, method: m}]}",
            "{name: first, service: s, method: kept-first}"
        };
        var named = new String[] {"first", "first", "go", "beside", "go"};
        for (int i = 0; i < steps.length; i++) {
            server.register("{name: kept, steps: [%s]}".formatted(steps[i]));
            var refused = server.operator.post(SAGAS + "/" + id + "/migrate", "{'version':%d}".formatted(i + 2));
            assertThat(refused.outcome()).isEqualTo("409 saga.incompatible-version");
            assertThat(refused.text("detail")).contains("`" + named[i] + "`");
        }
        assertThat(migrate(id, 1)).isEqualTo("400 saga.invalid");
        assertThat(migrate(id, 99)).isEqualTo("404 saga.no-workflow");
        server.register("{name: kept, payload: [{name: must, type: text, required: true}], steps: ["
                + "{name: first, service: s, method: kept-first}, {name: go, waitForSignal: go}]}");
        assertThat(migrate(id, 7)).isEqualTo("422 saga.bad-payload");
        assertThat(server.saga(id).path("workflowVersion").asInt()).isEqualTo(1);
        assertThat(server.auditor
                        .post(SAGAS + "/" + id + "/migrate", "{'version':2}")
                        .outcome())
                .isEqualTo("403 saga.operators-only");
    }

    @Test
    void aSagaThatANodeWorksOnIsMovedAndTheNodeWritesNothingAnyMore() {
        server.register("{name: raced, steps: [{name: first, service: s, method: raced-first}]}");
        var hold = server.service.holds("raced-first");
        var id = server.start("raced");
        hold.awaitCall();
        server.register("{name: raced, steps: [{name: first, service: s, method: raced-first, input: {x: 1}}]}");
        assertThat(migrate(id, 2)).isEqualTo("409 saga.incompatible-version");
        server.register("{name: raced, steps: [{name: first, service: s, method: raced-first},"
                + " {name: second, service: s, method: raced-second}]}");
        assertThat(migrate(id, 3)).isEqualTo("202");
        server.service.heals("raced-first");
        hold.release();
        var ended = server.awaitStatus(id, "COMPLETED");
        assertThat(ended.path("workflowVersion").asInt()).isEqualTo(3);
        assertThat(server.service.effects()).containsOnlyOnce("raced-first", "raced-second");
        var first = server.service.calls("raced-first").stream()
                .map(StepCall::idempotencyKey)
                .distinct()
                .toList();
        assertThat(first).hasSize(1);
    }

    @Test
    void aCallThatMayHaveTakenEffectIsMadeAgainWithItsInputInAnyVersion() {
        var text =
                "{name: doubted, payload: [{name: order, type: number}%s], steps: [{name: first, service: s, method: doubted-first,"
                        + " input: {x: %d}, retry: {maxAttempts: 5, initialInterval: 1h, maxInterval: 1h}}]}";
        server.register(text.formatted("", 1));
        server.service.fails(
                "doubted-first", Failed.retryable(Text.verbatim("no answer")).asMaybeDone());
        var id = server.start("doubted");
        Awaitility.await().until(() -> server.saga(id).at("/waits/0/until").isString());
        server.register(text.formatted("", 2));
        server.register(text.formatted(", {name: more, type: text, default: x}", 1));
        assertThat(migrate(id, 2)).isEqualTo("409 saga.incompatible-version");
        assertThat(migrate(id, 3)).isEqualTo("409 saga.running");
        server.service.fails("doubted-first", Failed.retryable(Text.verbatim("refused")));
        var other = server.operator
                .post(SAGAS, "{'workflowName':'doubted','payload':{'order':7,'more':'y'}}")
                .text("id");
        Awaitility.await().until(() -> server.saga(other).at("/waits/0/until").isString());
        server.register(text.formatted("", 2));
        assertThat(migrate(other, 4)).as("it did not take effect").isEqualTo("202");
    }

    @Test
    void aSagaThatWaitsForAPlaceIsMovedAndGoesOnWaiting() {
        var text = "{name: places, maxRunning: 1, steps: [{name: go, waitForSignal: go}%s]}";
        server.register(text.formatted(""));
        var first = server.start("places");
        Awaitility.await()
                .until(() -> server.saga(first).path("waitingFor").asString("").equals("go"));
        var second = server.start("places");
        server.register(text.formatted(", {name: last, service: s, method: m}"));
        assertThat(migrate(second, 2)).isEqualTo("202");
        assertThat(server.saga(second).path("wakeAt").isNull()).isTrue();
        assertThat(server.saga(second).path("status").asString()).isEqualTo("STARTED");
        server.operator.post(SAGAS + "/" + first + "/signals/go", "{}");
        server.awaitStatus(second, "RUNNING");
    }

    @Test
    void aMovedSagaIsFoundByTheAttributesOfItsVersionAndItsFormerPayloadFitsIt() {
        server.register("{name: found, steps: [{name: go, waitForSignal: go}]}");
        var id = server.start("found");
        var path = SAGAS + "/" + id;
        server.awaitRest(id);
        server.operator.send("PATCH", path, "{'payload':{'order':8,'owner':'Ada'},'reason':'typo'}");
        var fields = "{name: found, payload: [{name: order, type: number}, {name: size, type: text, default: M}%s],"
                + " attributes: {number: {type: number, value: $.payload.order}}, steps: [{name: go, waitForSignal: go}]}";
        server.register(fields.formatted(""));
        assertThat(migrate(id, 2)).isEqualTo("202");
        assertThat(server.saga(id).path("attributes").toString()).isEqualTo("{\"number\":\"8\"}");
        server.awaitRest(id);
        var undone = server.operator.post(path + "/resolve", "{'action':'undo'}");
        assertThat(undone.json().path("payload").toString()).isEqualTo("{\"size\":\"M\",\"order\":7}");
        assertThat(server.saga(id).path("attributes").toString()).isEqualTo("{\"number\":\"7\"}");

        server.awaitRest(id);
        var changed = server.operator.send("PATCH", path, "{'payload':{'order':9,'owner':'Ada'},'reason':'typo'}");
        assertThat(changed.json().path("payload").toString())
                .as("with the defaults of the version")
                .isEqualTo("{\"size\":\"M\",\"order\":9,\"owner\":\"Ada\"}");
        server.register(fields.formatted(", {name: owner, type: text, required: true}"));
        assertThat(migrate(id, 3)).isEqualTo("202");
        server.awaitRest(id);
        assertThat(server.operator.post(path + "/resolve", "{'action':'undo'}").outcome())
                .isEqualTo("422 saga.bad-payload");
        server.register("{name: found, steps: [{name: go, waitForSignal: go}]}");
        assertThat(migrate(id, 4)).isEqualTo("202");
        assertThat(server.saga(id).path("attributes").isEmpty()).isTrue();
    }

    @Test
    void allSagasOfAFilterAreMovedAndThoseThatCannotAreLeftAlone() {
        server.register(waiting("herd", ""));
        var ids = List.of(server.start("herd"), server.start("herd"), server.start("herd"));
        ids.forEach(server::awaitRest);
        server.operator.post(SAGAS + "/" + ids.getLast() + "/signals/go", "{}");
        server.awaitStatus(ids.getLast(), "COMPLETED");
        server.register("{name: herd, steps: [{name: first, service: s, method: herd-first},"
                + " {name: go, waitForSignal: go}, {name: end, service: s, method: herd-end}]}");
        var young = server.start("herd");
        var job = server.operator.post(
                SAGAS + "/bulk", "{'action':'migrate','version':2,'filter':{'workflowName':'herd'}}");
        assertThat(job.outcome()).isEqualTo("202");
        var done = Awaitility.await()
                .until(
                        () -> server.auditor
                                .get(SAGAS + "/bulk/" + job.text("id"))
                                .json(),
                        each -> each.path("state").asString().equals("DONE"));
        assertThat(done.path("done").asInt() + "+" + done.path("refused").asInt())
                .isEqualTo("2+1");
        for (var id : ids.subList(0, 2)) {
            assertThat(server.saga(id).path("workflowVersion").asInt()).isEqualTo(2);
        }
        assertThat(server.saga(young).path("workflowVersion").asInt()).isEqualTo(2);
        for (var bad : new String[] {
            "{'action':'migrate','filter':{'workflowName':'herd'}}",
            "{'action':'migrate','version':2,'filter':{'stuck':true}}",
            "{'action':'cancel','version':2,'filter':{'workflowName':'herd'}}"
        }) {
            assertThat(server.operator.post(SAGAS + "/bulk", bad).outcome()).isEqualTo("400 saga.invalid");
        }
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
