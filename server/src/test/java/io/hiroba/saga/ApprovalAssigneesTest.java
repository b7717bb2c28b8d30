package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AiModel;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users.AgentProfile;
import io.hiroba.saga.Approvals.Approval;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The people whom approvals ask: neither agents nor roles without members. */
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class ApprovalAssigneesTest {

    private static TestSagaServer server;
    private static UserId ann;

    @BeforeAll
    static void start() {
        server = new TestSagaServer();
        ann = server.accounts.user("Ann");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aRoleWithoutMembersAsksNobodyAndAgentsAreNoAssignees() {
        var admin = server.accounts.caller(server.adminId);
        var auditor = server.accounts
                .db
                .read(reads -> server.roles.people(reads, "role:auditor"))
                .getFirst();
        // Who reads here has that role: they have another one meanwhile.
        server.roles.grant(admin, auditor, SagaRole.OPERATOR);
        try {
            server.register(
                    "name: roles\nsteps: [{name: decide, approval: {assignees: ['role:auditor', '%s'], title: Sign}}]"
                            .formatted(ann.hex()));
            var approval = awaitApproval(start("roles", "{}"));
            assertThat(approval.assignees())
                    .extracting(Approvals.Assignee::user)
                    .containsExactly(ann);
            server.register(
                    "name: empty\nsteps: [{name: decide, approval: {assignees: ['role:auditor'], title: Sign}}]");
            var nobody = server.awaitStatus(start("empty", "{}"), "FAILED");
            assertThat(nobody.path("errorMessage").asString(""))
                    .isEqualTo("Step `decide` failed: 1 approval is needed, and no active account of a person is among"
                            + " the assignees.");
        } finally {
            server.roles.grant(admin, auditor, SagaRole.AUDITOR);
        }
        var robot = server.accounts.db.inTransaction(tx -> {
            server.accounts.aiModels.ensure(tx, new AiModel("thinker", BigDecimal.ZERO, BigDecimal.ZERO, ""));
            return server.accounts.users.createAgent(tx, new AgentProfile(Nickname.parse("Robo"), "thinker", null));
        });
        assertThatThrownBy(() -> server.register(simple("robots", robot))).hasMessageContaining("which is an agent");
        server.register(
                "name: referred-to\nsteps: [{name: decide, approval: {assignees: [$.payload.manager], title: Sign}}]");
        var alone = server.awaitStatus(start("referred-to", "{'manager': '%s'}".formatted(robot.hex())), "FAILED");
        assertThat(alone.path("errorMessage").asString("")).contains("no active account of a person");
    }

    @Test
    void oneAssigneeThatIsNamedTwiceIsOne() {
        var email = server.accounts.emailOf(ann).value();
        for (var twice : List.of(List.of(ann.hex(), ann.hex()), List.of(ann.hex(), email))) {
            var workflow =
                    "name: twice\nsteps: [{name: decide, approval: {assignees: ['%s', '%s'], quorum: 2, title: Sign}}]"
                            .formatted(twice.toArray());
            assertThatThrownBy(() -> server.register(workflow)).hasMessageContaining("quorum");
        }
    }

    @Test
    void whoeverIsSuspendedWithoutAnEndIsMissedOnceTheQuorumNeedsThem() {
        var away = server.accounts.user("Away");
        var ben = server.accounts.user("Ben");
        server.register(
                "name: two-of-three\nsteps: [{name: decide, approval: {assignees: ['%s', '%s', '%s'], quorum: 2, title: Sign}}]"
                        .formatted(away.hex(), ann.hex(), ben.hex()));
        var approval = awaitApproval(start("two-of-three", "{}"));
        server.accounts.suspend(away);
        server.accounts.db.useTransaction(tx -> server.approvals.suspended(tx, away));
        var admin = server.accounts.caller(server.adminId);
        var asked = server.approvals.get(admin, approval.id());
        assertThat(asked.state()).isEqualTo(Approvals.State.OPEN);
        assertThat(asked.assignees())
                .filteredOn(Approvals.Assignee::suspended)
                .extracting(Approvals.Assignee::user)
                .containsExactly(away);
        var no = new Approvals.Answer(false, "", JsonMapper.shared().createObjectNode());
        server.approvals.decide(server.accounts.caller(ann), approval.id(), no);
        server.awaitStatus(approval.saga().toString(), "FAILED");
    }

    @Test
    void anUnknownAssigneeIsToldByItsPlaceAndAnEmptyOneAsSuch() {
        assertThatThrownBy(() -> server.register(simple("nobody", new UserId(77))))
                .isInstanceOfSatisfying(
                        SagaProblem.class,
                        problem -> assertThat(problem.definitionErrors())
                                .singleElement()
                                .satisfies(error -> {
                                    assertThat(error.line()).isEqualTo(2);
                                    assertThat(error.path()).isEqualTo("steps[0].approval.assignees[0]");
                                }));
        server.register(
                "name: referred\nsteps: [{name: decide, approval: {assignees: [$.payload.manager], title: Sign}}]");
        assertThat(server.awaitStatus(start("referred", "{'manager': ''}"), "FAILED")
                        .path("errorMessage")
                        .asString(""))
                .isEqualTo("Step `decide` failed: one of its assignees is empty.");
    }

    private static String simple(String name, UserId assignee) {
        return "name: %s\nsteps: [{name: decide, approval: {assignees: ['%s'], title: Sign}}]"
                .formatted(name, assignee.hex());
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
}
