package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class SagaCommandsTest {

    private static final String FAILED = """
            {"id":"S1","workflowName":"order","workflowVersion":2,"status":"FAILED","stuck":false,
             "errorMessage":"Step `charge` failed.","correlationId":"o-7","createdAt":"2026-01-02T03:04:05.000Z",
             "updatedAt":"2026-01-02T03:04:06.000Z","waits":[],"steps":[
              {"name":"reserve","phase":"COMPENSATED","service":"stock","method":"Reserve","attempts":[
               {"number":1,"action":"EXECUTE","status":"SUCCESS","startedAt":"2026-01-02T03:04:05.000Z",
                "completedAt":"2026-01-02T03:04:05.100Z"},
               {"number":1,"action":"COMPENSATE","status":"SUCCESS","startedAt":"2026-01-02T03:04:05.900Z",
                "completedAt":"2026-01-02T03:04:06.000Z"}]},
              {"name":"charge","phase":"FAILED","service":"bank","method":"Charge","attempts":[
               {"number":1,"action":"EXECUTE","status":"FAILED","error":"no money\\u001b[2J",
                "startedAt":"2026-01-02T03:04:05.100Z","completedAt":"2026-01-02T03:04:05.200Z",
                "retryAt":"2026-01-02T03:04:05.600Z"},
               {"number":2,"action":"EXECUTE","status":"TIMEOUT","startedAt":"2026-01-02T03:04:05.600Z",
                "completedAt":"2026-01-02T03:04:05.900Z"}]},
              {"name":"ship","phase":"PENDING","waitForSignal":"go","attempts":[]}]}""";

    private final Path home;
    private final FakeServer server;
    private final CliRunner client;

    SagaCommandsTest(@TempDir Path home) throws IOException {
        this.home = home;
        server = new FakeServer();
        client = new CliRunner(home).with("HIROBA_URL", server.url()).with("HIROBA_TOKEN", "t");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aSagaIsStartedOnceWithWhatItIsGiven() throws IOException {
        server.answering("POST /api/v1/sagas", 201, "{\"id\":\"S1\"}");
        var file = Files.writeString(home.resolve("order.json"), "{\"order\": 7}");
        assertThat(client.run("saga", "start", "order", "--file", file.toString(), "--correlation-id", "o-7")
                        .out())
                .isEqualTo("Started S1\n");
        assertThat(CliJson.read(server.lastRequest().body()))
                .isEqualTo(CliJson.read(
                        "{\"workflowName\":\"order\",\"payload\":{\"order\":7},\"correlationId\":\"o-7\"}"));
        assertThat(server.lastRequest().key()).isNotEmpty();
        assertThat(client.run("saga", "start", "order", "--priority", "9").code())
                .isZero();
        assertThat(CliJson.read(server.lastRequest().body()))
                .isEqualTo(CliJson.read("{\"workflowName\":\"order\",\"priority\":9}"));
        assertThat(client.run("saga", "start", "order", "--payload", "{").code())
                .isEqualTo(Cli.USAGE);
        assertThat(client.run("saga", "start", "order", "--payload", "1", "--file", "x")
                        .code())
                .isEqualTo(Cli.USAGE);
        assertThat(client.run("saga", "start").code()).isEqualTo(Cli.USAGE);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void aScheduleIsMadeListedPausedResumedTriggeredAndDeleted() {
        server.answering(
                "POST /api/v1/schedules", 201, "{'id':'S7','next':['2026-01-02T03:04:05.000Z']}".replace('\'', '"'));
        assertThat(client.run(
                                "schedule",
                                "create",
                                "Nightly",
                                "order",
                                "--cron",
                                "30 2 * * *",
                                "--time-zone",
                                "Asia/Tokyo",
                                "--overlap",
                                "queue",
                                "--payload",
                                "{\"order\":7}")
                        .out())
                .isEqualTo("Created S7, next run at 2026-01-02T03:04:05.000Z\n");
        assertThat(CliJson.read(server.lastRequest().body())).isEqualTo(CliJson.read("""
                        {"name":"Nightly","workflow":"order","cron":"30 2 * * *","timeZone":"Asia/Tokyo","overlap":"queue",
                         "payload":{"order":7}}"""));
        server.answering("GET /api/v1/schedules", 200, """
                {"items":[{"id":"S7","name":"Nightly","workflow":"order","cron":"30 2 * * *","timeZone":"UTC","paused":false,
                 "next":["2026-01-02T03:04:05.000Z"]},{"id":"S8","name":"Often","workflow":"order","every":"PT5M","paused":true,
                 "next":[]}],"next":null}""");
        assertThat(client.run("schedule", "list").out())
                .contains("30 2 * * * UTC", "2026-01-02T03:04:05.000Z", "PT5M", "paused");
        server.answering("POST /api/v1/schedules/S7/pause", 200, "{\"name\":\"Nightly\"}");
        assertThat(client.run("schedule", "pause", "S7", "--note", "summer").out())
                .isEqualTo("Paused Nightly.\n");
        server.answering("POST /api/v1/schedules/S7/resume", 200, "{\"name\":\"Nightly\"}");
        assertThat(client.run("schedule", "resume", "S7").out()).isEqualTo("Resumed Nightly.\n");
        server.answering("POST /api/v1/schedules/S7/trigger", 201, "{\"id\":\"S1\"}");
        assertThat(client.run("schedule", "trigger", "S7").out()).isEqualTo("Started S1\n");
        server.answering("DELETE /api/v1/schedules/S7", 204, "");
        assertThat(client.run("schedule", "delete", "S7").out()).isEqualTo("Deleted schedule S7.\n");
    }

    @Test
    void aListIsFiltered() {
        server.answering(
                "GET /api/v1/sagas?workflowName=order&status=RUNNING&correlationId=a%26b&stuck=true&attribute=total%3E%3D100&limit=5",
                200, """
                {"items":[{"id":"S1","workflowName":"order","status":"COMPENSATING","stuck":true,"correlationId":"a&b",
                 "createdAt":"2026-01-02T03:04:05.000Z"}],"next":null}""");
        var list = client.run(
                "saga",
                "list",
                "--workflow",
                "order",
                "--status",
                "RUNNING",
                "--correlation-id",
                "a&b",
                "--attribute",
                "total>=100",
                "--stuck",
                "--limit",
                "5");
        assertThat(list.out()).contains("S1  order     COMPENSATING, stuck  a&b");
    }

    @Test
    void sagasOfATimeAreListedAsWaitingWhereTheyWait() {
        server.answering("GET /api/v1/sagas?from=2026-01-01T00%3A00%3A00Z&to=2026-01-02T00%3A00%3A00Z", 200, """
                {"items":[{"id":"S1","workflowName":"order","status":"RUNNING","stuck":false,"waitingFor":"approve",
                 "correlationId":null,"createdAt":"2026-01-01T03:04:05.000Z"}],"next":null}""");
        var list = client.run("saga", "list", "--from", "2026-01-01T00:00:00Z", "--to", "2026-01-02T00:00:00Z");
        assertThat(list.out()).contains("S1  order     WAITING").doesNotContain("RUNNING");
    }

    @Test
    void aSagaIsMovedToTheNewestVersionOrToAnother() {
        server.answering("GET /api/v1/sagas/S1", 200, "{\"id\":\"S1\",\"workflowName\":\"order\"}");
        server.answering("GET /api/v1/workflows/order", 200, "{\"name\":\"order\",\"version\":4}");
        server.answering("POST /api/v1/sagas/S1/migrate", 202, "{\"id\":\"S1\",\"status\":\"RUNNING\"}");
        assertThat(client.run("saga", "migrate", "S1").out()).isEqualTo("Saga S1 is RUNNING.\n");
        assertThat(server.lastRequest().body()).isEqualTo("{\"version\":4}");
        client.run("saga", "migrate", "S1", "--to-version", "3");
        assertThat(server.lastRequest().body()).isEqualTo("{\"version\":3}");
    }

    @Test
    void aPayloadIsChangedAndManySagasAreActedOnAtOnce() {
        server.answering("PATCH /api/v1/sagas/S1", 200, "{\"id\":\"S1\",\"status\":\"RUNNING\"}");
        assertThat(client.run("saga", "payload", "S1", "--payload", "{\"amount\":7}", "--reason", "typo")
                        .out())
                .isEqualTo("Saga S1 is RUNNING.\n");
        assertThat(CliJson.read(server.lastRequest().body()))
                .isEqualTo(CliJson.read("{\"payload\":{\"amount\":7},\"reason\":\"typo\"}"));
        assertThat(client.run("saga", "payload", "S1", "--reason", "typo").code())
                .isEqualTo(Cli.USAGE);
        server.answering("POST /api/v1/sagas/bulk", 200, "{\"count\":1000,\"more\":true}");
        assertThat(client.run("saga", "bulk", "retry", "--workflow", "order", "--stuck", "--dry-run")
                        .out())
                .isEqualTo("1000+ sagas would be acted on\n");
        assertThat(CliJson.read(server.lastRequest().body())).isEqualTo(CliJson.read("""
                        {"action":"retry","filter":{"workflowName":"order","stuck":true},"dryRun":true}"""));
        server.answering("POST /api/v1/sagas/bulk", 200, "{\"count\":1,\"more\":false}");
        assertThat(client.run("saga", "bulk", "retry", "--stuck", "--dry-run").out())
                .isEqualTo("1 saga would be acted on\n");
        server.answering("POST /api/v1/sagas/bulk", 202, "{\"id\":\"J1\",\"total\":2,\"more\":false}");
        assertThat(client.run(
                                "saga",
                                "bulk",
                                "signal",
                                "--status",
                                "WAITING",
                                "--signal",
                                "go",
                                "--payload",
                                "{}",
                                "--attribute",
                                "kind=red",
                                "--schedule",
                                "S7",
                                "--parent",
                                "S1")
                        .out())
                .isEqualTo("Job J1 acts on 2 sagas\n");
        assertThat(CliJson.read(server.lastRequest().body())
                        .orElseThrow()
                        .path("filter")
                        .toString())
                .isEqualTo(
                        "{\"status\":\"WAITING\",\"schedule\":\"S7\",\"parent\":\"S1\",\"attribute\":[\"kind=red\"]}");
    }

    @Test
    void aSagaIsDrawnStepByStep() {
        server.answering("GET /api/v1/sagas/S1", 200, FAILED);
        assertThat(client.run("saga", "show", "S1").out()).isEqualTo("""
                id          S1
                workflow    order, version 2
                status      FAILED
                error       Step `charge` failed.
                known by    o-7
                started at  2026-01-02T03:04:05.000Z

                ↶ reserve  COMPENSATED  (stock Reserve)
                    |███                           | SUCCESS in 100 ms
                    |                           ▒▒ | undo SUCCESS in 100 ms
                ✗ charge  FAILED  (bank Charge)
                    |   ███                        | FAILED in 100 ms: no money\uFFFD[2J; again at 2026-01-02T03:04:05.600Z
                    |                  █████████   | TIMEOUT in 300 ms, attempt 2
                · ship  PENDING  (waits for the signal go)
                """);
    }

    @Test
    void whatASagaWaitsForIsSaid() {
        server.answering("GET /api/v1/sagas/S1", 200, """
                {"id":"S1","status":"RUNNING","createdAt":"2026-01-02T03:04:05.000Z","updatedAt":"2026-01-02T03:04:05.000Z",
                 "waits":[{"cause":"SIGNAL","stepName":"ask","signal":"approve","until":null},
                          {"cause":"RETRY","stepName":"pay","until":"2026-01-02T04:00:00.000Z"}],"steps":[]}""");
        assertThat(client.run("saga", "show", "S1").out())
                .contains(
                        "waits for   the signal approve (step ask)\n",
                        "waits for   the next try of pay until 2026-01-02T04:00:00.000Z\n");
    }

    @Test
    void aSagaIsToldWhatToDo() {
        for (var act : new String[] {"cancel", "compensate", "retry"}) {
            server.answering("POST /api/v1/sagas/S1/" + act, 202, "{\"id\":\"S1\",\"status\":\"COMPENSATING\"}");
            assertThat(client.run("saga", act, "S1").out()).isEqualTo("Saga S1 is COMPENSATING.\n");
            assertThat(server.lastRequest().body()).isEmpty();
        }
        server.answering("POST /api/v1/sagas/S1/signals/approve", 202, "{\"id\":\"S1\",\"status\":\"RUNNING\"}");
        assertThat(client.run("saga", "signal", "S1", "approve", "--payload", "{\"by\": 1}")
                        .out())
                .isEqualTo("Saga S1 has got the signal approve.\n");
        assertThat(server.lastRequest().body()).isEqualTo("{\"by\":1}");
        server.answering("POST /api/v1/sagas/S1/resolve", 202, "{\"id\":\"S1\",\"status\":\"RUNNING\"}");
        assertThat(client.run(
                                "saga",
                                "resolve",
                                "S1",
                                "complete",
                                "--step",
                                "pay",
                                "--answer",
                                "{\"id\": 7}",
                                "--reason",
                                "paid in cash")
                        .out())
                .isEqualTo("Saga S1 is RUNNING.\n");
        assertThat(server.lastRequest().body())
                .isEqualTo(
                        "{\"action\":\"complete\",\"step\":\"pay\",\"answer\":{\"id\":7},\"reason\":\"paid in cash\"}");
        assertThat(client.run("saga", "cancel", "S2").code()).isEqualTo(Cli.FAILED);
        assertThat(client.run("saga", "cancel", "..").code()).isEqualTo(Cli.USAGE);
    }

    @Test
    void aSagaIsWatchedToItsEnd() {
        server.answering("GET /api/v1/sagas/S1", 200, """
                {"id":"S1","status":"RUNNING","stuck":false,"steps":[]}""");
        var watched = CompletableFuture.supplyAsync(() -> client.run("saga", "watch", "S1"));
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        server.requests().stream().anyMatch(each -> each.line().endsWith("/S1/events")));
        server.answering("GET /api/v1/sagas/S1", 200, FAILED);
        assertThat(watched.join().out()).isEqualTo("FAILED: Step `charge` failed.\n");
        assertThat(watched.join().code()).isEqualTo(Cli.SAGA_FAILED);
        assertThat(watched.join().err())
                .startsWith("RUNNING\ndo reserve: SUCCESS in 100 ms\ndo charge: FAILED")
                .endsWith("undo reserve: SUCCESS in 100 ms\n");
    }

    @Test
    void aStreamIsFollowedWhereThereIsOne() {
        server.answering("GET /api/v1/sagas/S1", 200, """
                {"id":"S1","status":"COMPENSATING","stuck":false,"steps":[]}""");
        server.answering("GET /api/v1/sagas/S1/events", 200, "event: saga\ndata: {}\n\n");
        var watched = CompletableFuture.supplyAsync(() -> client.run("saga", "watch", "S1"));
        await().atMost(Duration.ofSeconds(20)).until(() -> server.requests().size() > 3);
        server.answering("GET /api/v1/sagas/S1", 200, """
                {"id":"S1","status":"COMPENSATING","stuck":true,"errorMessage":"No.","steps":[]}""");
        assertThat(watched.join().out()).isEqualTo("COMPENSATING, stuck: No.\n");
        assertThat(watched.join().code()).isEqualTo(Cli.SAGA_STUCK);
    }

    @Test
    void whereThereAreTooManyStreamsTheSagaIsLookedAtInstead() {
        server.answering("GET /api/v1/sagas/S1", 200, """
                {"id":"S1","status":"RUNNING","stuck":false,"steps":[]}""");
        server.answering("GET /api/v1/sagas/S1/events", 200, "event: full\ndata: {}\n\n");
        var watched = CompletableFuture.supplyAsync(() -> client.run("saga", "watch", "S1"));
        await().atMost(Duration.ofSeconds(20)).until(() -> server.requests().size() > 3);
        server.answering("GET /api/v1/sagas/S1", 200, """
                {"id":"S1","status":"COMPLETED","stuck":false,"steps":[]}""");
        assertThat(watched.join().out()).isEqualTo("COMPLETED\n");
        assertThat(watched.join().code()).isZero();
        assertThat(server.requests())
                .filteredOn(each -> each.line().endsWith("/events"))
                .hasSize(1);
    }

    @Test
    void whoStartsASagaMayWaitForItsEnd() {
        server.answering("POST /api/v1/sagas", 201, "{\"id\":\"S1\"}");
        server.answering("GET /api/v1/sagas/S1", 200, """
                {"id":"S1","status":"CANCELLED","stuck":false,"errorMessage":"It was cancelled.","steps":[]}""");
        var waited = client.run("saga", "start", "order", "--wait");
        assertThat(waited.out()).isEqualTo("CANCELLED: It was cancelled.\n");
        assertThat(waited.err()).isEqualTo("Started S1\n");
        assertThat(waited.code()).isEqualTo(Cli.SAGA_CANCELLED);
        server.answering("GET /api/v1/sagas/S1", 200, "{\"id\":\"S1\",\"status\":\"COMPLETED\",\"steps\":[]}");
        assertThat(client.run("saga", "start", "order", "--wait").code()).isZero();
    }

    @Test
    void servicesAreNamedListedAndForgotten() {
        server.answering(
                "PUT /api/v1/saga-services/stock", 201, "{\"name\":\"stock\",\"endpoint\":\"grpc://stock:9000\"}");
        assertThat(client.run("saga", "service", "put", "stock", "grpc://stock:9000")
                        .out())
                .isEqualTo("stock is at grpc://stock:9000.\n");
        assertThat(server.lastRequest().body()).isEqualTo("{\"endpoint\":\"grpc://stock:9000\"}");
        server.answering("GET /api/v1/saga-services", 200, """
                {"items":[{"name":"stock","origin":"registered","endpoint":"grpc://stock:9000","updatedAt":"2026-01-02"},
                          {"name":"hiroba","origin":"local","endpoint":null}],"next":null}""");
        assertThat(client.run("saga", "service", "list").out())
                .contains("stock   grpc://stock:9000  registered  2026-01-02\n", "hiroba");
        server.answering("DELETE /api/v1/saga-services/stock", 204, "");
        assertThat(client.run("saga", "service", "delete", "stock").out()).isEqualTo("Deleted service stock.\n");
        assertThat(client.run("saga", "service", "delete", "other").code()).isEqualTo(Cli.FAILED);
        assertThat(client.run("saga", "service", "put", "stock").code()).isEqualTo(Cli.USAGE);
    }

    @Test
    void rolesAreGrantedListedAndTakenBack() {
        server.answering("PUT /api/v1/saga-roles/U1", 204, "");
        assertThat(client.run("saga", "role", "grant", "U1", "operator").out()).isEqualTo("User U1 is operator.\n");
        assertThat(server.lastRequest().body()).isEqualTo("{\"role\":\"operator\"}");
        server.answering("GET /api/v1/saga-roles?limit=1", 200, """
                {"items":[{"userId":"U1","nickname":"Olga","role":"operator","grantedAt":"2026-01-02"}],"next":"n"}""");
        var list = client.run("saga", "role", "list", "--limit", "1");
        assertThat(list.out()).contains("U1    Olga      operator  2026-01-02\n");
        assertThat(list.err()).contains("--after n");
        server.answering("DELETE /api/v1/saga-roles/U1", 204, "");
        assertThat(client.run("saga", "role", "revoke", "U1").out()).isEqualTo("User U1 has no role any more.\n");
        assertThat(client.run("saga", "role", "revoke", "U2").code()).isEqualTo(Cli.FAILED);
    }

    @Test
    void aWorkflowIsSentAsItIsWritten() throws IOException {
        server.answering("POST /api/v1/workflows", 201, "{\"name\":\"order\",\"version\":3,\"enabled\":true}");
        var yaml = Files.writeString(home.resolve("order.yaml"), "name: order\n");
        assertThat(client.run("workflow", "apply", yaml.toString()).out()).isEqualTo("order is at version 3.\n");
        assertThat(server.lastRequest().body()).isEqualTo("name: order\n");
        assertThat(server.lastRequest().type()).isEqualTo("application/yaml");
        var json = Files.writeString(home.resolve("order.json"), "{}");
        client.run("workflow", "apply", json.toString());
        assertThat(server.lastRequest().type()).isEqualTo("application/json");
        assertThat(client.run("workflow", "apply", "/nowhere").code()).isEqualTo(Cli.FAILED);
    }

    @Test
    void everyLineAtFaultIsShown() throws IOException {
        server.answering("POST /api/v1/workflows", 400, """
                {"code":"saga.bad-workflow","detail":"The workflow is not valid: line 3: `steps[0].method` is missing (and 1 more).",
                 "errors":[{"field":"steps[0].method","message":"line 3: is missing"},
                           {"field":"colour","message":"line 4: is not a known key"}]}""");
        var file = Files.writeString(home.resolve("bad.yaml"), "x");
        assertThat(client.run("workflow", "apply", file.toString()).err())
                .contains("  steps[0].method: line 3: is missing\n", "  colour: line 4: is not a known key\n");
    }
}
