package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestService;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Sagas as programs start, see and direct them. */
class SagaApiTest {

    private static final TestSagaServer server = new TestSagaServer();

    @BeforeAll
    static void register() {
        server.register("""
                name: order
                steps:
                  - {name: reserve, service: stock, method: reserve, compensate: release}
                  - {name: charge, service: bank, method: charge, input: {by: $.steps.reserve.by, order: $.payload.order}}
                """);
        server.register("""
                name: failing
                steps:
                  - {name: reserve, service: stock, method: reserve, compensate: release}
                  - {name: note, service: stock, method: note}
                  - {name: fail, service: bank, method: fail, retry: {maxAttempts: 2, initialInterval: 1ms}}
                """);
        server.register("""
                name: approval
                steps:
                  - {name: reserve, service: stock, method: reserve, compensate: release}
                  - {name: ask, waitForSignal: approve, timeout: 1h}
                  - {name: ship, service: stock, method: ship}
                """);
        server.register("""
                name: stubborn
                steps:
                  - {name: build, service: stock, method: build, compensate: unbuild, retry: {maxAttempts: 1}}
                  - {name: ask, waitForSignal: approve}
                """);
        server.register("""
                name: patient
                steps:
                  - {name: busy, service: stock, method: busy, retry: {maxAttempts: 5, initialInterval: 1h, maxInterval: 1h}}
                """);
        server.service.fails("fail", Failed.retryable(Text.verbatim("no money")));
        server.service.fails("busy", Failed.retryable(Text.verbatim("busy")));
        server.service.fails("unbuild", Failed.nonRetryable(Text.verbatim("it stands")));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static List<String> texts(JsonNode list, String... fields) {
        var all = new ArrayList<String>();
        for (var item : list) {
            var parts = new ArrayList<String>();
            for (var field : fields) {
                parts.add(item.path(field).asString(""));
            }
            all.add(String.join(" ", parts));
        }
        return all;
    }

    @Test
    void aSagaIsStartedAtOnceAndToldWithAllItsAttempts() {
        var reply = server.operator
                .with("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .post("/api/v1/sagas", "{'workflowName':'order','payload':{'order':7},'correlationId':'o-7'}");
        assertThat(reply.status()).isEqualTo(201);
        var id = reply.text("id");
        assertThat(reply.header("Location")).isEqualTo("/api/v1/sagas/" + id);
        assertThat(reply.body())
                .isEqualTo("{\"id\":\"%s\",\"workflowName\":\"order\",\"correlationId\":\"o-7\",\"status\":\"STARTED\"}"
                        .formatted(id));
        var saga = server.awaitStatus(id, "COMPLETED");
        assertThat(saga.path("workflowVersion").asInt()).isEqualTo(1);
        assertThat(saga.path("initiatedBy").asString()).isEqualTo(server.operatorId.hex());
        assertThat(saga.path("payload").toString()).isEqualTo("{\"order\":7}");
        assertThat(saga.path("waits").isEmpty()).isTrue();
        var steps = saga.path("steps");
        assertThat(texts(steps, "name", "phase", "service", "method", "timeout"))
                .containsExactly("reserve DONE stock reserve 30s", "charge DONE bank charge 30s");
        var charge = steps.path(1).path("attempts").path(0);
        assertThat(charge.path("number").asInt()).isEqualTo(1);
        assertThat(charge.path("action").asString()).isEqualTo("EXECUTE");
        assertThat(charge.path("request").toString()).isEqualTo("{\"by\":\"reserve\",\"order\":7}");
        assertThat(charge.path("answer").path("by").asString()).isEqualTo("charge");
        assertThat(steps.path(0).path("attempts").path(0).path("request").isNull())
                .isTrue();
        var call = server.service.calls("charge").stream()
                .filter(each -> each.saga().toString().equals(id))
                .findFirst()
                .orElseThrow();
        assertThat(call.traceparent()).startsWith("00-0af7651916cd43dd8448eb211c80319c");
    }

    @Test
    void aRepeatWithTheSameKeyStartsNothing() {
        var keyed = server.operator.with("Idempotency-Key", UUID.randomUUID().toString());
        var body = "{'workflowName':'order','payload':{'order':8},'correlationId':'once'}";
        var first = keyed.post("/api/v1/sagas", body);
        var again = keyed.post("/api/v1/sagas", body);
        assertThat(first.status()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(keyed.post("/api/v1/sagas", "{'workflowName':'failing'}").outcome())
                .isEqualTo("422 http.idempotency-mismatch");
        assertThat(server.auditor.get("/api/v1/sagas?correlationId=once").json().path("items"))
                .hasSize(1);
        server.awaitStatus(first.text("id"), "COMPLETED");
    }

    @Test
    void whatFailedIsToldStepByStep() {
        var saga = server.awaitStatus(server.start("failing"), "FAILED");
        assertThat(texts(saga.path("steps"), "name", "phase"))
                .containsExactly("reserve COMPENSATED", "note COMPENSATED", "fail FAILED");
        assertThat(texts(saga.path("steps").path(0).path("attempts"), "action", "status"))
                .containsExactly("EXECUTE SUCCESS", "COMPENSATE SUCCESS");
        assertThat(texts(saga.path("steps").path(1).path("attempts"), "action", "status"))
                .containsExactly("EXECUTE SUCCESS", "COMPENSATE SKIPPED");
        assertThat(texts(saga.path("steps").path(2).path("attempts"), "number", "status", "error"))
                .containsExactly("1 FAILED no money", "2 FAILED no money");
        assertThat(saga.path("errorMessage").asString()).isEqualTo("Step `fail` failed after 2 attempts: no money.");
        var japanese = server.auditor.with("Accept-Language", "ja");
        var told = "ステップ「fail」が2回の試行後に失敗しました：no money。";
        assertThat(japanese.get("/api/v1/sagas/" + saga.path("id").asString()).text("errorMessage"))
                .isEqualTo(told);
        assertThat(japanese.get("/api/v1/sagas?status=FAILED").body()).contains(told);
    }

    @Test
    void aSagaWaitsForASignalAndSaysSo() {
        var id = server.start("approval");
        server.awaitStatus(id, "RUNNING");
        var waiting = server.awaitRest(id);
        assertThat(texts(waiting.path("waits"), "cause", "stepName", "signal")).containsExactly("SIGNAL ask approve");
        assertThat(waiting.path("waits").path(0).path("until").isNull()).isFalse();
        assertThat(texts(waiting.path("steps"), "name", "phase", "waitForSignal"))
                .containsExactly("reserve DONE ", "ask PENDING approve", "ship PENDING ");
        var path = "/api/v1/sagas/" + id + "/signals/";
        assertThat(server.operator.post(path + "other", "").outcome()).isEqualTo("404 saga.no-signal");
        assertThat(server.operator.post(path + "approve", "{'by':'Olga'}").outcome())
                .isEqualTo("202");
        var done = server.awaitStatus(id, "COMPLETED");
        assertThat(done.path("steps")
                        .path(1)
                        .path("attempts")
                        .path(0)
                        .path("answer")
                        .toString())
                .isEqualTo("{\"by\":\"Olga\"}");
        assertThat(server.operator.post(path + "approve", "").outcome()).isEqualTo("409 saga.terminal");
    }

    @Test
    void aWaitForARetryIsToldWithItsTime() {
        var id = server.start("patient");
        var waiting = server.awaitRest(id);
        assertThat(texts(waiting.path("waits"), "cause", "stepName")).containsExactly("RETRY busy");
        assertThat(waiting.path("steps").path(0).path("phase").asString()).isEqualTo("RETRYING");
        assertThat(waiting.path("waits").path(0).path("until"))
                .isEqualTo(
                        waiting.path("steps").path(0).path("attempts").path(0).path("retryAt"));
        var cancelled = server.operator.post("/api/v1/sagas/" + id + "/cancel", "");
        assertThat(cancelled.outcome()).isEqualTo("202");
        assertThat(cancelled.text("id")).isEqualTo(id);
        server.awaitStatus(id, "CANCELLED");
        assertThat(server.operator.post("/api/v1/sagas/" + id + "/cancel", "").outcome())
                .isEqualTo("409 saga.terminal");
    }

    @Test
    void whatCannotBeUndoneIsStuckUntilSomebodyHasItTriedAgain() {
        var id = server.start("stubborn");
        server.awaitStatus(id, "RUNNING");
        server.awaitRest(id);
        assertThat(server.operator.post("/api/v1/sagas/" + id + "/retry", "").outcome())
                .isEqualTo("409 saga.not-stuck");
        assertThat(server.operator
                        .post("/api/v1/sagas/" + id + "/compensate", "")
                        .outcome())
                .isEqualTo("202");
        assertThat(server.accounts.audited(Action.SAGA_COMPENSATED).getFirst().targetId())
                .isEqualTo(id);
        server.awaitStatus(id, "COMPENSATING");
        var stuck = server.awaitRest(id);
        assertThat(stuck.path("stuck").asBoolean()).isTrue();
        assertThat(texts(stuck.path("waits"), "cause")).containsExactly("OPERATOR");
        assertThat(stuck.path("steps").path(0).path("phase").asString()).isEqualTo("STUCK");
        assertThat(texts(server.auditor.get("/api/v1/sagas?stuck=true").json().path("items"), "id"))
                .containsExactly(id);
        for (var act : List.of("/cancel", "/compensate")) {
            assertThat(server.operator.post("/api/v1/sagas/" + id + act, "").outcome())
                    .isEqualTo("409 saga.stuck");
        }
        server.service.on("unbuild", TestService::done);
        assertThat(server.operator.post("/api/v1/sagas/" + id + "/retry", "").outcome())
                .isEqualTo("202");
        server.awaitStatus(id, "FAILED");
        server.service.fails("unbuild", Failed.nonRetryable(Text.verbatim("it stands")));
    }

    @Test
    void whatIsBeingUndoneIsNotTurnedAroundOnceMore() {
        var hold = server.service.holds("release");
        var id = server.start("approval");
        server.awaitStatus(id, "RUNNING");
        assertThat(server.operator.post("/api/v1/sagas/" + id + "/cancel", "").outcome())
                .isEqualTo("202");
        hold.awaitCall();
        for (var act : List.of("/cancel", "/compensate", "/signals/approve")) {
            assertThat(server.operator.post("/api/v1/sagas/" + id + act, "").outcome())
                    .isEqualTo("409 saga.compensating");
        }
        hold.release();
        server.awaitStatus(id, "CANCELLED");
        server.service.heals("release");
    }

    @Test
    void hirobasOwnSagasAreNotForOperatorsToTurnAround() {
        var id = UUID.randomUUID().toString();
        server.accounts.db.useTransaction(tx -> tx.update("""
                INSERT INTO saga.saga_states (id, workflow_name, workflow_version, payload)
                VALUES ('%s', 'hiroba.account-deletion', 1, '{}')
                """.formatted(id)).execute());
        for (var act : List.of("/cancel", "/compensate")) {
            for (var caller : List.of(server.operator, server.admin)) {
                assertThat(caller.post("/api/v1/sagas/" + id + act, "").outcome())
                        .isEqualTo("403 saga.own-workflow");
            }
        }
        assertThat(server.admin
                        .post("/api/v1/sagas/" + id + "/resolve", "{'action':'fail','reason':'x'}")
                        .outcome())
                .isEqualTo("403 saga.own-workflow");
        assertThat(server.saga(id).path("status").asString()).isEqualTo("STARTED");
    }

    @Test
    void whoStartsASagaIsItsInitiatorWhateverTheRequestSays() {
        assertThat(server.operator
                        .post("/api/v1/sagas", "{'workflowName':'order','initiatedBy':'shop'}")
                        .outcome())
                .isEqualTo("400 http.unknown-field");
        var saga = server.saga(server.start("order"));
        assertThat(saga.path("initiatedBy").asString()).isEqualTo(server.operatorId.hex());
        server.awaitStatus(saga.path("id").asString(), "COMPLETED");
    }

    @Test
    void auditorsReadOperatorsActAndOthersAreKeptOut() {
        var id = server.start("approval");
        server.awaitStatus(id, "RUNNING");
        var saga = "/api/v1/sagas/" + id;
        for (var path : List.of("/api/v1/sagas", saga, "/api/v1/saga-steps")) {
            assertThat(server.anonymous.get(path).outcome()).isEqualTo("401 accounts.not-signed-in");
            assertThat(server.member.get(path).outcome()).isEqualTo("403 saga.auditors-only");
            for (ApiClient reader : List.of(server.auditor, server.operator, server.admin)) {
                assertThat(reader.get(path).outcome()).isEqualTo("200");
            }
        }
        for (var act : List.of("/cancel", "/compensate", "/retry", "/signals/approve")) {
            assertThat(server.anonymous.post(saga + act, "").outcome()).isEqualTo("401 accounts.not-signed-in");
            assertThat(server.member.post(saga + act, "").outcome()).isEqualTo("403 saga.operators-only");
            assertThat(server.auditor.post(saga + act, "").outcome()).isEqualTo("403 saga.operators-only");
        }
        var start = "{'workflowName':'order'}";
        assertThat(server.anonymous.post("/api/v1/sagas", start).outcome()).isEqualTo("401 accounts.not-signed-in");
        for (ApiClient other : List.of(server.member, server.auditor)) {
            assertThat(other.post("/api/v1/sagas", start).outcome()).isEqualTo("403 saga.operators-only");
            assertThat(other.with("Idempotency-Key", "k")
                            .post("/api/v1/sagas", start)
                            .outcome())
                    .isEqualTo("403 saga.operators-only");
        }
        assertThat(server.operator.post(saga + "/cancel", "").outcome()).isEqualTo("202");
    }

    @Test
    void whatOperatorsDoToASagaIsOnTheAuditLog() {
        var id = server.start("approval");
        server.awaitStatus(id, "RUNNING");
        server.awaitRest(id);
        var path = "/api/v1/sagas/" + id;
        assertThat(server.operator
                        .post(path + "/signals/approve", "{'by':'secret'}")
                        .outcome())
                .isEqualTo("202");
        var other = server.start("approval");
        assertThat(server.operator
                        .post("/api/v1/sagas/" + other + "/cancel", "")
                        .outcome())
                .isEqualTo("202");
        var cancelled = server.accounts.audited(Action.SAGA_CANCELLED).getFirst();
        assertThat(cancelled.targetId()).isEqualTo(other);
        assertThat(cancelled.detail()).isEqualTo("approval");
        assertThat(cancelled.by()).isEqualTo(new AuditLog.Person(server.operatorId, "Olga"));
        assertThat(cancelled.via()).isEqualTo("token");
        assertThat(cancelled.address()).isEqualTo("127.0.0.1");
        assertThat(cancelled.after()).contains("compensating");
        var signalled = server.accounts.audited(Action.SAGA_SIGNALLED).getFirst();
        assertThat(signalled.after()).contains("approve").doesNotContain("secret");
    }

    @Test
    void aSagaStaysOnTheVersionItStartedWith() {
        var text =
                "name: moving\nsteps:\n  - {name: ask, waitForSignal: go}\n  - {name: act, service: s, method: %s}\n";
        server.register(text.formatted("act-one"));
        var first = server.start("moving");
        server.register(text.formatted("act-two"));
        var second = server.start("moving");
        for (var id : List.of(first, second)) {
            assertThat(server.operator
                            .post("/api/v1/sagas/" + id + "/signals/go", "{}")
                            .outcome())
                    .isEqualTo("202");
        }
        assertThat(server.awaitStatus(first, "COMPLETED")
                        .path("workflowVersion")
                        .asInt())
                .isEqualTo(1);
        assertThat(server.awaitStatus(second, "COMPLETED")
                        .path("workflowVersion")
                        .asInt())
                .isEqualTo(2);
        assertThat(server.service.calls("act-one"))
                .extracting(call -> call.saga().toString())
                .containsExactly(first);
        assertThat(server.service.calls("act-two"))
                .extracting(call -> call.saga().toString())
                .containsExactly(second);
    }

    @Test
    void whatIsNotThereOrMakesNoSenseIsRefused() {
        var api = server.operator;
        assertThat(api.get("/api/v1/sagas/nonsense").outcome()).isEqualTo("400 id.malformed");
        assertThat(api.get("/api/v1/sagas/" + UUID.randomUUID()).outcome()).isEqualTo("404 saga.not-found");
        assertThat(api.post("/api/v1/sagas/" + UUID.randomUUID() + "/cancel", "")
                        .outcome())
                .isEqualTo("404 saga.not-found");
        assertThat(api.post("/api/v1/sagas", "{'workflowName':'unknown'}").outcome())
                .isEqualTo("404 saga.no-workflow");
        assertThat(api.post("/api/v1/sagas", "{'workflowName':'hiroba.delete-account'}")
                        .outcome())
                .isEqualTo("403 saga.own-workflow");
        assertThat(api.post("/api/v1/sagas", "{'payload':{}}").outcome()).isEqualTo("400 http.missing-field");
        assertThat(api.post("/api/v1/sagas", "{'workflowName':'order','priority':10}")
                        .outcome())
                .isEqualTo("400 saga.invalid");
        assertThat(api.post("/api/v1/sagas", "{'workflowName':'order','correlationId':'%s'}".formatted("x".repeat(256)))
                        .outcome())
                .isEqualTo("400 saga.invalid");
        assertThat(api.post("/api/v1/sagas", "{'workflowName':'order','payload':1e999999}")
                        .outcome())
                .isEqualTo("400 saga.invalid");
        assertThat(api.get("/api/v1/sagas?status=DONE").outcome()).isEqualTo("400 http.invalid");
        assertThat(api.get("/api/v1/sagas?stuck=maybe").outcome()).isEqualTo("400 http.invalid");
        assertThat(api.get("/api/v1/sagas?after=x").outcome()).isEqualTo("400 http.bad-cursor");
        for (var time : List.of("yesterday", "-999999999-01-01T00:00:00Z", "%2B999999999-01-01T00:00:00Z")) {
            assertThat(api.get("/api/v1/saga-steps?from=" + time).outcome()).isEqualTo("400 http.invalid");
            assertThat(api.get("/api/v1/saga-steps?to=" + time).outcome()).isEqualTo("400 http.invalid");
        }
    }
}
