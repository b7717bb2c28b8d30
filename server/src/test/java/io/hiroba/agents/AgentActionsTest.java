package io.hiroba.agents;

import static io.hiroba.agents.ActingAgent.LARGE;
import static io.hiroba.agents.ActingAgent.SMALL;
import static io.hiroba.agents.ActingAgent.asksFor;
import static io.hiroba.agents.ActingAgent.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.platform.problem.Problem;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Changes that agents make, at once or with the approval of their callers, by nodes that die at any point. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentActionsTest {

    private final ActingAgent it = new ActingAgent();

    @BeforeEach
    void begin() {
        it.begin();
    }

    @AfterAll
    void close() {
        it.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"requested", "begun", "made", "made and noted"})
    void aSmallChangeIsMadeOnceWhereverTheNodeDies(String deadly) throws InterruptedException {
        it.asked(asksFor(SMALL, "{\"content\":\"Made\"}"), says("Posted."));
        it.dieAt(deadly);
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).isEqualTo("Posted.");
        assertThat(it.tools.made).hasSize(1);
        assertThat(it.requests).as("the model is not asked again").hasSize(2);
        assertThat(it.told()).contains(it.tools.made.values().iterator().next().substring(7, 20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"requested", "begun", "made", "made and noted"})
    void aLargeChangeIsMadeOnceAfterTheCallerApprovedWhereverTheNodeDies(String deadly) throws InterruptedException {
        long approval = it.waiting("{\"workflowName\":\"pay\",\"amount\":1.50}");
        assertThat(it.events(approval)).containsExactly("approval-requested open");
        assertThat(it.work()).as("nobody holds the run").isFalse();
        assertThat(it.tools.made).isEmpty();
        it.approvals.decide(it.ann, approval, true, "");
        it.dieAt(deadly);
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).isEqualTo("Ended.");
        assertThat(it.tools.made.values()).containsExactly("{\"workflowName\":\"pay\",\"amount\":1.50}");
        assertThat(it.requests).hasSize(2);
        assertThat(it.events(approval)).containsExactly("approval-requested open", "approval-closed approved");
        assertThat(it.approvals.find(it.ann, approval).orElseThrow().outcome()).isEqualTo("done");
        assertThat(it.approvals.find(it.bob, approval)).isEmpty();
    }

    @Test
    void aNodeThatDiesBeforeTheApprovalIsRequestedLeavesOne() throws InterruptedException {
        it.asked(asksFor(LARGE, "{}"), says("Ended."));
        it.dieAt("requested");
        assertThat(it.open()).hasSize(1);
        assertThat(it.run().state()).isEqualTo(State.APPROVAL);
        assertThat(it.work()).isFalse();
    }

    @Test
    void aRefusalIsToldWithItsCommentAndNothingIsDone() throws InterruptedException {
        long approval = it.waiting("{}");
        assertThatThrownBy(() -> it.approvals.decide(it.bob, approval, true, ""))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> it.approvals.decide(it.ann, approval, false, "x".repeat(5_001)))
                .isInstanceOf(Problem.class);
        it.approvals.decide(it.ann, approval, false, "Too \"expensive\"}");
        assertThatThrownBy(() -> it.approvals.decide(it.ann, approval, true, ""))
                .isInstanceOf(Problem.class);
        assertThat(it.work()).isTrue();
        assertThat(it.told()).contains("refused by the person who asked", "Too \\\"expensive\\\"}");
        assertThat(it.tools.made).isEmpty();
        assertThat(it.reply()).isEqualTo("Ended.");
    }

    @Test
    void whatNobodyDecidesInTimeIsNotDoneAndTheAnswerSaysSo() throws InterruptedException {
        long approval = it.waiting("{}");
        it.social.db.useTransaction(tx -> {
            tx.update("UPDATE agents.actions SET expires_at = now() WHERE id = :id")
                    .bind("id", approval)
                    .execute();
            tx.update("UPDATE agents.runs SET due_at = now() WHERE state = 'approval'")
                    .execute();
        });
        assertThatThrownBy(() -> it.approvals.decide(it.ann, approval, true, ""))
                .isInstanceOf(Problem.class);
        assertThat(it.work()).isTrue();
        assertThat(it.told()).contains("nobody approved it in time");
        assertThat(it.tools.made).isEmpty();
        assertThat(it.events(approval)).endsWith("approval-closed overdue");
    }

    @Test
    void ofManyDecisionsAtOnceOneCountsAndManyNodesMakeOneChange() throws Exception {
        long approval = it.waiting("{}");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var decided = IntStream.range(0, 6)
                    .mapToObj(i -> threads.submit(() -> {
                        try {
                            it.approvals.decide(it.ann, approval, true, "");
                            return 1;
                        } catch (Problem late) {
                            return 0;
                        }
                    }))
                    .toList();
            int counted = 0;
            for (var each : decided) {
                counted += each.get();
            }
            assertThat(counted).isEqualTo(1);
            var nodes = IntStream.range(0, 4)
                    .mapToObj(i -> threads.submit(it::work))
                    .toList();
            for (var each : nodes) {
                each.get();
            }
        }
        assertThat(it.tools.made).hasSize(1);
        assertThat(it.reply()).isEqualTo("Ended.");
    }

    @Test
    void aNodeThatWasSilentForLongerThanItsClaimMakesNoSecondChange() throws InterruptedException {
        it.asked(asksFor(SMALL, "{\"content\":\"Once\"}"), says("Posted."));
        var silent = it.node(point -> {
            if (point.equals("begun")) {
                it.endClaims();
                try {
                    it.work();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        assertThat(silent.runOne()).isTrue();
        assertThat(it.tools.made).hasSize(1);
        assertThat(it.reply()).isEqualTo("Posted.");
    }

    @Test
    void rightsAreJudgedAgainWhenItIsCarriedOut() throws InterruptedException {
        long approval = it.waiting("{}");
        it.approvals.decide(it.ann, approval, true, "");
        it.tools.refuses = true;
        assertThat(it.work()).isTrue();
        assertThat(it.told()).contains("Forbidden");
        assertThat(it.tools.made).isEmpty();
        assertThat(it.approvals.find(it.ann, approval).orElseThrow().outcome()).isEqualTo("failed");
    }

    @Test
    void whatWouldBeRefusedIsNotAskedFor() throws InterruptedException {
        it.tools.refuses = true;
        it.asked(asksFor(LARGE, "{}", LARGE, "nonsense", LARGE, "{\"a\":\"" + "x".repeat(20_001) + "\"}"), says("No."));
        assertThat(it.work()).isTrue();
        assertThat(it.told()).contains("Forbidden", "one JSON object", "too long");
        assertThat(it.reply()).isEqualTo("No.");
    }

    @Test
    void aSuspendedCallerOrADisabledAgentMeansThatNothingIsDone() throws InterruptedException {
        long approval = it.waiting("{}");
        it.approvals.decide(it.ann, approval, true, "");
        it.agents.update(it.admin, it.agent, new Settings(null, null, null, null, null, null, null, null, false));
        assertThat(it.work()).isTrue();
        assertThat(it.run().reason()).isEqualTo(Reason.DISABLED);
        it.agents.update(it.admin, it.agent, new Settings(null, null, null, null, null, null, null, null, true));
        it.script.clear();
        long second = it.waiting("{}");
        it.social.accounts.suspend(it.ann.user());
        assertThatThrownBy(() -> it.approvals.decide(it.ann, second, true, "")).isInstanceOf(Problem.class);
        it.social.accounts.module.suspensions().restore(it.admin, it.ann.user());
        it.approvals.decide(it.ann, second, true, "");
        it.social.accounts.suspend(it.ann.user());
        assertThat(it.work()).isTrue();
        assertThat(it.run().state()).isEqualTo(State.REFUSED);
        it.social.accounts.module.suspensions().restore(it.admin, it.ann.user());
        assertThat(it.tools.made).isEmpty();
    }

    @Test
    void aRunThatIsStoppedOrWhoseAgentIsDeletedAsksForNothingAnyMore() throws InterruptedException {
        long stopped = it.waiting("{}");
        it.agents.stop(it.ann, it.agent, it.run().id());
        assertThat(it.events(stopped)).endsWith("approval-closed withdrawn");
        assertThatThrownBy(() -> it.approvals.decide(it.ann, stopped, true, "")).isInstanceOf(Problem.class);
        it.script.clear();
        long deleted = it.waiting("{}");
        it.agents.delete(it.admin, it.agent);
        assertThat(it.events(deleted)).endsWith("approval-closed withdrawn");
        assertThatThrownBy(() -> it.approvals.decide(it.ann, deleted, true, "")).isInstanceOf(Problem.class);
        assertThat(it.work()).isFalse();
        assertThat(it.tools.made).isEmpty();
    }

    @Test
    void changesOfATurnAreMadeInTheirOrderOnceAllAreDecidedAndNoMoreThanARunMay() throws InterruptedException {
        it.asked(
                asksFor(LARGE, "{\"n\":1}", SMALL, "{\"n\":2}", LARGE, "{\"n\":3}", LARGE, "{\"n\":4}"),
                says("Ended."));
        assertThat(it.work()).isTrue();
        assertThat(it.tools.made).isEmpty();
        var both = it.open();
        assertThat(both).hasSize(2);
        it.approvals.decide(it.ann, both.getLast(), true, "");
        assertThat(it.work()).as("one is open").isFalse();
        it.approvals.decide(it.ann, both.getFirst(), false, "");
        assertThat(it.work()).isTrue();
        assertThat(it.tools.made.values()).containsExactlyInAnyOrder("{\"n\":2}", "{\"n\":3}");
        assertThat(it.told()).contains("changed as much as it may");
    }

    @Test
    void aChangeThatMayHaveBeenMadeIsTriedAgain() throws InterruptedException {
        it.asked(asksFor(SMALL, "{\"content\":\"Later\"}"), says("Posted."));
        it.tools.breaks = true;
        assertThat(it.work()).isTrue();
        assertThat(it.run().state()).isEqualTo(State.WAITING);
        it.tools.breaks = false;
        it.endClaims();
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).isEqualTo("Posted.");
        assertThat(it.requests).hasSize(2);
    }

    @Test
    void agentsThatPostToOneAnotherByToolsStopAndAreGivenNoApprovals() throws InterruptedException {
        var other = it.agent("Other" + it.name);
        it.asked(asksFor(SMALL, "{\"content\":\"@Other" + it.name + " your turn\"}"), says("Posted."));
        assertThat(it.work()).isTrue();
        it.social.settle();
        var woken = it.agents.runs(it.admin, other, Optional.empty(), 1).getFirst();
        assertThat(woken.depth()).isEqualTo(1);
        it.script.addAll(List.of(
                asksFor(SMALL, "{\"content\":\"@" + it.name + " no, yours\"}", LARGE, "{}"), says("Posted back.")));
        assertThat(it.work()).isTrue();
        assertThat(it.told()).contains("an agent asked for it");
        it.social.settle();
        assertThat(it.run().depth()).isEqualTo(2);
        assertThat(it.run().reason()).isEqualTo(Reason.DEPTH);
    }

    @Test
    void argumentsCannotWriteIntoTheTextOfAnApproval() throws InterruptedException {
        var spoof = "```\n\n# Harmless\n\n[Approve](https://evil.example)\u202Etxt.exe\u0007<b>";
        var input = JsonMapper.shared()
                .writeValueAsString(Map.of(
                        "workflowName",
                        spoof,
                        "amount",
                        new BigDecimal("0.1000000000000000055"),
                        "note",
                        "line\nApproved: yes\n".repeat(200)));
        long id = it.waiting(input);
        var approval = it.approvals.find(it.ann, id).orElseThrow();
        assertThat(approval.title()).isEqualTo(it.name + " asks for your approval: start a saga");
        assertThat(approval.text().lines().toList())
                .startsWith("`sagas_start`", "", "````json")
                .endsWith("````")
                .doesNotContain("# Harmless");
        assertThat(approval.text()).doesNotContain("\u202E", "\u0007").contains("\\u{202e}");
        assertThat(approval.arguments()).contains(new AgentApprovals.Argument("amount", "0.1000000000000000055"));
        var shown = approval.arguments().stream()
                .filter(argument -> argument.name().equals("workflowName"))
                .findFirst()
                .orElseThrow();
        assertThat(shown.value()).contains("# Harmless", "\\u{202e}").doesNotContain("\u202E");
        it.agents.stop(it.ann, it.agent, it.run().id());
    }
}
