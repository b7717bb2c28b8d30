package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.AuditLog.Action;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Schedules as programs keep them. */
class ScheduleApiTest {

    private static final String PATH = "/api/v1/schedules";
    private static final TestSagaServer server = new TestSagaServer();

    @BeforeAll
    static void register() {
        server.register("{name: report, steps: [{name: write, service: paper, method: write}]}");
        server.register("{name: slow, steps: [{name: wait, waitForSignal: go}]}");
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static String create(String body) {
        var reply = server.operator.post(PATH, body);
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("201");
        assertThat(reply.header("Location")).isEqualTo(PATH + "/" + reply.text("id"));
        return PATH + "/" + reply.text("id");
    }

    @Test
    void aWorkflowThatWantsTheDueTimeIsScheduled() {
        server.register(
                "{name: dated, payload: [{name: scheduledAt, type: text, required: true},"
                        + " {name: pages, type: number, required: true}], steps: [{name: write, service: paper, method: write}]}");
        var text = "{'name':'Dated','workflow':'dated','every':'PT1H','payload':%s}";
        assertThat(server.operator.post(PATH, text.formatted("{}")).outcome()).isEqualTo("422 saga.bad-payload");
        var path = create(text.formatted("{'pages':3}"));
        var saga = server.operator.post(path + "/trigger", "").text("id");
        assertThat(server.awaitStatus(saga, "COMPLETED")
                        .at("/payload/scheduledAt")
                        .isString())
                .isTrue();
    }

    @Test
    void aScheduleIsMadeReadChangedAndDeleted() {
        var path = create(
                "{'name':'Working days','workflow':'report','cron':'0 9 * * 1-5','timeZone':'Europe/Berlin','payload':{'pages':3}}");
        var made = server.auditor.get(path).json();
        assertThat(made.path("description").asString()).isEqualTo("Monday to Friday at 09:00");
        assertThat(made.path("next").size()).isEqualTo(5);
        assertThat(made.path("overlap").asString() + made.path("catchUp").asString())
                .isEqualTo("skipnone");
        assertThat(server.auditor
                        .with("Accept-Language", "ja")
                        .get(path)
                        .json()
                        .path("description")
                        .asString())
                .isEqualTo("月曜日から金曜日の 09:00");
        var changed = server.operator
                .send("PATCH", path, "{'cron':null,'every':'PT5M','overlap':'queue','timeZone':null}")
                .json();
        assertThat(changed.path("description").asString()).isEqualTo("Every 5 minutes");
        assertThat(changed.path("cron").isNull()).isTrue();
        assertThat(changed.path("timeZone").asString()).isEqualTo("UTC");
        assertThat(changed.path("payload").path("pages").asInt()).isEqualTo(3);
        var paused = server.operator.post(path + "/pause", "{'note':'summer'}").json();
        assertThat(paused.path("paused").asBoolean()).isTrue();
        assertThat(paused.path("note").asString()).isEqualTo("summer");
        assertThat(paused.path("next").isEmpty()).isTrue();
        var resumed = server.operator.post(path + "/resume", "").json();
        assertThat(resumed.path("next").size()).isEqualTo(5);
        assertThat(server.auditor.get(PATH).json().path("items").toString()).contains("Working days");
        assertThat(server.operator.delete(path).outcome()).isEqualTo("204");
        assertThat(server.operator.get(path).outcome()).isEqualTo("404 saga.no-schedule");
        for (var action : new Action[] {
            Action.SCHEDULE_CREATED,
            Action.SCHEDULE_CHANGED,
            Action.SCHEDULE_PAUSED,
            Action.SCHEDULE_RESUMED,
            Action.SCHEDULE_DELETED
        }) {
            assertThat(server.accounts.audited(action)).as(action.code()).isNotEmpty();
        }
    }

    @Test
    void aSagaHasThePriorityOfItsSchedule() {
        var path = create("{'name':'Urgent','workflow':'report','every':'PT1H','priority':8}");
        assertThat(server.auditor.get(path).json().path("priority").asInt()).isEqualTo(8);
        var urgent = server.operator.post(path + "/trigger", "").text("id");
        assertThat(server.awaitStatus(urgent, "COMPLETED").path("priority").asInt())
                .isEqualTo(8);
        assertThat(server.operator
                        .send("PATCH", path, "{'priority':null}")
                        .json()
                        .path("priority")
                        .asInt())
                .isEqualTo(5);
        var usual = server.operator.post(path + "/trigger", "").text("id");
        assertThat(server.saga(usual).path("priority").asInt()).isEqualTo(5);
        var refused = server.operator.send("PATCH", path, "{'priority':10}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("priority").contains("9");
    }

    @Test
    void aRunIsTriggeredOnceAndFoundByItsSchedule() {
        var path = create("{'name':'By hand','workflow':'slow','cron':'@yearly'}");
        var keyed = server.operator.with("Idempotency-Key", UUID.randomUUID().toString());
        var run = keyed.post(path + "/trigger", "");
        assertThat(run.outcome()).as(run.body()).isEqualTo("201");
        assertThat(keyed.post(path + "/trigger", "").body()).isEqualTo(run.body());
        assertThat(run.text("correlationId")).startsWith("schedule:");
        assertThat(server.operator.post(path + "/trigger", "").outcome()).isEqualTo("409 saga.schedule-running");
        server.start("report");
        var id = path.substring(path.lastIndexOf('/') + 1);
        var found = server.auditor.get("/api/v1/sagas?schedule=" + id).json().path("items");
        assertThat(found.size()).isEqualTo(1);
        assertThat(found.path(0).path("id").asString()).isEqualTo(run.text("id"));
        var filtered = "/api/v1/sagas?workflowName=slow&correlationId=%s&stuck=false&schedule=%s&status=COMPLETED";
        assertThat(server.auditor
                        .get(filtered.formatted(run.text("correlationId"), id))
                        .json()
                        .path("items")
                        .size())
                .isZero();
        var last = server.auditor.get(path).json().path("lastRun");
        assertThat(last.path("sagaId").asString()).isEqualTo(run.text("id"));
    }

    /** What goes on as another saga is still the run that no other overlaps with. */
    @Test
    void aRunThatGoesOnAsAnotherSagaIsStillOpen() {
        server.register("""
                name: chained
                steps:
                  - {name: write, service: paper, method: write}
                  - {name: next, continueAsNew: {workflow: slow}}
                """);
        var path = create("{'name':'Chained','workflow':'chained','cron':'@yearly'}");
        var first = server.operator.post(path + "/trigger", "").text("id");
        server.awaitStatus(first, "COMPLETED");
        var next = server.saga(first).at("/continuedAs").asString();
        assertThat(server.operator.post(path + "/trigger", "").outcome()).isEqualTo("409 saga.schedule-running");
        assertThat(server.auditor.get(path).json().at("/lastRun/sagaId").asString())
                .isEqualTo(next);
    }

    /** Whoever has locked a run holds back neither its schedule nor others. */
    @Test
    void aRunThatIsReplacedIsCancelledAfterItsScheduleHasMovedOn() throws InterruptedException {
        var path = create("{'name':'Replacing','workflow':'slow','cron':'@yearly','overlap':'cancel-previous'}");
        var run = server.operator.post(path + "/trigger", "").text("id");
        server.awaitStatus(run, "RUNNING");
        server.awaitRest(run);
        var locked = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var holder = Thread.ofVirtual()
                .start(() -> server.accounts.db.useTransaction(tx -> {
                    tx.query("SELECT id FROM saga.saga_states WHERE id = CAST(:id AS uuid) FOR UPDATE")
                            .bind("id", run)
                            .mapTo(String.class)
                            .list();
                    locked.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
        locked.await();
        try {
            due("Replacing");
            Awaitility.await()
                    .until(() -> server.accounts.db.read(reads -> reads.query(
                                    "SELECT waiting_at IS NOT NULL FROM saga.schedules WHERE name = 'Replacing'")
                            .mapTo(Boolean.class)
                            .one()));
        } finally {
            release.countDown();
            holder.join();
        }
        server.awaitStatus(run, "CANCELLED");
        Awaitility.await()
                .until(() -> !server.auditor
                        .get(path)
                        .json()
                        .at("/lastRun/sagaId")
                        .asString()
                        .equals(run));
    }

    @Test
    void withoutTheRoleOfItsOwnerAScheduleStartsNothingUntilAnOperatorTakesItOver() {
        var temp = server.accounts.user("Temp");
        server.roles.grant(server.accounts.caller(server.adminId), temp, SagaRole.OPERATOR);
        var reply = server.as(temp).post(PATH, "{'name':'Temporary','workflow':'report','cron':'@yearly'}");
        var path = PATH + "/" + reply.text("id");
        assertThat(reply.text("owner")).isEqualTo(temp.hex());
        server.roles.revoke(server.accounts.caller(server.adminId), temp);
        due("Temporary");
        Awaitility.await()
                .until(() -> server.auditor
                        .get(path)
                        .json()
                        .path("error")
                        .asString("")
                        .contains("not an operator"));
        assertThat(server.auditor.get(path).json().path("lastRun").isNull()).isTrue();
        assertThat(server.operator.send("PATCH", path, "{'payload':{}}").text("owner"))
                .isEqualTo(server.operatorId.hex());
        due("Temporary");
        Awaitility.await()
                .until(() -> !server.auditor.get(path).json().path("lastRun").isNull());
        assertThat(server.auditor.get(path).json().path("error").isNull()).isTrue();
    }

    /** Makes a schedule due, and lets the scheduler know by another one. */
    private static void due(String name) {
        server.accounts.db.useTransaction(tx -> tx.update(
                        "UPDATE saga.schedules SET next_at = now() - interval '1 s', handled_until = NULL WHERE name = :name")
                .bind("name", name)
                .execute());
        create("{'name':'Wakes %s','workflow':'report','cron':'@yearly'}".formatted(UUID.randomUUID()));
    }

    @Test
    void whatMakesNoSenseIsRefusedByItsField() {
        create("{'name':'Taken','workflow':'report','every':'PT1H'}");
        assertThat(server.operator
                        .post(PATH, "{'name':'Taken','workflow':'report','every':'PT1H'}")
                        .outcome())
                .isEqualTo("409 saga.schedule-taken");
        var other = create("{'name':'Other','workflow':'report','every':'PT1H'}");
        assertThat(server.operator.send("PATCH", other, "{'name':'Taken'}").outcome())
                .isEqualTo("409 saga.schedule-taken");
        assertThat(server.operator.send("PATCH", other, "{'nam':'Taken'}").outcome())
                .startsWith("400");
        assertThat(refusal("'workflow':'none','cron':'@daily'")).isEqualTo("404 saga.no-workflow");
        assertThat(refusal("'workflow':'hiroba.account-deletion','cron':'@daily'"))
                .isEqualTo("403 saga.own-workflow");
        for (var wrong : new String[] {
            "'cron':'61 * * * *'",
            "'cron':'0 0 30 2 *'",
            "'cron':'@daily','every':'PT5M'",
            "'timeZone':'UTC'",
            "'cron':'@daily','timeZone':'Middle/Earth'",
            "'every':'PT0.5S'",
            "'every':'P999D'",
            "'every':'five'",
            "'cron':'@daily','overlap':'maybe'",
            "'cron':'@daily','catchUp':'some'",
            "'cron':'@daily','startAt':'tomorrow'",
            "'cron':'@daily','startAt':'2030-01-01T00:00:00Z','endAt':'2029-01-01T00:00:00Z'"
        }) {
            assertThat(refusal("'workflow':'report'," + wrong)).as(wrong).isEqualTo("400 saga.invalid");
        }
        var daily = "{'name':'x','workflow':'report','cron':'@daily',%s}";
        assertThat(server.operator
                        .post(PATH, daily.formatted("'catchUpWindow':'PT1S'"))
                        .body())
                .contains("from one minute to 366 days");
        assertThat(server.operator
                        .post(PATH, daily.formatted("'endAt':'2020-01-01T00:00:00Z'"))
                        .body())
                .contains("leaves no due time");
        assertThat(server.operator.get(PATH + "/x").outcome()).isEqualTo("400 id.malformed");
    }

    private static String refusal(String fields) {
        return server.operator.post(PATH, "{'name':'x'," + fields + "}").outcome();
    }

    @Test
    void auditorsReadOperatorsActAndOthersAreKeptOut() {
        var body = "{'name':'Roles','workflow':'report','every':'PT1H'}";
        var path = create(body);
        assertThat(server.auditor.post(PATH, body).outcome()).isEqualTo("403 saga.operators-only");
        for (var action : new String[] {"/trigger", "/pause", "/resume"}) {
            assertThat(server.auditor.post(path + action, "").outcome()).isEqualTo("403 saga.operators-only");
        }
        assertThat(server.auditor.send("PATCH", path, "{}").outcome()).isEqualTo("403 saga.operators-only");
        assertThat(server.auditor.delete(path).outcome()).isEqualTo("403 saga.operators-only");
        assertThat(server.member.get(PATH).outcome()).isEqualTo("403 saga.auditors-only");
        assertThat(server.member.get(path).outcome()).isEqualTo("403 saga.auditors-only");
    }
}
