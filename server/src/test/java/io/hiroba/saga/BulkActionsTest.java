package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Db;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Actions on many sagas, as operators start and follow them through the API. */
class BulkActionsTest {

    private static final TestSagaServer server = new TestSagaServer();

    @AfterAll
    static void close() {
        server.close();
    }

    private static JsonNode awaitJob(String id, String state) {
        return Awaitility.await()
                .until(
                        () -> server.auditor.get("/api/v1/sagas/bulk/" + id).json(),
                        job -> job.path("state").asString().equals(state));
    }

    @Test
    void allSagasOfAFilterAreSignalledAndCancelledInTheBackground() {
        server.register(
                "name: many\nsteps:\n  - {name: ask, waitForSignal: go}\n  - {name: more, waitForSignal: on}\n");
        for (int i = 0; i < 5; i++) {
            server.awaitRest(server.start("many"));
        }
        var count = server.operator.post(
                "/api/v1/sagas/bulk", "{'action':'cancel','filter':{'workflowName':'many'},'dryRun':true}");
        assertThat(count.json().toString()).isEqualTo("{\"count\":5,\"more\":false}");
        var signals = server.operator.post(
                "/api/v1/sagas/bulk", "{'action':'signal','signal':'go','filter':{'workflowName':'many'}}");
        assertThat(signals.outcome()).isEqualTo("202");
        assertThat(awaitJob(signals.text("id"), "DONE").path("done").asInt()).isEqualTo(5);
        var again = server.operator.post(
                "/api/v1/sagas/bulk", "{'action':'signal','signal':'go','filter':{'workflowName':'many'}}");
        var refused = awaitJob(again.text("id"), "DONE");
        assertThat(refused.path("refused").asInt()).isEqualTo(5);
        assertThat(refused.path("refusals").toString()).isEqualTo("{\"saga.already-signalled\":5}");

        var cancel = server.operator.post(
                "/api/v1/sagas/bulk", "{'action':'cancel','filter':{'workflowName':'many','status':'RUNNING'}}");
        assertThat(cancel.json().path("total").asInt()).isEqualTo(5);
        assertThat(awaitJob(cancel.text("id"), "DONE").path("done").asInt()).isEqualTo(5);
        Awaitility.await()
                .until(() -> server.auditor
                                .get("/api/v1/sagas?workflowName=many&status=CANCELLED")
                                .json()
                                .path("items")
                                .size()
                        == 5);
        var stopped = server.operator.post("/api/v1/sagas/bulk/" + cancel.text("id") + "/stop", "");
        assertThat(stopped.text("state")).isEqualTo("DONE");
    }

    @Test
    void aSagaThatABulkJobCannotMoveStaysAsItWas() {
        server.register("name: dated\nsteps:\n  - {name: ask, waitForSignal: go}\n");
        var id = server.start("dated");
        server.awaitRest(id);
        server.register("name: dated\nattributes: {due: {type: date, value: $.payload.order}}\nsteps:"
                + "\n  - {name: ask, waitForSignal: go}\n");
        var migrate = server.operator.post(
                "/api/v1/sagas/bulk", "{'action':'migrate','version':2,'filter':{'workflowName':'dated'}}");
        var job = awaitJob(migrate.text("id"), "DONE");
        assertThat(job.path("refusals").toString()).isEqualTo("{\"saga.invalid\":1}");
        assertThat(server.saga(id).path("workflowVersion").asInt()).isEqualTo(1);
    }

    @Test
    void aSagaAtWhichABulkJobFailsHoldsUpNeitherItsJobNorOthers() {
        server.register("name: cursed\nsteps:\n  - {name: ask, waitForSignal: go}\n");
        var ids = IntStream.range(0, 3).mapToObj(i -> server.start("cursed")).toList();
        ids.forEach(server::awaitRest);
        server.accounts.db.useTransaction(tx -> {
            tx.update("""
                    CREATE FUNCTION saga.curse() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION 'cursed'; END $$
                    """).execute();
            tx.update("""
                    CREATE TRIGGER cursed BEFORE UPDATE ON saga.saga_states
                    FOR EACH ROW WHEN (OLD.id = '%s' AND NEW.status = 'COMPENSATING') EXECUTE FUNCTION saga.curse()
                    """.formatted(ids.get(1))).execute();
        });
        var cancel =
                server.operator.post("/api/v1/sagas/bulk", "{'action':'cancel','filter':{'workflowName':'cursed'}}");
        var job = awaitJob(cancel.text("id"), "DONE");
        assertThat(job.path("done").asInt()).isEqualTo(2);
        assertThat(job.path("refusals").toString()).isEqualTo("{\"saga.unexpected\":1}");
        server.awaitStatus(ids.get(0), "CANCELLED");
        server.awaitStatus(ids.get(2), "CANCELLED");
        assertThat(server.saga(ids.get(1)).path("status").asString()).isEqualTo("RUNNING");
    }

    @Test
    void whatWaitsIsCountedListedAndCancelledInBulk() {
        server.register("name: waiting\nattributes: {kind: {type: string, value: $.payload.kind?}}\nsteps:"
                + "\n  - {name: ask, waitForSignal: go}\n  - {name: rest, sleep: 1d}\n");
        var waiting = server.start("waiting");
        server.awaitRest(waiting);
        var resting = server.start("waiting");
        server.awaitRest(resting);
        server.operator.post("/api/v1/sagas/" + resting + "/signals/go", "{}");
        Awaitility.await().until(() -> server.saga(resting).path("waits").toString(), each -> !each.contains("go"));

        var list = server.auditor.get("/api/v1/sagas?workflowName=waiting&totals=true");
        assertThat(list.json().at("/totals/statuses/WAITING/count").asInt()).isEqualTo(1);
        assertThat(server.auditor.get("/api/v1/sagas?status=waiting").body()).contains("CANCELLED, WAITING");

        var filter = "{'action':'cancel','filter':{'workflowName':'waiting','status':'WAITING'}%s}";
        assertThat(server.operator
                        .post("/api/v1/sagas/bulk", filter.formatted(",'dryRun':true"))
                        .json()
                        .path("count")
                        .asInt())
                .isEqualTo(1);
        var cancel = server.operator.post("/api/v1/sagas/bulk", filter.formatted(""));
        assertThat(awaitJob(cancel.text("id"), "DONE").path("done").asInt()).isEqualTo(1);
        server.awaitStatus(waiting, "CANCELLED");
        assertThat(server.saga(resting).path("status").asString()).isEqualTo("RUNNING");
        var all = "{'action':'cancel','filter':{'status':'WAITING'},'dryRun':true}";
        assertThat(server.operator.post("/api/v1/sagas/bulk", all).outcome()).isEqualTo("200");
        var none = "{'action':'cancel','filter':{'status':'WAIT'},'dryRun':true}";
        assertThat(server.operator.post("/api/v1/sagas/bulk", none).outcome()).isEqualTo("400 saga.invalid");
    }

    @Test
    void aBulkJobTakesEveryFilterOfTheList() {
        server.register("name: tagged\nattributes: {kind: {type: string, value: $.payload.kind},"
                + " size: {type: number, value: $.payload.size}}\nsteps:\n  - {name: ask, waitForSignal: go}\n");
        server.register("name: family\nsteps:\n  - {name: each, workflow: tagged, forEach: $.payload.items}\n");
        var chosen = startTagged("red", 7);
        var small = startTagged("red", 3);
        var other = startTagged("blue", 7);
        var parent = server.operator
                .post("/api/v1/sagas", "{'workflowName':'family','payload':{'items':[{'kind':'red','size':8}]}}")
                .text("id");
        server.awaitRest(parent);
        var child = Awaitility.await()
                .until(
                        () -> server.auditor
                                .get("/api/v1/sagas?parent=" + parent)
                                .json()
                                .at("/items/0/id")
                                .asString(""),
                        id -> !id.isEmpty());
        server.awaitRest(child);
        assertThat(actedOn("{'attribute':['kind=red','size>=5'],'to':'%s'}"
                        .formatted(server.saga(child).path("createdAt").asString())))
                .containsExactly(chosen);
        assertThat(server.saga(small).path("status").asString()).isEqualTo("RUNNING");
        assertThat(server.saga(child).path("status").asString()).isEqualTo("RUNNING");
        assertThat(actedOn("{'attribute':['size>=8','size<=8'],'parent':'%s'}".formatted(parent)))
                .containsExactly(child);

        var schedule = server.operator
                .post(
                        "/api/v1/schedules",
                        "{'name':'Blue','workflow':'tagged','cron':'@yearly','payload':{'kind':'blue','size':1}}")
                .text("id");
        var run = server.operator
                .post("/api/v1/schedules/" + schedule + "/trigger", "")
                .text("id");
        server.awaitRest(run);
        assertThat(actedOn("{'schedule':'%s'}".formatted(schedule))).containsExactly(run);
        assertThat(server.saga(other).path("status").asString()).isEqualTo("RUNNING");
    }

    private static String startTagged(String kind, int size) {
        var saga = "{'workflowName':'tagged','payload':{'kind':'%s','size':%d}}".formatted(kind, size);
        var id = server.operator.post("/api/v1/sagas", saga).text("id");
        server.awaitRest(id);
        return id;
    }

    /** Counts what a filter finds, cancels it, and answers what was cancelled. */
    private static List<String> actedOn(String filter) {
        var body = "{'action':'cancel','filter':%s%s}";
        var count = server.operator.post("/api/v1/sagas/bulk", body.formatted(filter, ",'dryRun':true"));
        assertThat(count.json().toString()).isEqualTo("{\"count\":1,\"more\":false}");
        var before = cancelled();
        var job = server.operator.post("/api/v1/sagas/bulk", body.formatted(filter, ""));
        assertThat(job.json().path("total").asInt()).as(job.body()).isEqualTo(1);
        assertThat(awaitJob(job.text("id"), "DONE").path("done").asInt()).isEqualTo(1);
        return Awaitility.await().until(BulkActionsTest::cancelled, all -> all.size() > before.size()).stream()
                .filter(id -> !before.contains(id))
                .toList();
    }

    private static List<String> cancelled() {
        return server.auditor
                .get("/api/v1/sagas?workflowName=tagged&status=CANCELLED")
                .json()
                .path("items")
                .valueStream()
                .map(saga -> saga.path("id").asString())
                .toList();
    }

    @Test
    void aBulkJobNeedsAnOperatorAFilterAndAnAction() {
        var cancel = "{'action':'cancel','filter':{'workflowName':'x'}}";
        assertThat(server.auditor.post("/api/v1/sagas/bulk", cancel).outcome()).isEqualTo("403 saga.operators-only");
        for (var bad : List.of(
                "{'action':'cancel','filter':{}}",
                "{'action':'cancel','filter':{'attribute':[]}}",
                "{'action':'cancel','filter':{'attribute':['red']}}",
                "{'action':'cancel','filter':{'parent':'red'}}",
                "{'action':'cancel','dryRun':true,'filter':{'workflowName':'x','status':'COMPLETED'}}",
                "{'action':'signal','signal':'go','filter':{'workflowName':'x','status':'CANCELLED'}}",
                "{'action':'explode','filter':{'workflowName':'x'}}",
                "{'action':'signal','filter':{'workflowName':'x'}}",
                "{'action':'retry','signal':'go','filter':{'stuck':true}}",
                "{'action':'signal','signal':'%s','filter':{'workflowName':'x'}}".formatted("s".repeat(256)),
                "{'action':'cancel','filter':{'workflowName':'%s'}}".formatted("w".repeat(256)),
                "{'action':'cancel','filter':{'correlationId':'%s'}}".formatted("c".repeat(256)))) {
            assertThat(server.operator.post("/api/v1/sagas/bulk", bad).outcome())
                    .as(bad)
                    .isEqualTo("400 saga.invalid");
        }
        var nobody = "/api/v1/sagas/bulk/" + UUID.randomUUID();
        assertThat(server.operator.get(nobody).outcome()).isEqualTo("404 saga.no-bulk-job");
        assertThat(server.operator.post(nobody + "/stop", "").outcome()).isEqualTo("404 saga.no-bulk-job");
        assertThat(server.auditor.post(nobody + "/stop", "").outcome()).isEqualTo("403 saga.operators-only");
        assertThat(server.member.get(nobody).outcome()).isEqualTo("403 saga.auditors-only");
    }

    @Test
    void aBulkJobTakesOneConnection() {
        try (var two = Db.open(server.accounts.database.config().withPoolSize(2))) {
            var bulk = new BulkActions(two, server.sagas, new SagaRoles(two));
            var filter = new SagaFilter("nothing", null, null, false);
            bulk.start(
                    server.accounts.caller(server.operatorId),
                    new BulkActions.Request(BulkActions.Action.CANCEL, filter, null, null));
            two.useTransaction(other -> bulk.work());
        }
    }
}
