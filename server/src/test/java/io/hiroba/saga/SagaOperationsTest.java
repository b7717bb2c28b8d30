package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepOutcome.Done;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.KeptAnswer;
import io.hiroba.testkit.ApiClient;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Sagas in trouble, as operators see and resolve them through the API. */
class SagaOperationsTest {

    private static final TestSagaServer server = new TestSagaServer();

    @BeforeAll
    static void register() {
        server.register("""
                name: stubborn
                steps:
                  - {name: reserve, service: stock, method: reserve, compensate: release}
                  - {name: build, service: stock, method: build, compensate: unbuild, retry: {maxAttempts: 1}}
                  - {name: charge, service: bank, method: charge, retry: {maxAttempts: 1}}
                """);
        server.register("""
                name: patient
                steps:
                  - {name: busy, service: stock, method: busy, retry: {maxAttempts: 5, initialInterval: 1h, maxInterval: 1h}}
                  - {name: ship, service: stock, method: ship, input: {of: $.steps.busy.id}}
                """);
        server.register("""
                name: hanging
                steps:
                  - {name: hang, service: stock, method: hang, compensate: unhang}
                  - {name: reserve, service: stock, method: reserve}
                """);
        server.register("""
                name: approval
                attributes: {order: {type: number, value: $.payload.order}}
                steps:
                  - {name: ask, waitForSignal: approve, timeout: 1h}
                  - {name: ask2, waitForSignal: approve2}
                """);
        server.register("{name: timed, steps: [{name: rest, sleep: 3s}, {name: ask, waitForSignal: go}]}");
        server.service.fails("busy", Failed.retryable(Text.verbatim("busy")));
        var json = JsonMapper.shared();
        var answer = new KeptAnswer(
                json.readTree("{\"error\":\"card declined\"}"),
                json.readTree("{\"status\":\"422\",\"requestId\":\"r-7\"}"));
        var reason = Text.of("saga.journal.answered-saying", "code", "422", "explanation", "card declined");
        server.service.fails("charge", new Failed(reason, true, null, answer, false));
        server.service.fails("unbuild", new Failed(reason, true, null, answer, false));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static String stuck() {
        var id = server.start("stubborn");
        server.awaitRest(id);
        assertThat(server.saga(id).path("stuck").asBoolean()).isTrue();
        return id;
    }

    @Test
    void aRefusedAttemptShowsWhatTheServiceAnswered() {
        var saga = server.saga(stuck());

        var attempt = saga.at("/steps/2/attempts/0");
        assertThat(attempt.path("answer").toString()).isEqualTo("{\"error\":\"card declined\"}");
        assertThat(attempt.at("/response/status").asString()).isEqualTo("422");
        assertThat(attempt.at("/response/requestId").asString()).isEqualTo("r-7");
        assertThat(attempt.path("error").asString()).isEqualTo("the service answered with 422: card declined");
        assertThat(saga.path("errorMessage").asString()).contains("card declined");
    }

    @Test
    void anAttemptSaysWhyTheAnswerOfAServiceThatSucceededIsNotKept() {
        server.register("{name: wordy, steps: [{name: tell, service: stock, method: tell}]}");
        var head = JsonMapper.shared().readTree("{\"status\":\"200\",\"notKept\":\"NO_JSON\"}");
        server.service.on("tell", call -> new Done(JsonMapper.shared().nullNode(), head));
        var id = server.start("wordy");
        server.awaitStatus(id, "COMPLETED");

        var attempt = server.saga(id).at("/steps/0/attempts/0");
        assertThat(attempt.path("status").asString()).isEqualTo("SUCCESS");
        assertThat(attempt.path("response")).isEqualTo(head);
    }

    private static ApiClient.Reply resolve(String id, String body) {
        return server.operator.post("/api/v1/sagas/" + id + "/resolve", body);
    }

    private static List<String> log(String id) {
        return server.saga(id)
                .path("steps")
                .valueStream()
                .flatMap(step -> step.path("attempts")
                        .valueStream()
                        .map(attempt -> "%s %s %d %s"
                                .formatted(
                                        attempt.path("action").asString(),
                                        step.path("name").asString(),
                                        attempt.path("number").asInt(),
                                        attempt.path("status").asString())))
                .toList();
    }

    @Test
    void aStuckCompensationIsSkippedAndTheRestIsUndone() {
        var id = stuck();
        // There is no other step to decide about, so none has to be named.
        assertThat(resolve(id, "{'action':'skip','reason':'pulled down by hand'}")
                        .outcome())
                .isEqualTo("202");
        var saga = server.awaitStatus(id, "FAILED");

        assertThat(log(id))
                .containsExactly(
                        "EXECUTE reserve 1 SUCCESS",
                        "COMPENSATE reserve 1 SUCCESS",
                        "EXECUTE build 1 SUCCESS",
                        "COMPENSATE build 1 FAILED",
                        "COMPENSATE build 2 SKIPPED",
                        "EXECUTE charge 1 FAILED");
        assertThat(saga.at("/resolutions/0/action").asString()).isEqualTo("skip");
        assertThat(saga.at("/resolutions/0/reason").asString()).isEqualTo("pulled down by hand");
        assertThat(saga.at("/resolutions/0/byName").asString()).isEqualTo("Olga");
        assertThat(server.accounts.audited(Action.SAGA_RESOLVED).getFirst().targetId())
                .isEqualTo(id);
        assertThat(resolve(id, "{'action':'fail','reason':'x'}").outcome()).isEqualTo("409 saga.terminal");
    }

    @Test
    void aStepThatIsRetriedIsMarkedAsDoneAndLaterStepsSeeItsAnswer() {
        var id = server.start("patient");
        server.awaitRest(id);
        assertThat(resolve(id, "{'action':'complete','step':'ship','reason':'x'}")
                        .outcome())
                .isEqualTo("409 saga.not-resolvable");
        assertThat(resolve(id, "{'action':'complete','step':'busy','answer':{'id':7}}")
                        .outcome())
                .isEqualTo("202");
        server.awaitStatus(id, "COMPLETED");

        assertThat(server.service.calls("ship").getLast().input().toString()).isEqualTo("{\"of\":7}");
        assertThat(log(id))
                .containsExactly("EXECUTE busy 1 FAILED", "EXECUTE busy 2 SUCCESS", "EXECUTE ship 1 SUCCESS");
    }

    @Test
    void aSagaIsEndedByHandForAReason() {
        var stuck = stuck();
        assertThat(resolve(stuck, "{'action':'fail'}").outcome()).isEqualTo("400 saga.invalid");
        assertThat(resolve(stuck, "{'action':'fail','step':'charge','reason':'x'}")
                        .outcome())
                .isEqualTo("409 saga.not-resolvable");
        var failed = resolve(stuck, "{'action':'fail','step':'build','reason':'the customer is gone'}");
        assertThat(failed.outcome()).isEqualTo("202");
        assertThat(failed.json().at("/resolutions/0/stepName").asString()).isEqualTo("build");
        assertThat(failed.text("status")).isEqualTo("FAILED");
        assertThat(failed.text("errorMessage")).isEqualTo("An operator ended it: the customer is gone");
        assertThat(log(stuck)).doesNotContain("COMPENSATE reserve 1 SUCCESS");
        assertThat(resolve(stuck, "{'action':'undo'}").outcome()).isEqualTo("409 saga.end-is-final");

        var waiting = server.start("patient");
        server.awaitRest(waiting);
        var completed = resolve(waiting, "{'action':'complete','reason':'done on paper'}");
        assertThat(completed.text("status")).isEqualTo("COMPLETED");
        assertThat(completed.json().path("wakeAt").isNull()).isTrue();
    }

    /** The node that makes the call still has the saga: what it writes afterwards is refused. */
    private static boolean isAwaited(String id, int step) {
        var key = "%s:%d:EXECUTE".formatted(id, step);
        return server.accounts
                .db
                .read(reads -> new OpenCallStore().awaited(reads, List.of(key)))
                .contains(key);
    }

    @Test
    void aCallOfASagaThatIsBeingUndoneIsNotAwaited() {
        var hold = server.service.holds("hang");
        var id = server.start("hanging");
        hold.awaitCall();
        server.operator.post("/api/v1/sagas/" + id + "/cancel", "");
        assertThat(isAwaited(id, 0)).isFalse();
        hold.release();
        server.awaitStatus(id, "CANCELLED");
    }

    @Test
    void aDecisionWinsOverANodeThatWorksOnTheSaga() {
        var hold = server.service.holds("hang");
        var id = server.start("hanging");
        hold.awaitCall();
        assertThat(server.operator
                        .send("PATCH", "/api/v1/sagas/" + id, "{'payload':{},'reason':'x'}")
                        .outcome())
                .isEqualTo("409 saga.running");
        assertThat(isAwaited(id, 0)).isTrue();
        assertThat(resolve(id, "{'action':'skip','step':'hang','reason':'hangs'}")
                        .outcome())
                .isEqualTo("202");
        assertThat(isAwaited(id, 0)).as("its answer is of no use any more").isFalse();
        server.awaitStatus(id, "COMPLETED");
        hold.release();

        server.awaitRest(id);
        assertThat(log(id)).containsExactly("EXECUTE hang 1 SKIPPED", "EXECUTE reserve 1 SUCCESS");
    }

    @Test
    void aDecisionIsUndoneWhileNothingFollowed() {
        var id = server.start("approval");
        server.awaitRest(id);
        assertThat(resolve(id, "{'action':'undo'}").outcome()).isEqualTo("409 saga.nothing-to-undo");
        assertThat(resolve(id, "{'action':'skip','step':'ask','reason':'x'}").outcome())
                .isEqualTo("202");
        Awaitility.await()
                .until(() -> server.saga(id).at("/waits/0/signal").asString("").equals("approve2"));
        server.awaitRest(id);
        assertThat(server.operator
                        .post("/api/v1/sagas/" + id + "/signals/approve", "{}")
                        .outcome())
                .as("nothing waits for it any more")
                .isEqualTo("409 saga.signal-too-late");
        assertThat(resolve(id, "{'action':'undo','reason':'wrong saga'}").outcome())
                .isEqualTo("202");
        Awaitility.await()
                .until(() -> server.saga(id).at("/waits/0/signal").asString("").equals("approve"));
        server.awaitRest(id);

        assertThat(server.operator
                        .post("/api/v1/sagas/" + id + "/signals/approve", "{}")
                        .outcome())
                .isEqualTo("202");
        Awaitility.await()
                .until(() -> server.saga(id).at("/waits/0/signal").asString("").equals("approve2"));
        assertThat(log(id)).containsExactly("EXECUTE ask 1 SKIPPED", "EXECUTE ask 2 FAILED", "EXECUTE ask 3 SUCCESS");
        server.awaitRest(id);
        assertThat(resolve(id, "{'action':'undo'}").outcome()).isEqualTo("409 saga.nothing-to-undo");
    }

    @Test
    void aTimerThatIsOpenAgainEndsAtItsTime() {
        var id = server.start("timed");
        server.awaitRest(id);
        resolve(id, "{'action':'complete','step':'rest'}");
        Awaitility.await()
                .until(() -> server.saga(id).at("/waits/0/signal").asString("").equals("go"));
        server.awaitRest(id);
        assertThat(resolve(id, "{'action':'undo'}").outcome()).isEqualTo("202");

        Awaitility.await().until(() -> log(id).contains("EXECUTE rest 3 SUCCESS"));
        Awaitility.await()
                .until(() -> server.saga(id).at("/waits/0/signal").asString("").equals("go"));
    }

    @Test
    void thePayloadIsChangedForTheCallsToComeAndChangedBack() {
        var id = server.start("approval");
        server.awaitRest(id);
        var path = "/api/v1/sagas/" + id;
        assertThat(server.operator
                        .send("PATCH", path, "{'payload':{'order':8},'reason':''}")
                        .outcome())
                .isEqualTo("400 saga.invalid");
        assertThat(server.operator
                        .send("PATCH", path, "{'payload':{'order':8},'reason':'a typo'}")
                        .json()
                        .path("payload")
                        .toString())
                .isEqualTo("{\"order\":8}");
        assertThat(server.saga(id).at("/resolutions/0/formerPayload").toString())
                .isEqualTo("{\"order\":7}");
        assertThat(server.saga(id).at("/attributes/order").asString()).isEqualTo("8");
        assertThat(server.operator
                        .send("PATCH", path, "{'payload':{'order':'x'},'reason':'none'}")
                        .outcome())
                .isEqualTo("400 saga.invalid");
        assertThat(resolve(id, "{'action':'undo'}").json().path("payload").toString())
                .isEqualTo("{\"order\":7}");
        assertThat(server.saga(id).at("/attributes/order").asString()).isEqualTo("7");
        assertThat(server.accounts
                        .audited(Action.SAGA_PAYLOAD_CHANGED)
                        .getFirst()
                        .targetId())
                .isEqualTo(id);
    }

    @Test
    void whoeverIsNoOperatorAndWhatMakesNoSenseIsRefused() {
        var id = stuck();
        var skip = "{'action':'skip','step':'build','reason':'x'}";
        assertThat(server.auditor.post("/api/v1/sagas/" + id + "/resolve", skip).outcome())
                .isEqualTo("403 saga.operators-only");
        assertThat(server.auditor
                        .send("PATCH", "/api/v1/sagas/" + id, "{'payload':1,'reason':'x'}")
                        .outcome())
                .isEqualTo("403 saga.operators-only");
        assertThat(resolve(UUID.randomUUID().toString(), skip).outcome()).isEqualTo("404 saga.not-found");
        assertThat(resolve(id, "{'action':'skip','step':'missing'}").outcome()).isEqualTo("404 saga.no-step");
        assertThat(resolve(id, "{'action':'skip','step':'reserve'}").outcome()).isEqualTo("409 saga.not-resolvable");
        assertThat(resolve(id, "{'action':'jump','step':'build'}").outcome()).isEqualTo("400 saga.invalid");
        assertThat(resolve(id, "{'action':'skip','step':'build','answer':1}").outcome())
                .isEqualTo("400 saga.invalid");
        assertThat(server.saga(id).path("stuck").asBoolean()).isTrue();
    }

    @Test
    void theListSaysWhoStartedASagaAndHowManyThereAreOfEachWorkflow() {
        var before = Instant.now().minusSeconds(5);
        var id = server.start("hanging");
        server.awaitStatus(id, "COMPLETED");
        var list = server.auditor
                .get("/api/v1/sagas?status=COMPLETED&workflowName=hanging&totals=true&from=" + before)
                .json();
        assertThat(list.at("/items/0/initiatedByName").asString()).isEqualTo("Olga");
        assertThat(list.at("/totals/workflows/hanging/count").asInt()).isPositive();
        assertThat(list.at("/totals/statuses/COMPLETED/count").asInt()).isPositive();
        assertThat(server.saga(id).path("initiatedByName").asString()).isEqualTo("Olga");
    }

    @Test
    void theEventOfAStuckSagaSaysWhatTheServiceAnswered() {
        var id = stuck();
        List<String> reasons = server.accounts.db.read(
                reads -> reads.query("""
                        SELECT payload ->> 'reason' FROM platform.event_logs
                        WHERE payload ->> 'type' = 'saga-stuck' AND payload ->> 'sagaId' = :id
                        """).bind("id", id).mapTo(String.class).list());
        assertThat(reasons).containsExactly("card declined");
    }
}
