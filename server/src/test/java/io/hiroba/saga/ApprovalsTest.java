package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.Approvals.Answer;
import io.hiroba.saga.Approvals.Approval;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Steps that people decide. */
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class ApprovalsTest {

    private static TestSagaServer server;
    private static UserId ann;
    private static UserId ben;
    private static UserId cleo;

    @BeforeAll
    static void start() {
        server = new TestSagaServer();
        ann = server.accounts.user("Ann");
        ben = server.accounts.user("Ben");
        cleo = server.accounts.user("Cleo");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void anApprovalLetsTheSagaGoOnWithItsAnswers() {
        server.register("""
                name: budget
                steps:
                  - {name: reserve, service: test, method: do-a, compensate: undo-a}
                  - name: decide
                    approval:
                      assignees: [%s, $.payload.others]
                      title: "Order {{$.payload.order}} of {{ $.payload.who }}"
                      text: "Costs **{{$.payload.cost}}**, says {{$.payload.who}}, {{$.payload.none?}}"
                      form:
                        - {name: amount, label: Amount, type: number, required: true}
                        - {name: urgent, type: boolean}
                        - {name: due, type: date}
                        - {name: centre, type: choice, options: [IT, Sales]}
                  - {name: pay, service: test, method: do-b, input: {amount: $.steps.decide.answers.amount}}
                """.formatted(server.accounts.emailOf(ann).value()));
        var id = start("budget", "{'order': 7, 'who': '*Zed*', 'cost': 9.5, 'others': ['%s']}".formatted(ben.hex()));
        var approval = awaitApproval(id);
        assertThat(approval.title()).isEqualTo("Order 7 of *Zed*");
        assertThat(approval.text()).isEqualTo("Costs **9.5**, says \\*Zed\\*, ");
        assertThat(approval.assignees()).extracting(Approvals.Assignee::user).containsExactlyInAnyOrder(ann, ben);
        assertThat(server.saga(id).path("waitingFor").asString("")).isEqualTo("decide");
        assertThat(server.saga(id).path("waits").path(0).path("cause").asString(""))
                .isEqualTo("APPROVAL");

        assertThat(faults(ann, approval, "{'amount': 'much', 'due': 'soon', 'centre': 'HR', 'more': 1}"))
                .containsExactlyInAnyOrder("answers.amount", "answers.due", "answers.centre", "answers.more");
        assertThat(faults(ann, approval, "{'amount': null}")).containsExactly("answers.amount");
        decide(
                ann,
                approval,
                true,
                "fine",
                "{'amount': '12.5', 'urgent': 'true', 'due': '2026-05-01', 'centre': 'IT'}");

        var saga = server.awaitStatus(id, "COMPLETED");
        var answer = saga.path("steps").path(1).path("attempts").path(0).path("answer");
        assertThat(answer.path("approved").asBoolean(false)).isTrue();
        assertThat(answer.path("answers").toString())
                .isEqualTo("{\"due\":\"2026-05-01\",\"amount\":12.5,\"centre\":\"IT\",\"urgent\":true}");
        assertThat(answer.path("decisions").path(0).path("by").asString("")).isEqualTo(ann.hex());
        assertThat(answer.path("decisions").path(0).path("comment").asString(""))
                .isEqualTo("fine");
        assertThat(server.service.calls("do-b").getLast().input()).hasToString("{\"amount\":12.5}");
        assertThat(code(() -> decide(ben, approval, true, "", "{'amount': 1}"))).isEqualTo("saga.approval-closed");
        assertThat(code(() -> decide(ann, approval, true, "", "{'amount': 1}"))).isEqualTo("saga.decided-already");
        assertThat(events(approval)).containsExactly("requested open 2", "decided open 1", "closed approved 0");
    }

    @Test
    void ofTwoWhoDecideAtOnceOneDecides() {
        server.register(simple("race", List.of(ann, ben), 1, ""));
        for (int n = 0; n < 5; n++) {
            var id = start("race", "{}");
            var approval = awaitApproval(id);
            var outcomes = Stream.of(ann, ben)
                    .map(user -> CompletableFuture.supplyAsync(
                            () -> code(() -> decide(user, approval, user.equals(ann), "", "{}"))))
                    .toList();
            var codes = outcomes.stream().map(CompletableFuture::join).toList();
            assertThat(codes).containsExactlyInAnyOrder("", "saga.approval-closed");
            server.awaitStatus(id, codes.getFirst().isEmpty() ? "COMPLETED" : "FAILED");
        }
    }

    @Test
    void aQuorumHasToAgreeAndARejectionCountsOnceItCannotBeReached() {
        server.register(simple("quorum", List.of(ann, ben, cleo), 2, ""));
        var agreed = awaitApproval(start("quorum", "{}"));
        decide(ann, agreed, false, "no", "{}");
        decide(ben, agreed, true, "", "{}");
        assertThat(get(agreed).state()).isEqualTo(Approvals.State.OPEN);
        decide(cleo, agreed, true, "", "{}");
        server.awaitStatus(agreed.saga().toString(), "COMPLETED");

        var refused = awaitApproval(start("quorum", "{}"));
        decide(ann, refused, false, "", "{}");
        decide(ben, refused, false, "too dear", "{}");
        var saga = server.awaitStatus(refused.saga().toString(), "FAILED");
        assertThat(saga.path("errorMessage").asString(""))
                .isEqualTo("Step `decide` failed: rejected by Ben: too dear.");
        assertThat(saga.path("steps").path(0).path("phase").asString("")).isEqualTo("COMPENSATED");
        assertThat(get(refused).state()).isEqualTo(Approvals.State.REJECTED);
    }

    @Test
    void whatIsNotDecidedInTimeIsRemindedEscalatedAndThenUndone() {
        server.register(simple(
                "late",
                List.of(ann),
                1,
                ", deadline: 1500ms, reminder: 1400ms, escalateTo: ['%s']".formatted(ben.hex())));
        var approval = awaitApproval(start("late", "{}"));
        server.awaitStatus(approval.saga().toString(), "FAILED");
        assertThat(get(approval).state()).isEqualTo(Approvals.State.OVERDUE);
        assertThat(get(approval).assignees()).hasSize(2);
        assertThat(events(approval))
                .containsExactly("requested open 1", "requested open 1", "reminded open 2", "closed overdue 0");
    }

    @Test
    void aCancelledSagaAsksNobodyAnyMore() {
        server.register(simple("dropped", List.of(ann), 1, ""));
        var approval = awaitApproval(start("dropped", "{}"));
        server.sagas.cancel(server.accounts.caller(server.operatorId), approval.saga());
        assertThat(code(() -> decide(ann, approval, true, "", "{}"))).isEqualTo("saga.approval-closed");
        server.awaitStatus(approval.saga().toString(), "CANCELLED");
        assertThat(get(approval).state()).isEqualTo(Approvals.State.WITHDRAWN);
        assertThat(events(approval)).containsExactly("requested open 1", "closed withdrawn 0");
        assertThat(server.saga(approval.saga().toString()).path("waitingFor").isNull())
                .isTrue();
    }

    @Test
    void anApprovalThatAnOperatorResolvesIsClosedAndAskedForAgainWhenThatIsUndone() {
        server.register("""
                name: resolved
                steps:
                  - {name: decide, approval: {assignees: ['%s', '%s'], title: Sign, quorum: 2}}
                  - {name: wait, waitForSignal: go-on}
                """.formatted(ann.hex(), ben.hex()));
        var id = start("resolved", "{}");
        var approval = awaitApproval(id);
        server.awaitRest(id);
        decide(ann, approval, true, "", "{}");
        server.awaitRest(id);
        resolve(id, "{'action':'skip','step':'decide'}");
        assertThat(get(approval).state()).isEqualTo(Approvals.State.WITHDRAWN);
        assertThat(code(() -> decide(ben, approval, true, "", "{}"))).isEqualTo("saga.approval-closed");
        Awaitility.await()
                .until(() -> server.saga(id).at("/waits/0/signal").asString("").equals("go-on"));
        server.awaitRest(id);
        resolve(id, "{'action':'undo'}");
        assertThat(get(approval).state()).isEqualTo(Approvals.State.OPEN);
        assertThat(events(approval))
                .containsExactly("requested open 2", "decided open 1", "closed withdrawn 0", "requested open 1");
        decide(ben, approval, true, "", "{}");
        Awaitility.await()
                .until(() -> server.saga(id).at("/waits/0/signal").asString("").equals("go-on"));
    }

    private static void resolve(String saga, String body) {
        var reply = server.operator.post("/api/v1/sagas/" + saga + "/resolve", body);
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("202");
    }

    @Test
    void withoutAnybodyLeftToAgreeTheStepFails() {
        var leaving = server.accounts.user("Leaving");
        server.register(simple("left", List.of(leaving), 1, ""));
        var approval = awaitApproval(start("left", "{}"));
        server.accounts.users.delete(server.accounts.caller(server.adminId), leaving);
        var saga = server.awaitStatus(approval.saga().toString(), "FAILED");
        assertThat(saga.path("errorMessage").asString("")).contains("too few of those who were asked are left");
    }

    @Test
    void whoeverLeavesIsNotAskedAnyMoreForAnything() {
        var leaving = server.accounts.user("Leaver");
        server.register(simple("leaving", List.of(leaving), 1, ""));
        server.register(simple("staying", List.of(leaving, ann), 1, ""));
        var only = awaitApproval(start("leaving", "{}"));
        var other = awaitApproval(start("staying", "{}"));
        server.approvals.leave(leaving);
        server.awaitStatus(only.saga().toString(), "FAILED");
        assertThat(get(other).assignees()).extracting(Approvals.Assignee::user).containsExactly(ann);
        assertThat(get(other).state()).isEqualTo(Approvals.State.OPEN);
    }

    @Test
    void unknownAssigneesAreRefusedWhenRegisteredAndFailTheStepWhenReferredTo() {
        assertThatThrownBy(() -> server.register(simple("nobody", List.of(new UserId(77)), 1, "")))
                .hasMessageContaining(new UserId(77).hex());
        server.register("""
                name: referred
                steps: [{name: decide, approval: {assignees: [$.payload.manager], title: Sign}}]
                """);
        var names = IntStream.range(0, 1001).mapToObj("'n%d'"::formatted).collect(Collectors.joining(", ", "[", "]"));
        var many = server.awaitStatus(start("referred", "{'manager': %s}".formatted(names)), "FAILED");
        assertThat(many.path("errorMessage").asString("")).contains("at most 1,000");
        var unknown = server.awaitStatus(start("referred", "{'manager': 'x@nowhere.example'}"), "FAILED");
        assertThat(unknown.path("errorMessage").asString(""))
                .isEqualTo(
                        "Step `decide` failed: x@nowhere.example is no account's id or e-mail address, and no role.");
        var missing = server.awaitStatus(start("referred", "{}"), "FAILED");
        assertThat(missing.path("errorMessage").asString("")).contains("$.payload.manager");
        var role = awaitApproval(start("referred", "{'manager': 'role:operator'}"));
        assertThat(role.assignees()).extracting(Approvals.Assignee::user).contains(server.operatorId, server.adminId);
    }

    @Test
    void assigneesMayBeExpressions() {
        server.register("""
                name: computed
                steps:
                  - {name: one, approval: {assignees: ["=payload.manager", "%s"], title: Sign, quorum: 2}}
                """.formatted(ben.hex()));
        server.register("""
                name: computed-list
                steps: [{name: all, approval: {assignees: "=payload.big ? payload.all : [payload.all[0]]", title: Sign}}]
                """);
        var one = awaitApproval(start("computed", "{'manager': '%s'}".formatted(ann.hex())));
        assertThat(one.assignees()).extracting(Approvals.Assignee::user).containsExactlyInAnyOrder(ann, ben);
        var all = awaitApproval(
                start("computed-list", "{'big': false, 'all': ['%s', '%s']}".formatted(ann.hex(), ben.hex())));
        assertThat(all.assignees()).extracting(Approvals.Assignee::user).containsExactly(ann);
        var missing = server.awaitStatus(start("computed", "{}"), "FAILED");
        assertThat(missing.path("errorMessage").asString("")).contains("manager");
    }

    @Test
    void onlyAssigneesDecideAndOnlyThoseWhoMayKnowLearnOfIt() {
        server.register(simple("closed-circle", List.of(ann), 1, ""));
        var approval = awaitApproval(start("closed-circle", "{}"));
        assertThat(code(() -> decide(ben, approval, true, "", "{}"))).isEqualTo("saga.no-approval");
        assertThat(code(() -> decide(server.operatorId, approval, true, "", "{}")))
                .isEqualTo("saga.not-an-assignee");
        assertThat(code(() -> server.approvals.get(server.accounts.caller(ben), approval.id())))
                .isEqualTo("saga.no-approval");
        assertThat(server.approvals
                        .get(server.accounts.caller(ann), approval.id())
                        .title())
                .isEqualTo("Sign");
    }

    @Test
    void theLinkOfAMailDecidesOnceAndNoOtherDoes() {
        var dora = server.accounts.user("Dora");
        server.register(simple("mailed", List.of(ann, ben, dora), 2, ""));
        var approval = awaitApproval(start("mailed", "{}"));
        var path = server.approvals.mailPath(ann, approval.id());
        var token = path.substring(path.lastIndexOf('/') + 1);
        assertThat(server.approvals.linked(token).orElseThrow().user()).isEqualTo(ann);
        var forged = (token.charAt(0) == 'A' ? "B" : "A") + token.substring(1);
        assertThat(server.approvals.linked(forged)).isEmpty();
        var stranger = server.approvals.mailPath(cleo, approval.id());
        assertThat(server.approvals.linked(stranger.substring(stranger.lastIndexOf('/') + 1)))
                .isEmpty();
        server.approvals.decideLinked(token, true, "by mail", Map.of());
        assertThat(code(() -> server.approvals.decideLinked(token, false, "", Map.of())))
                .isEqualTo("saga.decided-already");
        var suspended = server.approvals.mailPath(dora, approval.id());
        assertThat(server.approvals.linked(suspended.substring(suspended.lastIndexOf('/') + 1)))
                .isPresent();
        server.accounts.suspend(dora);
        assertThat(server.approvals.linked(suspended.substring(suspended.lastIndexOf('/') + 1)))
                .isEmpty();
    }

    @Test
    void theListShowsWhatWaitsAndForWhat() {
        server.register(simple("listed", List.of(ann), 1, ""));
        server.register("name: signalled\nsteps: [{name: wait, waitForSignal: go-on}]\n");
        var asked = start("listed", "{}");
        var signalled = start("signalled", "{}");
        awaitApproval(asked);
        Awaitility.await().until(() -> waiting("&workflowName=signalled").equals(List.of(signalled + " go-on")));
        assertThat(waiting("&workflowName=listed")).containsExactly(asked + " decide");
        var resting = server.awaitRest(asked);
        assertThat(resting.path("wakeAt").isNull()).as("nothing looks at it").isTrue();
        assertThat(waiting("")).contains(asked + " decide", signalled + " go-on");
        assertThat(waiting("&correlationId=none")).isEmpty();
        decide(ann, awaitApproval(asked), true, "", "{}");
        server.awaitStatus(asked, "COMPLETED");
        assertThat(waiting("&workflowName=listed")).isEmpty();
    }

    private static List<String> waiting(String more) {
        return server.auditor
                .get("/api/v1/sagas?status=WAITING&limit=100" + more)
                .json()
                .path("items")
                .valueStream()
                .map(saga -> saga.path("id").asString("") + " "
                        + saga.path("waitingFor").asString(""))
                .toList();
    }

    private static String simple(String name, List<UserId> assignees, int quorum, String more) {
        return """
                name: %s
                steps:
                  - {name: reserve, service: test, method: do-a, compensate: undo-a}
                  - {name: decide, approval: {assignees: %s, title: Sign, quorum: %d%s}}
                """.formatted(
                name, assignees.stream().map(user -> "'" + user.hex() + "'").toList(), quorum, more);
    }

    private static String start(String workflow, String payload) {
        var body = "{'workflowName':'%s','payload':%s}".formatted(workflow, payload);
        var reply = server.operator.post("/api/v1/sagas", body);
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("201");
        return reply.text("id");
    }

    private static Approval awaitApproval(String saga) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> server.approvals.of(server.accounts.caller(server.adminId), SagaId.parse(saga)),
                        found -> !found.isEmpty())
                .getFirst();
    }

    private static Approval get(Approval approval) {
        return server.approvals.get(server.accounts.caller(server.adminId), approval.id());
    }

    private static void decide(UserId user, Approval approval, boolean approve, String comment, String answers) {
        server.approvals.decide(
                server.accounts.caller(user), approval.id(), new Answer(approve, comment, json(answers)));
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    private static List<String> faults(UserId user, Approval approval, String answers) {
        try {
            decide(user, approval, true, "", answers);
            return List.of();
        } catch (Problem e) {
            return e.fields().stream().map(Problem.FieldError::field).toList();
        }
    }

    /** The code of the problem; empty if there is none. */
    private static String code(Runnable act) {
        try {
            act.run();
            return "";
        } catch (Problem e) {
            return e.code();
        }
    }

    private static List<String> events(Approval approval) {
        return server.accounts.db.read(reads -> reads.query("""
                SELECT replace(payload ->> 'type', 'approval-', '') || ' ' || (payload ->> 'state') || ' '
                       || jsonb_array_length(payload -> 'users')
                FROM platform.event_logs
                WHERE payload ->> 'approvalId' = :id
                ORDER BY event_id
                """)
                .bind("id", Ids.hex(approval.id()))
                .mapTo(String.class)
                .list());
    }
}
