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
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Several nodes on one database, some of which are taken for dead while they are not. */
@Tag("slow")
class NodesTest {

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
    void aDeadNodesSagaGoesOnElsewhereAndWhatItStillWritesIsRefused() {
        var first = sagas.node();
        var hold = service.holds("do b");
        var id = sagas.start(first, TestWorkflow.of("a", "b", "c"));
        hold.awaitCall();
        service.heals("do b");
        sagas.declareDead();
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.calls("do b")).hasSize(2);
        hold.release();
        Awaitility.await()
                .during(Duration.ofMillis(300))
                .until(() -> sagas.log(id).size() == 3);
        assertThat(service.effects()).containsExactly("do a", "do b", "do c");
        assertThat(sagas.told(id)).containsExactly("STARTED", "RUNNING", "COMPLETED");
    }

    @Test
    void noMoreSagasOfAWorkflowRunThanItSaysOnAllNodesTogether() {
        var workflow = limited("side-by-side", 2);
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        service.on("do-a", call -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            service.take(call);
            running.decrementAndGet();
            return TestService.done(call);
        });
        var nodes = List.of(sagas.node(Duration.ofHours(1)), sagas.node(Duration.ofHours(1)));
        var all = IntStream.range(0, 12)
                .mapToObj(i -> sagas.start(nodes.get(i % 2), workflow))
                .toList();
        all.forEach(id -> sagas.awaitStatus(id, SagaStatus.COMPLETED));
        assertThat(most.get()).isBetween(1, 2);
        assertThat(sagas.told(all.getLast())).containsExactly("STARTED", "RUNNING", "COMPLETED");
    }

    @Test
    void aSagaThatWaitsForAPlaceStaysInTheLineWhateverIsSaidToItAndGetsThePlaceOfADeadNodesSaga() {
        var workflow = limited("line", 1);
        var hold = service.holds("do-a");
        var node = sagas.node();
        var first = sagas.start(node, workflow);
        hold.awaitCall();
        var second = sagas.start(node, workflow);
        var third = sagas.start(node, workflow);
        sagas.signal(second, "go", "{}");
        sagas.cancel(second);
        sagas.awaitStatus(second, SagaStatus.CANCELLED);
        assertThat(sagas.status(third)).isEqualTo(SagaStatus.STARTED);
        assertThat(sagas.text(third, "wake_at")).isEmpty();
        // As if its node had died right after the end was written.
        sagas.sql("UPDATE saga.saga_states SET status = 'COMPLETED', owner = NULL, fence = fence + 1 WHERE id = '%s'"
                .formatted(first));
        service.heals("do-a");
        sagas.awaitStatus(third, SagaStatus.COMPLETED);
        hold.release();
    }

    @Test
    void childrenAndSuccessorsWaitForAPlaceToo() {
        var line = limited("element", 1);
        var parent = sagas.register("""
                name: bounded-list
                steps:
                  - {name: each, workflow: %s, forEach: $.payload.items}
                  - {name: next, continueAsNew: {workflow: %s}}
                """.formatted(line.name(), line.name()));
        var id = sagas.start(sagas.node(Duration.ofHours(1)), parent, "{\"items\": [1, 2, 3]}");
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.children(id))
                .hasSize(3)
                .allMatch(child -> !sagas.text(child, "admitted_at").isEmpty());
        var next = SagaId.parse(sagas.text(id, "continued_as"));
        sagas.awaitStatus(next, SagaStatus.COMPLETED);
        assertThat(sagas.text(next, "admitted_at")).isNotEmpty();
    }

    private Workflow limited(String name, int max) {
        return sagas.register("""
                name: %s
                maxRunning: %d
                steps: [{name: a, service: test, method: do-a}, {name: never, waitForSignal: go, when: 'false'}]
                """.formatted(name, max));
    }

    @Test
    void aSagaIsStartedUntilANodeTakesItUpAndRunsFromThenOn() {
        var first = sagas.node();
        var hold = service.holds("do a");
        var running = sagas.start(first, TestWorkflow.of("a", "b"));
        hold.awaitCall();
        assertThat(sagas.status(running)).isEqualTo(SagaStatus.RUNNING);
        assertThat(sagas.told(running)).containsExactly("STARTED", "RUNNING");
        hold.release();
        sagas.awaitStatus(running, SagaStatus.COMPLETED);

        first.close();
        var workflow = sagas.define(TestWorkflow.of("a", "b"));
        var payload = JsonMapper.shared().createObjectNode();
        SagaId waiting = sagas.db.inTransaction(
                tx -> first.start(tx, new NewSaga(workflow.name(), payload, null, "test", null), workflow));
        assertThat(sagas.status(waiting)).isEqualTo(SagaStatus.STARTED);
        assertThat(sagas.told(waiting)).containsExactly("STARTED");
        var again = service.holds("do a");
        sagas.node();
        again.awaitCall();
        assertThat(sagas.status(waiting)).isEqualTo(SagaStatus.RUNNING);
        assertThat(sagas.told(waiting)).containsExactly("STARTED", "RUNNING");
        again.release();
        sagas.awaitStatus(waiting, SagaStatus.COMPLETED);
        assertThat(sagas.told(waiting)).containsExactly("STARTED", "RUNNING", "COMPLETED");
    }

    @Test
    void aNodeThatIsStoppedGivesItsSagasBackAtOnce() throws InterruptedException {
        var first = sagas.node();
        var hold = service.holds("do a");
        var id = sagas.start(first, TestWorkflow.of("a", "b"));
        hold.awaitCall();
        var stop = Thread.startVirtualThread(first::close);
        // It waits for the call that is under way.
        Awaitility.await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
        hold.release();
        sagas.awaitRest(id);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS");
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.calls("do a")).hasSize(1);
        assertThat(stop.join(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void aStepThatDoesNotEndHoldsTheNodesEndUpOnlyForAWhile() {
        assertThat(Engine.DRAIN_TIMEOUT).isEqualTo(Duration.ofSeconds(30));
        var first = sagas.node();
        var hold = service.holds("do a");
        var id = sagas.start(first, TestWorkflow.of("a"));
        hold.awaitCall();
        first.close(Duration.ofMillis(100));
        assertThat(sagas.text(id, "owner"))
                .as("nobody knows yet what the call does")
                .isNotEmpty();
        service.heals("do a");
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        hold.release();
        assertThat(service.calls("do a")).hasSize(2);
        assertThat(service.effects()).containsExactly("do a");
    }

    @Test
    void aRetryThatWasWaitedForIsMadeByWhoeverIsThere() {
        var count = new AtomicInteger();
        service.on(
                "do a",
                call -> count.incrementAndGet() < 2 ? Failed.retryable(Text.verbatim("busy")) : TestService.done(call));
        var first = sagas.node();
        var workflow = TestWorkflow.named("order")
                .retrying(3, Duration.ofMillis(500))
                .steps("a")
                .build();
        var id = sagas.start(first, workflow);
        sagas.awaitRest(id);
        first.close();
        assertThat(sagas.status(id)).isEqualTo(SagaStatus.RUNNING);
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.calls("do a")).extracting(call -> call.attempt()).containsExactly(1, 2);
    }

    @Test
    void whatACallUnderWayDidIsFoundOutBeforeASagaThatWasTurnedAroundIsUndone() {
        var first = sagas.node();
        var hold = service.holds("do b");
        var id = sagas.start(first, TestWorkflow.of("a", "b", "c"));
        hold.awaitCall();
        sagas.cancel(id);
        service.heals("do b");
        sagas.declareDead();
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.CANCELLED);
        hold.release();
        assertThat(service.effects()).containsExactly("do a", "do b", "undo b", "undo a");
        assertThat(sagas.told(id)).containsExactly("STARTED", "RUNNING", "COMPENSATING", "CANCELLED");
    }

    @Test
    void aCallThatWasNotYetMadeWhenTheSagaWasTurnedAroundIsNotTakenForALostOne() {
        sagas.define(TestWorkflow.named("ship").steps("pack").build());
        var hold = service.holds("do a");
        var started = new AtomicReference<SagaId>();
        var calls = new AtomicInteger();
        var node = sagas.node(point -> {
            if (point == FaultInjector.Point.WRITTEN && started.get() != null) {
                sagas.cancel(started.getAndSet(null));
            } else if (point == FaultInjector.Point.AFTER_CALL && calls.incrementAndGet() == 2) {
                throw new StepInvoker.LeaseEnded(); // a is undone, and nobody has written so
            }
        });
        var order = TestWorkflow.named("order")
                .steps("a")
                .parallelWithChild("b", "ship", "ship")
                .build();
        var id = sagas.start(node, order);
        hold.awaitCall();
        started.set(id);
        hold.release();
        sagas.awaitStatus(id, SagaStatus.CANCELLED);
        assertThat(service.effects()).containsExactly("do a", "undo a");
    }

    @Test
    void sagasThatWaitForANodeAreDrivenBeforeThoseThatAreStartedLater() {
        var hold = service.holds("do a");
        var node = new AtomicReference<Engine>();
        var last = new AtomicReference<SagaId>();
        node.set(sagas.node(1, point -> {
            if (point == FaultInjector.Point.CLAIMED && last.get() == null) {
                last.set(sagas.start(
                        node.get(), TestWorkflow.named("last").steps("d").build()));
            }
        }));
        sagas.start(node.get(), TestWorkflow.named("first").steps("a").build());
        hold.awaitCall();
        sagas.start(node.get(), TestWorkflow.named("second").steps("b").build());
        sagas.start(node.get(), TestWorkflow.named("third").steps("c").build());
        hold.release();
        Awaitility.await().until(() -> last.get() != null);
        sagas.awaitStatus(last.get(), SagaStatus.COMPLETED);
        assertThat(service.effects()).containsExactly("do a", "do b", "do c", "do d");
    }

    @Test
    void aSagaOfADeadNodeKeepsItsPlaceAmongThoseThatWait() {
        var hold = service.holds("do a");
        var lost = new AtomicReference<SagaId>();
        var place = new AtomicReference<String>();
        FaultInjector look = point -> {
            if (point == FaultInjector.Point.FREED && lost.get() != null) {
                place.compareAndSet(null, sagas.text(lost.get(), "(wake_at < updated_at)"));
            }
        };
        // Any of them may find that the other is dead. They claim nothing themselves for an hour.
        var id = sagas.start(sagas.node(Duration.ofHours(1), look), TestWorkflow.of("a"));
        hold.awaitCall();
        lost.set(id);
        sagas.declareDead();
        sagas.node(Duration.ofHours(1), look);
        Awaitility.await().until(() -> place.get() != null);
        assertThat(place.get()).isEqualTo("true");
        service.heals("do a");
        hold.release();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
    }

    @Test
    void aSagaThatIsTurnedAroundWhileItsLastStepIsUnderWayDoesNotEndCompleted() {
        var hold = service.holds("do b");
        var id = sagas.start(sagas.node(), TestWorkflow.of("a", "b"));
        hold.awaitCall();
        sagas.cancel(id);
        hold.release();
        sagas.awaitStatus(id, SagaStatus.CANCELLED);
        assertThat(service.effects()).containsExactly("do a", "do b", "undo b", "undo a");
    }

    @Test
    void aSagaThatIsTurnedAroundWhileItWaitsForARetryDoesNotMakeIt() {
        service.fails("do b", Failed.retryable(Text.verbatim("busy")));
        var workflow = TestWorkflow.named("order")
                .retrying(3, Duration.ofMinutes(1))
                .steps("a", "b")
                .build();
        var id = sagas.start(sagas.node(), workflow);
        Awaitility.await().until(() -> sagas.log(id).size() == 2);
        sagas.cancel(id);
        sagas.awaitStatus(id, SagaStatus.CANCELLED);
        assertThat(service.calls("do b")).hasSize(1);
        assertThat(service.effects()).containsExactly("do a", "undo a");
    }

    @Test
    void manySagasOnTwoNodesAreEachDoneOnce() {
        var nodes = new Engine[] {sagas.node(), sagas.node()};
        service.on("do b", call -> {
            if (call.attempt() == 1 && call.saga().value().hashCode() % 2 == 0) {
                return new StepOutcome.TimedOut(Text.verbatim("late"));
            }
            service.take(call);
            return TestService.done(call);
        });
        var ids = IntStream.range(0, 300)
                .parallel()
                .mapToObj(n -> sagas.start(nodes[n % 2], TestWorkflow.of("a", "b", "c")))
                .toList();
        ids.forEach(id -> sagas.awaitStatus(id, SagaStatus.COMPLETED));
        assertThat(service.effects()).hasSize(900);
        assertThat(service.calls("do a")).hasSize(300);
        assertThat(service.calls("do c")).hasSize(300);
    }
}
