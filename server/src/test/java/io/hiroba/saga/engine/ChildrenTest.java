package io.hiroba.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Text;
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
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps that are sagas of their own. */
class ChildrenTest {

    private static final TestDatabase DATABASE = TestDatabase.create();

    private final TestSagas sagas = new TestSagas(DATABASE);
    private final TestService service = sagas.service;

    @AfterEach
    void close() {
        sagas.close();
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    @Test
    void aStepIsDoneWhenItsSagaIsAndItsAnswerIsThoseOfItsSteps() {
        sagas.define(TestWorkflow.named("ship").steps("pack", "send").build());
        var id = sagas.start(
                node(),
                TestWorkflow.named("order")
                        .steps("a")
                        .child("ship", "ship")
                        .mapped("b", "{\"by\": \"$.steps.ship.send.by\"}")
                        .build());
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.effects()).containsExactly("do a", "do pack", "do send", "do b");
        assertThat(service.calls("do b").getFirst().input()).hasToString("{\"by\":\"send\"}");
        assertThat(service.calls("do pack").getFirst().input().path("order").asInt())
                .isEqualTo(7);
        var child = only(sagas.children(id));
        assertThat(sagas.status(child)).isEqualTo(SagaStatus.COMPLETED);
        assertThat(sagas.text(child, "correlation_id")).isEqualTo("order-7");
        assertThat(sagas.text(child, "root_id")).isEqualTo(id.toString());
        assertThat(sagas.told(id)).containsExactly("STARTED", "RUNNING", "COMPLETED");
    }

    @Test
    void aSagaThatWaitsForAnotherHoldsNothing() {
        var hold = service.holds("do pack");
        sagas.define(TestWorkflow.named("ship").steps("pack").build());
        var id = sagas.start(
                node(), TestWorkflow.named("order").child("ship", "ship").build());
        hold.awaitCall();
        sagas.awaitRest(id);
        assertThat(sagas.text(id, "wake_at")).isEmpty();
        hold.release();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
    }

    @Test
    void aFailedSagaFailsTheStepAndAllIsUndone() {
        service.fails("do send", Failed.nonRetryable(Text.verbatim("There are no stamps.")));
        sagas.define(TestWorkflow.named("ship").steps("pack", "send").build());
        var id = sagas.start(
                node(),
                TestWorkflow.named("order").steps("a").child("ship", "ship").build());
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.effects()).containsExactly("do a", "do pack", "undo pack", "undo a");
        assertThat(sagas.log(id))
                .containsExactly(
                        "EXECUTE a SUCCESS", "EXECUTE ship FAILED", "COMPENSATE ship SUCCESS", "COMPENSATE a SUCCESS");
        assertThat(sagas.error(id))
                .isEqualTo("Step `ship` failed after 1 attempt: saga %s ended without success: "
                                .formatted(only(sagas.children(id)))
                        + "Step `send` failed after 1 attempt: There are no stamps.");
    }

    @Test
    void aCompletedSagaIsUndoneWithItsParent() {
        service.fails("do b", Failed.nonRetryable(Text.verbatim("no")));
        sagas.define(TestWorkflow.named("ship").steps("pack", "send").build());
        var id = sagas.start(
                node(),
                TestWorkflow.named("order")
                        .steps("a")
                        .child("ship", "ship")
                        .steps("b")
                        .build());
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.effects()).containsExactly("do a", "do pack", "do send", "undo send", "undo pack", "undo a");
        var child = only(sagas.children(id));
        assertThat(sagas.status(child)).isEqualTo(SagaStatus.CANCELLED);
        assertThat(sagas.told(child)).containsExactly("STARTED", "RUNNING", "COMPLETED", "COMPENSATING", "CANCELLED");
        assertThat(sagas.error(child)).contains("The saga that started it");
    }

    @Test
    void childrenOfChildrenAreUndoneToo() {
        service.fails("do b", Failed.nonRetryable(Text.verbatim("no")));
        sagas.define(TestWorkflow.named("pack").steps("wrap").build());
        sagas.define(
                TestWorkflow.named("ship").child("pack", "pack").steps("send").build());
        var id = sagas.start(
                node(),
                TestWorkflow.named("order").child("ship", "ship").steps("b").build());
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.effects()).containsExactly("do wrap", "do send", "undo send", "undo wrap");
        var child = only(sagas.children(id));
        assertThat(sagas.text(only(sagas.children(child)), "root_id")).isEqualTo(id.toString());
        assertThat(sagas.text(only(sagas.children(child)), "depth")).isEqualTo("2");
    }

    @Test
    void cancellingASagaCancelsThoseThatItWaitsFor() {
        var id = sagas.start(node(), waitingForAWord());
        awaitRestOf(id);
        sagas.cancel(id);
        sagas.awaitStatus(id, SagaStatus.CANCELLED);
        assertThat(sagas.status(only(sagas.children(id)))).isEqualTo(SagaStatus.CANCELLED);
        assertThat(service.effects()).containsExactly("do a", "do pack", "undo pack", "undo a");
    }

    @Test
    void cancellingAChildFailsItsParent() {
        var id = sagas.start(node(), waitingForAWord());
        awaitRestOf(id);
        sagas.cancel(only(sagas.children(id)));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.effects()).containsExactly("do a", "do pack", "undo pack", "undo a");
    }

    @Test
    void aSagaThatIsCancelledWhileItsChildCompletesHasItUndone() {
        var hold = service.holds("do pack");
        sagas.define(TestWorkflow.named("ship").steps("pack").build());
        var id = sagas.start(
                node(),
                TestWorkflow.named("order").child("ship", "ship").steps("b").build());
        hold.awaitCall();
        sagas.awaitRest(id);
        sagas.cancel(id);
        hold.release();
        sagas.awaitStatus(id, SagaStatus.CANCELLED);
        assertThat(service.effects()).containsExactly("do pack", "undo pack");
    }

    @Test
    void aParentWaitsForAChildThatCannotBeUndoneUntilAnOperatorMendsIt() {
        service.fails("do b", Failed.nonRetryable(Text.verbatim("no")));
        service.fails("undo pack", Failed.nonRetryable(Text.verbatim("gone")));
        sagas.define(TestWorkflow.named("ship").steps("pack").build());
        var id = sagas.start(
                node(),
                TestWorkflow.named("order")
                        .steps("a")
                        .child("ship", "ship")
                        .steps("b")
                        .build());
        Awaitility.await()
                .until(() -> !sagas.children(id).isEmpty()
                        && sagas.text(only(sagas.children(id)), "stuck").equals("true"));
        sagas.awaitRest(id);
        assertThat(sagas.status(id)).isEqualTo(SagaStatus.COMPENSATING);
        assertThat(sagas.text(id, "stuck")).isEqualTo("false");
        service.heals("undo pack");
        sagas.retry(only(sagas.children(id)));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.effects()).containsExactly("do a", "do pack", "undo pack", "undo a");
    }

    @Test
    void aListHasASagaForEachElementAndNoMoreAtATimeThanAllowed() {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        service.on("do line", call -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            service.take(call);
            running.decrementAndGet();
            return new StepOutcome.Done(call.input());
        });
        sagas.define(TestWorkflow.named("line").steps("line").build());
        var id = sagas.start(
                node(), lines(3).mapped("last", "\"$.steps.each[6].line.item\"").build(), list(7));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.children(id)).hasSize(7);
        assertThat(service.calls("do line"))
                .extracting(call -> call.input().toString())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 7)
                        .mapToObj("{\"item\":\"e%1$d\",\"number\":%1$d}"::formatted)
                        .toList());
        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(service.calls("do last").getFirst().input()).hasToString("\"e6\"");
        assertThat(sagas.text(sagas.children(id).getLast(), "child_count")).isEqualTo("7");
    }

    @Test
    void anEmptyListIsDoneAtOnce() {
        sagas.define(TestWorkflow.named("line").steps("line").build());
        service.fails("do b", Failed.nonRetryable(Text.verbatim("no")));
        var id = sagas.start(node(), lines(3).steps("b").build(), list(0));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id))
                .containsExactly("EXECUTE each SUCCESS", "EXECUTE b FAILED", "COMPENSATE each SKIPPED");
    }

    @Test
    void whereOneOfAListFailsNoMoreAreStartedAndTheOthersAreUndoneFromTheLast() {
        service.on("do line", call -> {
            if (call.input().path("number").asInt() == 2) {
                return Failed.nonRetryable(Text.verbatim("no"));
            }
            service.take(call);
            return TestService.done(call);
        });
        sagas.define(TestWorkflow.named("line").steps("line").build());
        var id = sagas.start(node(), lines(1).build(), list(6));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        var children = sagas.children(id);
        assertThat(children).hasSize(3);
        assertThat(service.calls("undo line"))
                .extracting(call -> call.saga())
                .containsExactly(children.get(1), children.get(0));
    }

    @Test
    void manyThatEndAtOnceWakeTheirParentForGood() {
        var all = new CountDownLatch(20);
        service.on("do line", call -> {
            all.countDown();
            try {
                all.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return TestService.done(call);
        });
        sagas.define(TestWorkflow.named("line").steps("line").build());
        node();
        var id = sagas.start(node(), lines(20).build(), list(20));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.calls("do line")).hasSize(20);
    }

    @Test
    void deadNodesStartNoChildTwiceAndLoseNone() {
        sagas.define(TestWorkflow.named("line").steps("line", "check").build());
        service.on("do check", call -> {
            if (call.input().path("number").asInt() % 10 == 3) {
                sagas.declareDead();
            }
            service.take(call);
            return TestService.done(call);
        });
        var first = node();
        node();
        service.fails("do b", Failed.nonRetryable(Text.verbatim("no")));
        var id = sagas.start(first, lines(4).steps("b").build(), list(40));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.children(id)).hasSize(40);
        assertThat(service.effects())
                .filteredOn(effect -> effect.endsWith("line") || effect.endsWith("check"))
                .hasSize(160);
        assertThat(sagas.children(id)).allMatch(child -> sagas.status(child) == SagaStatus.CANCELLED);
    }

    @Test
    void sagasThatStartThemselvesEndAtTheDeepestLevel() {
        var id = sagas.start(
                node(),
                TestWorkflow.named("loop").steps("a").child("again", "loop").build());
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.error(id)).contains("up to 8 levels deep").endsWith("deep.");
        assertThat(sagas.error(id).split("ended without success", -1))
                .as("told once")
                .hasSize(2);
        assertThat(service.calls("do a")).hasSize(9);
        assertThat(service.calls("undo a")).hasSize(9);
    }

    @Test
    void aWorkflowThatIsNotThereAndAListThatIsNoneFailTheStep() {
        var node = node();
        var missing = sagas.start(
                node, TestWorkflow.named("order").child("ship", "nothing").build());
        sagas.awaitStatus(missing, SagaStatus.FAILED);
        assertThat(sagas.error(missing)).contains("no workflow `nothing`");
        assertThat(sagas.log(missing)).containsExactly("EXECUTE ship FAILED");
        sagas.define(TestWorkflow.named("line").steps("line").build());
        var none = sagas.start(node, lines(1).build(), "{\"items\": 7}");
        sagas.awaitStatus(none, SagaStatus.FAILED);
        assertThat(sagas.error(none)).contains("does not refer to a list");
    }

    @Test
    void aSagaGoesOnAsAnotherOfTheSameWorkflow() {
        var node = node();
        var loop = TestWorkflow.named("loop")
                .mapped("a", "\"$.payload.round\"")
                .continueAsNew("next", "{\"before\": \"$.steps.a.by\"}")
                .build();
        var id = sagas.start(node, loop, "{\"round\": 1}");
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        var next = SagaId.parse(sagas.text(id, "continued_as"));
        assertThat(sagas.text(next, "continued_from")).isEqualTo(id.toString());
        assertThat(sagas.text(next, "payload")).isEqualTo("{\"before\": \"a\"}");
        assertThat(sagas.text(next, "correlation_id")).isEqualTo("order-7");
        assertThat(sagas.number(
                        "SELECT count(*) FROM saga.saga_states WHERE id = '%s' AND wake_at > now()".formatted(next)))
                .as("a loop that does nothing else does not fill the tables")
                .isEqualTo(1);
        // What the successor does is its own: its predecessor stays as it is.
        sagas.awaitStatus(next, SagaStatus.FAILED);
        assertThat(sagas.status(id)).isEqualTo(SagaStatus.COMPLETED);
        assertThat(service.effects()).containsExactly("do a");
    }

    @Test
    void aSagaThatGoesOnAsAnotherCannotBeAChild() {
        sagas.define(TestWorkflow.named("endless")
                .steps("a")
                .continueAsNew("next", "{}")
                .build());
        var id = sagas.start(
                node(), TestWorkflow.named("order").child("loop", "endless").build());
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.error(id)).contains("continueAsNew");
        assertThat(service.effects()).isEmpty();
    }

    /** One that finds what is due only where it is woken. */
    private Engine node() {
        return sagas.node(Duration.ofHours(1));
    }

    private Workflow waitingForAWord() {
        sagas.define(TestWorkflow.named("ship")
                .steps("pack")
                .signal("word", "go", null)
                .build());
        return TestWorkflow.named("order")
                .steps("a")
                .child("ship", "ship")
                .steps("b")
                .build();
    }

    /** Waits until the only child waits for its signal. */
    private void awaitRestOf(SagaId parent) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> sagas.children(parent).stream()
                        .anyMatch(child -> sagas.status(child) == SagaStatus.RUNNING
                                && sagas.text(child, "owner").isEmpty()));
    }

    private static TestWorkflow lines(int maxParallel) {
        return TestWorkflow.named("order").forEach("each", "line", "$.payload.items", maxParallel);
    }

    private static String list(int length) {
        return "{\"items\": [%s]}"
                .formatted(String.join(
                        ", ",
                        IntStream.range(0, length)
                                .mapToObj("\"e%d\""::formatted)
                                .toList()));
    }

    private static SagaId only(List<SagaId> children) {
        assertThat(children).hasSize(1);
        return children.getFirst();
    }
}
