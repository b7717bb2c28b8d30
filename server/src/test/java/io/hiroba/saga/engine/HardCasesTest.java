package io.hiroba.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestSagas;
import io.hiroba.testkit.TestService;
import io.hiroba.testkit.TestWorkflow;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What services and definitions can do to the engine, and what it makes of that. */
class HardCasesTest {

    private static final TestDatabase DATABASE = TestDatabase.create();

    private final TestSagas sagas = new TestSagas(DATABASE);
    private final TestService service = sagas.service;
    private final Engine node = sagas.node();

    @AfterEach
    void close() {
        sagas.close();
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    @Test
    void childrenAndSuccessorsHaveThePriorityOfTheirSaga() {
        sagas.define(TestWorkflow.named("ship").steps("pack").build());
        var order = sagas.define(TestWorkflow.named("order")
                .mapped("a", "\"$.payload.round\"")
                .child("ship", "ship")
                .continueAsNew("next", "{}")
                .build());
        var payload = JsonMapper.shared().createObjectNode().put("round", 1);
        var id = node.start(new NewSaga("order", payload, null, "test", null, 8), order);
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        var next = SagaId.parse(sagas.text(id, "continued_as"));
        sagas.awaitStatus(next, SagaStatus.FAILED);
        assertThat(sagas.text(sagas.children(id).getFirst(), "priority")).isEqualTo("8");
        assertThat(sagas.text(next, "priority")).isEqualTo("8");
    }

    private Workflow charges(int maxParallel) {
        return sagas.register("""
                name: charges-%1$d
                steps:
                  - {name: a, service: test, method: do-a, compensate: undo-a}
                  - name: charge
                    service: test
                    method: charge
                    compensate: refund
                    forEach: $.payload.lines
                    maxParallel: %1$d
                    retry: {maxAttempts: 1}
                    input: {amount: $.item, number: $.index, order: $.payload.order, by: $.steps.a.by}
                    compensateInput: {of: $.steps.charge.by, amount: $.item, number: "=index + 1"}
                  - {name: b, service: test, method: do-b, input: {charges: $.steps.charge}}
                """.formatted(maxParallel));
    }

    @Test
    void aCallIsMadeForEachElementAndItsAnswersAreAList() {
        var id = sagas.start(node, charges(10), "{\"order\": 7, \"lines\": [10, 20]}");
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.calls("charge"))
                .extracting(call -> call.input().toString())
                .containsExactlyInAnyOrder(
                        "{\"by\":\"a\",\"order\":7,\"amount\":10,\"number\":0}",
                        "{\"by\":\"a\",\"order\":7,\"amount\":20,\"number\":1}");
        assertThat(service.calls("do-b").getFirst().input())
                .hasToString("{\"charges\":[{\"by\":\"charge\",\"attempt\":1},{\"by\":\"charge\",\"attempt\":1}]}");
        assertThat(sagas.text(sagas.children(id).getFirst(), "workflow_name")).isEqualTo("charges-10/charge");
    }

    @Test
    void whereACallForAnElementFailsThoseBeforeItAreUndoneInReverse() {
        service.on("charge", call -> {
            if (call.input().path("number").asInt() == 2) {
                return Failed.nonRetryable(Text.verbatim("declined"));
            }
            service.take(call);
            return TestService.done(call);
        });
        var id = sagas.start(node, charges(1), "{\"order\": 7, \"lines\": [10, 20, 30, 40]}");
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.effects()).containsExactly("do-a", "charge", "charge", "refund", "refund", "undo-a");
        assertThat(service.calls("refund"))
                .extracting(call -> call.input().toString())
                .containsExactly(
                        "{\"of\":\"charge\",\"amount\":20,\"number\":2}",
                        "{\"of\":\"charge\",\"amount\":10,\"number\":1}");
        assertThat(sagas.children(id))
                .extracting(sagas::status)
                .containsExactly(SagaStatus.CANCELLED, SagaStatus.CANCELLED, SagaStatus.FAILED);
        assertThat(sagas.error(id)).contains("declined");
    }

    @Test
    void callsForElementsGoOnOnAnotherNodeAndEachTakesEffectOnce() {
        var hold = service.holds("charge");
        var id = sagas.start(node, charges(2), "{\"order\": 7, \"lines\": [10, 20, 30]}");
        hold.awaitCall();
        Awaitility.await().until(() -> service.calls("charge").size() == 2);
        service.heals("charge");
        sagas.declareDead();
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        hold.release();
        assertThat(service.effects()).containsExactly("do-a", "charge", "charge", "charge", "do-b");
    }

    @Test
    void aRetryByAPersonHasAllItsAttemptsAgain() {
        service.fails("do b", Failed.nonRetryable(Text.verbatim("no")));
        service.fails("undo a", Failed.nonRetryable(Text.verbatim("refused")));
        var id = sagas.start(node, TestWorkflow.of("a", "b"));
        awaitStuck(id);
        var tries = new AtomicInteger();
        service.on(
                "undo a",
                call -> tries.incrementAndGet() < 2 ? Failed.retryable(Text.verbatim("busy")) : TestService.done(call));
        sagas.retry(id);
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id)).endsWith("COMPENSATE a FAILED", "COMPENSATE a FAILED", "COMPENSATE a SUCCESS");
    }

    @Test
    void aRetryByAPersonIsToldAndTheSagaSaysAgainWhyItIsUndone() {
        service.fails("do b", Failed.nonRetryable(Text.verbatim("no")));
        service.fails("undo a", Failed.nonRetryable(Text.verbatim("refused")));
        var id = sagas.start(node, TestWorkflow.of("a", "b"));
        awaitStuck(id);
        assertThat(sagas.error(id)).contains("`a` could not be undone");
        var hold = service.holds("undo a");
        sagas.retry(id);
        hold.awaitCall();
        assertThat(sagas.error(id)).isEqualTo("Step `b` failed: no.");
        assertThat(sagas.told(id)).endsWith("stuck", "COMPENSATING");
        hold.release();
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.told(id))
                .containsExactly("STARTED", "RUNNING", "COMPENSATING", "stuck", "COMPENSATING", "FAILED");
    }

    @Test
    void aSignalsTimeDoesNotBeginAgainWhenAStepBesideItIsDone() {
        var hold = service.holds("do b");
        var workflow = TestWorkflow.named("beside")
                .parallelWithSignal("b", "ask", "approve", Duration.ofMillis(600))
                .build();
        var id = sagas.start(node, workflow);
        hold.awaitCall();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> age(id) >= 600);
        hold.release();
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE b SUCCESS", "EXECUTE ask TIMEOUT", "COMPENSATE b SUCCESS");
    }

    @Test
    void anErrorInAStepIsAFailureLikeAnother() {
        service.on("do a", call -> {
            throw new AssertionError("broken");
        });
        var id = sagas.start(node, TestWorkflow.of("a"));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a FAILED", "EXECUTE a FAILED", "COMPENSATE a SUCCESS");
        assertThat(sagas.error(id)).doesNotContain("broken");
    }

    @Test
    void anInputThatGrowsOutOfAllProportionIsNotSent() {
        var many = "\"$.payload\",".repeat(20_000);
        var workflow = TestWorkflow.named("bomb")
                .mapped("a", "[" + many.substring(0, many.length() - 1) + "]")
                .build();
        var id = sagas.start(node, workflow, "{\"text\": \"%s\"}".formatted("x".repeat(500_000)));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.calls("do a")).isEmpty();
        assertThat(sagas.error(id)).contains("its input is larger than 1 MB");
    }

    @Test
    void anAnswerThatOnlyLooksUnkeepableIsKept() {
        service.on(
                "do a",
                call -> new StepOutcome.Done(
                        JsonMapper.shared().createObjectNode().put("text", "a backslash: \\u0000")));
        var id = sagas.start(node, TestWorkflow.of("a"));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
    }

    @Test
    void aSagaThatIsSetAsideStillDoubtsWhatALostCallDid() {
        var workflow = TestWorkflow.named("doubt").steps("a", "b").build();
        var hold = service.holds("do b");
        var id = sagas.start(node, workflow);
        hold.awaitCall();
        sagas.forget(workflow);
        sagas.sql("UPDATE saga.saga_states SET owner = NULL, wake_at = now(), fence = fence + 1, in_doubt = true "
                + "WHERE id = '%s'".formatted(id));
        node.wake();
        awaitStuck(id);
        assertThat(sagas.text(id, "in_doubt")).isEqualTo("true");
        assertThat(sagas.text(id, "current_step")).isEqualTo("1");
        hold.release();
    }

    @Test
    void theAnswerOfAChildIsTheResultThatItsWorkflowMakes() {
        sagas.register("""
                name: priced
                steps: [{name: price, service: test, method: do-a}, {name: more, service: test, method: do-b}]
                output: {of: $.payload.of, by: $.steps.price.by}
                """);
        var parent = sagas.register("""
                name: pricing
                steps:
                  - {name: each, workflow: priced, forEach: $.payload.items, input: {of: "=item"}}
                  - {name: one, workflow: priced, input: {of: 9}}
                  - {name: use, service: test, method: do-c, input: {all: $.steps.each, one: $.steps.one.of}}
                """);
        var id = sagas.start(node, parent, "{\"items\": [1, 2]}");
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.calls("do-c").getFirst().input())
                .isEqualTo(JsonMapper.shared()
                        .readTree("{\"all\":[{\"of\":1,\"by\":\"price\"},{\"of\":2,\"by\":\"price\"}],\"one\":9}"));
    }

    private void awaitStuck(SagaId id) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() ->
                        sagas.number("SELECT count(*) FROM saga.saga_states WHERE stuck AND id = '%s'".formatted(id))
                                == 1);
    }

    private int age(SagaId id) {
        return sagas.number("""
                SELECT (extract(epoch FROM clock_timestamp() - created_at) * 1000)::int FROM saga.saga_states
                WHERE id = '%s'
                """.formatted(id));
    }
}
