package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.testkit.ApiClient;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class WorkflowApiTest {

    private static final String PATH = "/api/v1/workflows";
    private static final TestSagaServer server = new TestSagaServer();

    @AfterAll
    static void close() {
        server.close();
    }

    private static ApiClient.Reply yaml(String type, String body) {
        return server.admin.sendAs(type, "POST", PATH, body);
    }

    private static String json(String name, String method) {
        return "{'name':'%s','steps':[{'name':'a','service':'s','method':'%s'}]}".formatted(name, method);
    }

    @Test
    void aSagaTellsOfItsParentItsChildrenAndItsSuccessor() {
        server.register("{name: line, steps: [{name: pick, service: s, method: pick}, {name: go, waitForSignal: go}]}");
        server.register("""
                name: lines
                steps:
                  - {name: each, workflow: line, forEach: "$.payload.items", maxParallel: 2, input: {id: $.item}}
                """);
        server.register("{name: once, steps: [{name: again, continueAsNew: {workflow: line, payload: {id: 7}}}]}");
        var step = server.auditor.get(PATH + "/lines").json().path("steps").path(0);
        assertThat(step.path("workflow").asString() + step.path("forEach").asString() + step.path("maxParallel"))
                .isEqualTo("line$.payload.items2");
        var parent = server.operator
                .post("/api/v1/sagas", "{'workflowName':'lines','payload':{'items':['a','b','c']}}")
                .text("id");
        var shown = Awaitility.await()
                .until(
                        () -> server.awaitRest(parent),
                        saga -> saga.path("children").path(0).path("started").asInt() == 2);
        assertThat(shown.path("children").path(0).toString())
                .isEqualTo("{\"stepIndex\":0,\"stepName\":\"each\",\"count\":3,\"started\":2,\"completed\":0,"
                        + "\"running\":2,\"undone\":0,\"stuck\":0}");
        assertThat(shown.path("waits").path(0).path("cause").asString()).isEqualTo("CHILDREN");
        assertThat(shown.path("steps").path(0).path("phase").asString()).isEqualTo("EXECUTING");
        assertThat(shown.path("parent").isNull()).isTrue();
        var children =
                server.auditor.get("/api/v1/sagas?parent=" + parent).json().path("items");
        assertThat(children).hasSize(2);
        var child = server.saga(children.path(0).path("id").asString());
        assertThat(child.path("parent").toString())
                .isEqualTo("{\"id\":\"%s\",\"workflowName\":\"lines\",\"stepIndex\":0,\"index\":1,\"count\":3}"
                        .formatted(parent));
        assertThat(server.auditor.get("/api/v1/sagas?parent=x").outcome()).startsWith("400");
        server.operator.post("/api/v1/sagas/" + parent + "/cancel", "");
        server.awaitStatus(parent, "CANCELLED");
        var before = server.start("once");
        var ended = server.awaitStatus(before, "COMPLETED");
        var next = server.saga(ended.path("continuedAs").asString());
        assertThat(next.path("continuedFrom").asString()).isEqualTo(before);
        assertThat(next.path("payload").toString()).isEqualTo("{\"id\":7}");
    }

    @Test
    void aWorkflowIsRegisteredInEitherFormatAndToldWithItsText() {
        var text = """
                name: order
                steps:
                  - name: reserve
                    service: stock
                    method: Stock.Reserve
                    compensate: Stock.Release
                  - parallel:
                      - {name: charge, service: bank, method: charge, input: {id: $.steps.reserve.id}}
                      - {name: ask, waitForSignal: approve}
                """;
        var made = yaml("application/yaml; charset=utf-8", text);
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        assertThat(made.header("Location")).isEqualTo("/api/v1/workflows/order?version=1");
        assertThat(yaml("text/yaml", text).outcome()).isEqualTo("200");
        assertThat(yaml("application/x-yaml", text).json().path("version").asInt())
                .isEqualTo(1);
        var shown = server.auditor.get(made.header("Location")).json();
        assertThat(shown.path("definition").asString()).isEqualTo(text);
        assertThat(shown.path("format").asString()).isEqualTo("yaml");
        assertThat(shown.path("createdBy").asString()).isEqualTo(server.adminId.hex());
        assertThat(shown.path("stages").toString()).isEqualTo("[[\"reserve\"],[\"charge\",\"ask\"]]");
        var reserve = shown.path("steps").path(0);
        assertThat(reserve.path("compensate").asString()).isEqualTo("Stock.Release");
        assertThat(reserve.path("timeout").asString()).isEqualTo("30s");
        assertThat(reserve.path("retry").toString())
                .isEqualTo("{\"maxAttempts\":3,\"backoff\":\"exponential\",\"initialInterval\":\"1s\","
                        + "\"maxInterval\":\"1m\",\"jitter\":0.0}");
        assertThat(shown.path("steps").path(1).path("input").toString()).isEqualTo("{\"id\":\"$.steps.reserve.id\"}");
        assertThat(server.admin
                        .post(PATH, json("order", "two"))
                        .json()
                        .path("version")
                        .asInt())
                .isEqualTo(2);
        assertThat(server.auditor.get(PATH + "/order").json().path("format").asString())
                .isEqualTo("json");
        assertThat(server.auditor.get(PATH + "/order/versions").json().path("items"))
                .hasSize(2);
    }

    @Test
    void whatIsWrongIsToldLineByLine() {
        var reply = yaml("application/yaml", "name: bad\nsteps:\n  - {name: a, service: s}\ncolour: red\n");
        assertThat(reply.outcome()).isEqualTo("400 saga.bad-workflow");
        var errors = reply.json().path("errors");
        assertThat(errors.path(0).toString())
                .isEqualTo("{\"field\":\"steps[0].method\",\"message\":\"line 3: is missing\"}");
        assertThat(errors.path(1).path("field").asString()).isEqualTo("colour");
        assertThat(yaml("text/plain", "name: a").outcome()).isEqualTo("415 http.unsupported-media-type");
        assertThat(server.admin.post(PATH, "{'name':").outcome()).isEqualTo("400 saga.bad-workflow");
        assertThat(yaml("application/yaml", "#".repeat(300_000)).outcome()).isEqualTo("400 saga.bad-workflow");
    }

    @Test
    void aWorkflowIsSwitchedOffAndOn() {
        server.admin.post(PATH, json("switch", "m"));
        assertThat(server.admin
                        .send("PATCH", PATH + "/switch", "{'enabled':false}")
                        .json()
                        .path("enabled")
                        .asBoolean())
                .isFalse();
        assertThat(server.operator
                        .post("/api/v1/sagas", "{'workflowName':'switch'}")
                        .outcome())
                .isEqualTo("409 saga.workflow-disabled");
        assertThat(server.admin
                        .send("PATCH", PATH + "/switch", "{'enabled':true}")
                        .outcome())
                .isEqualTo("200");
        assertThat(server.operator
                        .post("/api/v1/sagas", "{'workflowName':'switch'}")
                        .outcome())
                .isEqualTo("201");
        assertThat(server.admin.send("PATCH", PATH + "/switch", "{}").outcome()).isEqualTo("400 http.missing-field");
        assertThat(server.admin
                        .send("PATCH", PATH + "/nothing", "{'enabled':true}")
                        .outcome())
                .isEqualTo("404 saga.no-workflow");
        for (var action : List.of(Action.WORKFLOW_REGISTERED, Action.WORKFLOW_DISABLED, Action.WORKFLOW_ENABLED)) {
            assertThat(server.accounts.audited(action))
                    .filteredOn(entry -> "switch".equals(entry.targetId()))
                    .as(action.code())
                    .hasSize(1);
        }
    }

    @Test
    void theListHasTheNewestOfEachByName() {
        for (int i = 0; i < 5; i++) {
            server.admin.post(PATH, json("list-" + i, "one"));
            server.admin.post(PATH, json("list-" + i, "two"));
        }
        var names = new ArrayList<String>();
        var next = "";
        do {
            var page = server.auditor
                    .get(PATH + "?limit=2" + (next.isEmpty() ? "" : "&after=" + next))
                    .json();
            page.path("items")
                    .forEach(item -> names.add(item.path("name").asString() + " "
                            + item.path("version").asInt()));
            next = page.path("next").asString("");
        } while (!next.isEmpty());
        assertThat(names)
                .isSorted()
                .contains("list-0 2", "list-1 2", "list-2 2", "list-3 2", "list-4 2")
                .doesNotHaveDuplicates();
    }

    @Test
    void onlyAnAdminRegistersAndOnlyThoseWithARoleRead() {
        server.admin.post(PATH, json("guarded", "m"));
        for (var other : List.of(server.operator, server.auditor, server.member)) {
            assertThat(other.post(PATH, json("guarded", "n")).outcome()).isEqualTo("403 accounts.admin-only");
            assertThat(other.send("PATCH", PATH + "/guarded", "{'enabled':false}")
                            .outcome())
                    .isEqualTo("403 accounts.admin-only");
        }
        assertThat(server.anonymous.post(PATH, json("guarded", "n")).outcome()).isEqualTo("401 accounts.not-signed-in");
        assertThat(server.admin.post(PATH, json("hiroba.x", "n")).outcome()).isEqualTo("403 saga.own-workflow");
        for (var path : List.of(PATH, PATH + "/guarded", PATH + "/guarded/versions")) {
            assertThat(server.auditor.get(path).outcome()).isEqualTo("200");
            assertThat(server.member.get(path).outcome()).isEqualTo("403 saga.auditors-only");
            assertThat(server.anonymous.get(path).outcome()).isEqualTo("401 accounts.not-signed-in");
        }
        for (var path : List.of("/missing", "/missing/versions", "/guarded?version=7")) {
            assertThat(server.auditor.get(PATH + path).outcome()).isEqualTo("404 saga.no-workflow");
        }
        assertThat(server.auditor.get(PATH + "/guarded?version=x").outcome()).isEqualTo("400 http.invalid");
    }

    @Test
    void sagasAreFoundByTheAttributesOfTheirWorkflow() {
        server.register("""
                name: attributed
                attributes:
                  customer: {type: string, value: $.payload.customer}
                  total: {type: number, value: "=payload.lines.map(l, l.price).sum()"}
                  urgent: {type: boolean, value: $.payload.urgent?}
                  due: {type: date, value: "=payload.due"}
                steps:
                  - {name: rest, sleep: 1d}
                """);
        var ada = attributed("{'customer':'Ada','lines':[{'price':3},{'price':4.5}],'urgent':true,'due':'2027-01-31'}");
        var ben = attributed("{'customer':'7','lines':[{'price':70}],'due':'2027-02-01T09:00:00+09:00'}");
        assertThat(found("attribute=customer=Ada")).containsExactly(ada);
        assertThat(found("attribute=customer%3D7&workflowName=attributed&status=RUNNING"))
                .containsExactly(ben);
        assertThat(found("attribute=customer%3D7&workflowName=other")).isEmpty();
        assertThat(found("attribute=total=7.50")).containsExactly(ada);
        assertThat(found("attribute=urgent=true")).containsExactly(ada);
        assertThat(found("attribute=total%3E%3D7")).containsExactly(ben, ada);
        assertThat(found("attribute=total%3E%3D8&attribute=total%3C%3D70")).containsExactly(ben);
        assertThat(found("attribute=due%3C%3D2027-01-31T12:00:00Z")).containsExactly(ada);
        assertThat(found("attribute=due%3E%3D2027-01-01&attribute=customer=7")).containsExactly(ben);
        var lead = attributed("{'customer':' lead','lines':[],'due':'2027-01-31'}");
        var nobody = attributed("{'customer':'','lines':[],'due':'2027-01-31'}");
        assertThat(found("attribute=customer=%20lead")).containsExactly(lead);
        assertThat(found("attribute=customer=lead")).isEmpty();
        assertThat(found("attribute=customer=")).containsExactly(nobody);
        assertThat(found("attribute=total%20%3E%3D%2070")).containsExactly(ben);
        assertThat(server.saga(ada).path("attributes"))
                .hasToString(
                        "{\"customer\":\"Ada\",\"due\":\"2027-01-31T00:00:00Z\",\"total\":\"7.5\",\"urgent\":\"true\"}");
        for (var bad : List.of(
                "attribute=total%3E%3Dx",
                "attribute=total=abc&workflowName=attributed",
                "attribute=1%3D2",
                "attribute=a%3D1&attribute=b%3D1&attribute=c%3D1&attribute=d%3D1")) {
            assertThat(server.auditor.get("/api/v1/sagas?" + bad).outcome())
                    .as(bad)
                    .isEqualTo("400 saga.invalid");
        }
        var refused = server.operator.post(
                "/api/v1/sagas",
                "{'workflowName':'attributed','payload':{'customer':7,'lines':[],'due':'2027-01-31'}}");
        assertThat(refused.outcome()).isEqualTo("400 saga.invalid");
        assertThat(refused.body()).contains("attribute `customer`: must be a text of up to 255 characters");
    }

    private static String attributed(String payload) {
        return server.operator
                .post("/api/v1/sagas", "{'workflowName':'attributed','payload':%s}".formatted(payload))
                .text("id");
    }

    private static List<String> found(String query) {
        return server.auditor
                .get("/api/v1/sagas?" + query)
                .json()
                .path("items")
                .valueStream()
                .map(item -> item.path("id").asString(""))
                .toList();
    }

    @Test
    void theResultOfACompletedSagaIsTheOutputOfItsWorkflow() {
        server.register("""
                name: resulting
                steps: [{name: a, service: test, method: do-a}, {name: b, service: test, method: do-b, when: 'false'}]
                output: {by: $.steps.a.by, order: "=payload.order + 1", b: "=has(steps.b)"}
                """);
        var id = server.start("resulting");
        assertThat(server.awaitStatus(id, "COMPLETED").path("result"))
                .hasToString("{\"by\":\"a\",\"order\":8,\"b\":false}");
    }

    @Test
    void conditionsAndTimersAreInTheApi() {
        server.register("""
                name: conditional
                steps:
                  - {name: a, service: test, method: do-a, when: payload.none, output: {by: $.answer.by}}
                  - {name: rest, sleep: 1d}
                """);
        var steps = server.auditor.get("/api/v1/workflows/conditional").json().path("steps");
        assertThat(steps.path(0).path("when").asString("")).isEqualTo("payload.none");
        assertThat(steps.path(0).path("output")).hasToString("{\"by\":\"$.answer.by\"}");
        assertThat(steps.path(1).path("sleep").asString("")).isEqualTo("1d");
        var id = server.operator
                .post("/api/v1/sagas", "{'workflowName':'conditional','payload':{'none':false}}")
                .text("id");
        server.awaitStatus(id, "RUNNING");
        var saga = server.awaitRest(id);
        assertThat(saga.path("steps").path(0).path("phase").asString("")).isEqualTo("SKIPPED");
        assertThat(saga.path("steps").path(1).path("phase").asString("")).isEqualTo("PENDING");
        assertThat(saga.path("waits").path(0).path("cause").asString("")).isEqualTo("TIMER");
        assertThat(saga.path("waits").path(0).path("until").asString(""))
                .isEqualTo(saga.path("wakeAt").asString("x"));
    }

    private static String child(String parent) {
        Awaitility.await()
                .until(() ->
                        server.saga(parent).at("/waits/0/cause").asString("").equals("CHILDREN"));
        var child = server.operator
                .get("/api/v1/sagas?parent=" + parent)
                .json()
                .at("/items/0/id")
                .asString();
        server.awaitRest(child);
        return child;
    }

    @Test
    void sagasThatAnotherStartedAreResolvedThemselvesAndThenItGoesOn() {
        server.register("{name: signed, steps: [{name: ask, waitForSignal: approve}]}");
        server.register("""
                name: whole
                steps:
                  - {name: reserve, service: stock, method: reserve, compensate: release}
                  - {name: part, workflow: signed}
                """);
        var whole = server.start("whole");
        var part = child(whole);
        assertThat(server.operator
                        .get("/api/v1/sagas?status=WAITING&parent=" + whole)
                        .json()
                        .path("items"))
                .hasSize(1);
        assertThat(resolve(whole, "{'action':'skip','step':'part','reason':'x'}")
                        .outcome())
                .isEqualTo("409 saga.step-of-sagas");
        for (var end : List.of("complete", "fail")) {
            assertThat(resolve(whole, "{'action':'%s','reason':'x'}".formatted(end))
                            .outcome())
                    .isEqualTo("409 saga.open-children");
        }
        assertThat(server.operator
                        .send("PATCH", "/api/v1/sagas/" + whole, "{'payload':{},'reason':'x'}")
                        .outcome())
                .isEqualTo("409 saga.open-children");
        assertThat(resolve(part, "{'action':'complete','reason':'on paper'}").outcome())
                .isEqualTo("202");
        server.awaitStatus(whole, "COMPLETED");
        assertThat(server.operator
                        .get("/api/v1/sagas?status=WAITING&parent=" + whole)
                        .json()
                        .path("items"))
                .isEmpty();

        var other = server.start("whole");
        assertThat(resolve(child(other), "{'action':'fail','step':'ask','reason':'lost'}")
                        .outcome())
                .isEqualTo("202");
        assertThat(server.awaitStatus(other, "FAILED").path("errorMessage").asString())
                .contains("lost");
        assertThat(server.saga(other).at("/steps/0/phase").asString()).isEqualTo("COMPENSATED");
    }

    @Test
    void aStuckSagaThatIsUndoneWithItsParentIsFailedByHandButNotCompleted() {
        server.register("""
                name: stubborn
                steps:
                  - {name: build, service: stock, method: build, compensate: unbuild, retry: {maxAttempts: 1}}
                  - {name: charge, service: bank, method: refuse, retry: {maxAttempts: 1}}
                """);
        server.service.fails("unbuild", Failed.nonRetryable(Text.verbatim("no")));
        server.service.fails("refuse", Failed.nonRetryable(Text.verbatim("no")));
        server.register("""
                name: stubborn-whole
                steps:
                  - {name: reserve, service: stock, method: reserve, compensate: release}
                  - {name: part, workflow: stubborn}
                """);
        var whole = server.start("stubborn-whole");
        var part = child(whole);
        Awaitility.await().until(() -> server.saga(part).path("stuck").asBoolean());
        assertThat(resolve(part, "{'action':'complete','reason':'x'}").outcome())
                .isEqualTo("409 saga.compensating");
        assertThat(resolve(part, "{'action':'fail','reason':'pulled down'}").outcome())
                .isEqualTo("202");
        server.awaitStatus(whole, "FAILED");
        assertThat(server.saga(whole).at("/steps/0/phase").asString()).isEqualTo("COMPENSATED");
    }

    private static ApiClient.Reply resolve(String id, String body) {
        return server.operator.post("/api/v1/sagas/" + id + "/resolve", body);
    }
}
