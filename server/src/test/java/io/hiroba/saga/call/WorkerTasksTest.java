package io.hiroba.saga.call;

import static io.hiroba.saga.Sagas.Resolution.Action.UNDO;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.Sagas.Resolution;
import io.hiroba.saga.call.Services.ServiceLimits;
import io.hiroba.saga.call.WorkerTasks.Failure;
import io.hiroba.saga.call.WorkerTasks.Poll;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestSagas;
import io.hiroba.testkit.TestWorkflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks as workers see them. */
class WorkerTasksTest {

    private static final TestDatabase DATABASE = TestDatabase.create();

    private final TestTasks worker = new TestTasks(DATABASE);
    private final TestSagas sagas = worker.sagas;

    @AfterEach
    void close() {
        worker.close();
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    @Test
    void aSagaWaitsForItsTaskAsARowAndGoesOnWithTheAnswer() {
        var id = worker.start(TestWorkflow.named("order")
                .steps("a")
                .mapped("b", "{\"before\": \"$.steps.a.did\"}")
                .build());
        var first = worker.next();
        sagas.awaitRest(id);
        assertThat(sagas.text(id, "wake_at")).isEmpty();
        assertThat(first.input()).isEqualTo(TestTasks.json("{\"order\": 7}"));
        assertThat(first.idempotencyKey()).isEqualTo(id + ":0:EXECUTE");
        assertThat(sagas.number("SELECT count(*) FROM saga.tasks WHERE token_hash IS NOT NULL"))
                .isEqualTo(1);
        assertThat(worker.services.health().workers(TestTasks.ADMIN, List.of("test")))
                .hasEntrySatisfying("test", load -> {
                    assertThat(load.waiting()).isZero();
                    assertThat(load.running()).isEqualTo(1);
                    assertThat(load.workers())
                            .singleElement()
                            .matches(each -> each.name().equals("worker-1") && each.running() == 1);
                });

        worker.complete(first);
        worker.complete(first);
        TestTasks.refused(
                () -> worker.tasks.complete(TestTasks.ADMIN, first.token(), TestTasks.json("7")), "saga.task-ended");
        TestTasks.refused(() -> worker.fail(first, true), "saga.task-ended");
        TestTasks.refused(() -> worker.tasks.heartbeat(TestTasks.ADMIN, first.token(), null), "saga.task-ended");
        TestTasks.refused(() -> worker.tasks.complete(TestTasks.ADMIN, "guessed", null), "saga.no-task");

        var second = worker.next();
        assertThat(second.input()).isEqualTo(TestTasks.json("{\"before\": \"do a\"}"));
        worker.complete(second);
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS", "EXECUTE b SUCCESS");
        worker.complete(second);
    }

    @Test
    void whoIsNotAnOperatorGetsNoTaskAndEndsNone() {
        var id = worker.start(TestWorkflow.of("a"));
        var task = worker.next();
        var member = new Caller(new UserId(2), false, new Caller.ByServer(), null);
        TestTasks.refused(
                () -> worker.tasks.poll(member, "test", new Poll("me", 1, Duration.ZERO, null)), "saga.operators-only");
        TestTasks.refused(() -> worker.tasks.complete(member, task.token(), null), "saga.operators-only");
        TestTasks.refused(() -> worker.tasks.heartbeat(member, task.token(), null), "saga.operators-only");
        TestTasks.refused(
                () -> worker.tasks.poll(TestTasks.ADMIN, "nobody", new Poll("me", 1, Duration.ZERO, null)),
                "saga.no-service");
        TestTasks.refused(
                () -> worker.tasks.poll(TestTasks.ADMIN, "shop", new Poll("me", 1, Duration.ZERO, null)),
                "saga.no-worker-service");
        TestTasks.refused(
                () -> worker.tasks.poll(TestTasks.ADMIN, "test", new Poll(" ", 1, Duration.ZERO, null)),
                "saga.invalid");
        TestTasks.refused(
                () -> worker.tasks.poll(TestTasks.ADMIN, "test", new Poll("me", 1, Duration.ofMinutes(1), null)),
                "saga.invalid");
        assertThat(sagas.status(id)).isEqualTo(SagaStatus.RUNNING);
    }

    @Test
    void aFailedTaskIsTriedAgainByTheRulesOfItsStepAndThenTheSagaIsUndoneByTasks() {
        var id = worker.start(TestWorkflow.of("a", "b"));
        worker.complete(worker.next());
        worker.fail(worker.next(), true);
        var again = worker.next();
        assertThat(again.attempt()).isEqualTo(2);
        worker.tasks.fail(
                TestTasks.ADMIN,
                again.token(),
                new Failure("no stock", true, false, "OUT", TestTasks.json("{\"secret\": \"x\", \"left\": 0}")));
        assertThat(worker.completeAll(id, SagaStatus.FAILED)).containsExactly("undo a");
        assertThat(sagas.log(id))
                .containsExactly("EXECUTE a SUCCESS", "EXECUTE b FAILED", "EXECUTE b FAILED", "COMPENSATE a SUCCESS");
        assertThat(sagas.error(id)).contains("no stock");
        assertThat(sagas.number("""
                SELECT count(*) FROM saga.saga_step_logs
                WHERE response_payload = '{"secret": "***", "left": 0}' AND response_head = '{"status": "OUT"}'
                """)).isEqualTo(1);
    }

    @Test
    void aHeartbeatKeepsATaskUntilTheTimeOfItsStepIsOver() {
        var id = worker.start(TestWorkflow.named("order")
                .timeout(Duration.ofMinutes(10))
                .steps("a")
                .build());
        var task = worker.next();
        sagas.sql("UPDATE saga.tasks SET leased_until = now() + interval '1 second'");
        assertThat(worker.tasks.heartbeat(TestTasks.ADMIN, task.token(), TestTasks.json("{\"rows\": 5}")))
                .isFalse();
        assertThat(sagas.number("""
                SELECT count(*) FROM saga.tasks
                WHERE leased_until BETWEEN now() + interval '20 seconds' AND now() + interval '31 seconds'
                  AND progress = '{"rows": 5}'
                """)).isEqualTo(1);
        sagas.sql("UPDATE saga.tasks SET deadline = now() + interval '2 seconds'");
        worker.tasks.heartbeat(TestTasks.ADMIN, task.token(), null);
        assertThat(sagas.number("SELECT count(*) FROM saga.tasks WHERE leased_until = deadline"))
                .isEqualTo(1);
        worker.complete(task);
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
    }

    @Test
    void theTimeOfTheSagaEndsAWaitForWorkers() {
        var id = worker.start(TestWorkflow.named("order")
                .totalTimeout(Duration.ofHours(1))
                .steps("a", "b")
                .build());
        worker.complete(worker.next());
        Awaitility.await().until(() -> sagas.number("SELECT count(*) FROM saga.tasks WHERE state = 'QUEUED'") == 1);
        sagas.awaitRest(id);
        sagas.sql("UPDATE saga.saga_states SET deadline = now(), wake_at = now()");
        sagas.awaitStatus(id, SagaStatus.COMPENSATING);
        assertThat(worker.completeAll(id, SagaStatus.FAILED)).containsExactly("undo a");
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS", "EXECUTE b FAILED", "COMPENSATE a SUCCESS");
    }

    @Test
    void anAnswerThatComesBeforeTheSagaRestsIsNotMissed() {
        sagas.service.on("do a", call -> {
            var outcome = worker.tasks.enqueue(call);
            worker.complete(TestTasks.poll(worker.tasks, 1, Duration.ZERO).getFirst());
            return outcome;
        });
        var id = worker.start(TestWorkflow.of("a"));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
    }

    @Test
    void aWorkerThatWaitsIsWokenByATaskOfAnyNode() {
        var other = worker.node();
        var found = CompletableFuture.supplyAsync(() -> TestTasks.poll(other, 5, Duration.ofSeconds(20)));
        Awaitility.await().until(() -> sagas.number("SELECT count(*) FROM saga.workers") == 1);
        var id = worker.start(TestWorkflow.of("a"));
        var task = found.orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(task).hasSize(1);
        other.complete(TestTasks.ADMIN, task.getFirst().token(), null);
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        other.close();
        assertThat(TestTasks.poll(other, 1, Duration.ofSeconds(20)))
                .as("a server that stops")
                .isEmpty();
    }

    private int scansOfTasks() {
        return sagas.number(
                "SELECT (seq_scan + coalesce(idx_scan, 0))::int FROM pg_stat_user_tables WHERE relname = 'tasks'");
    }

    @Test
    void workersThatFindNothingDoNotWakeEachOther() {
        int before = scansOfTasks();
        var polls = Stream.generate(() ->
                        CompletableFuture.supplyAsync(() -> TestTasks.poll(worker.tasks, 1, Duration.ofSeconds(3))))
                .limit(2)
                .toList();
        Awaitility.await().until(() -> {
            worker.commits.raise("tasks", List.of(CommitSignal.ANY));
            return polls.stream().allMatch(CompletableFuture::isDone);
        });
        polls.forEach(each -> assertThat(each.join()).isEmpty());
        assertThat(scansOfTasks() - before).isLessThan(200);
    }

    @Test
    void theLimitsOfAServiceHoldForItsTasks() {
        sagas.db.useTransaction(tx -> new CallLimitStore().save(tx, "test", new ServiceLimits(1, null), "test"));
        worker.services.forget("test");
        var one = worker.start(TestWorkflow.of("a"));
        var two = sagas.start(sagas.node(), TestWorkflow.of("a"));
        var first = worker.next();
        Awaitility.await().until(() -> sagas.number("SELECT count(*) FROM saga.tasks WHERE state = 'QUEUED'") == 1);
        assertThat(TestTasks.poll(worker.tasks, 10, Duration.ZERO)).isEmpty();
        worker.complete(first);
        worker.complete(worker.next());
        sagas.awaitStatus(one, SagaStatus.COMPLETED);
        sagas.awaitStatus(two, SagaStatus.COMPLETED);
    }

    /** A workflow that operators find too: a task, and a wait for a signal. */
    private Workflow registered(String input) {
        return sagas.register("""
                name: by-hand
                steps:
                  - {name: a, service: test, method: do-a, compensate: undo-a, input: {is: %s}}
                  - {name: go, waitForSignal: go}
                """.formatted(input));
    }

    private void skip(SagaId id) {
        sagas.facade().resolve(TestTasks.ADMIN, id, new Resolution(Resolution.Action.SKIP, "a", null, "by hand"));
        Awaitility.await().until(() -> sagas.text(id, "waiting_for").equals("go"));
    }

    @Test
    void whatAnOperatorDecidesAboutAStepEndsItsTaskWhichIsUndoneIfSomebodyHadBegunIt() {
        var workflow = registered("1");
        for (var state : List.of("LEASED", "DONE", "LOST")) {
            var id = worker.start(workflow);
            var task = worker.next();
            sagas.awaitRest(id);
            // One that has ended, and that no node has taken up yet.
            sagas.sql("UPDATE saga.tasks SET state = '%s' WHERE state = 'LEASED'".formatted(state));
            skip(id);
            if (state.equals("LEASED")) {
                assertThat(worker.tasks.heartbeat(TestTasks.ADMIN, task.token(), null))
                        .isTrue();
                // Two would carry out the step at once.
                TestTasks.refused(
                        () -> sagas.facade().resolve(TestTasks.ADMIN, id, new Resolution(UNDO, null, null, null)),
                        "saga.task-under-way");
                sagas.cancel(id);
                assertThat(TestTasks.poll(worker.tasks, 1, Duration.ofMillis(300)))
                        .as("the worker is let end before its step is undone")
                        .isEmpty();
                assertThat(sagas.status(id)).isEqualTo(SagaStatus.COMPENSATING);
                TestTasks.refused(() -> worker.complete(task), "saga.task-withdrawn");
            } else {
                sagas.cancel(id);
            }
            assertThat(worker.completeAll(id, SagaStatus.CANCELLED)).as(state).containsExactly("undo-a");
        }
    }

    @Test
    void aTaskThatNobodyHasBegunIsTakenBackWithTheDecisionAndNotUndone() {
        var id = worker.start(registered("1"));
        Awaitility.await().until(() -> sagas.number("SELECT count(*) FROM saga.tasks WHERE state = 'QUEUED'") == 1);
        sagas.awaitRest(id);
        skip(id);
        assertThat(sagas.number("SELECT count(*) FROM saga.tasks WHERE state = 'WITHDRAWN'"))
                .isEqualTo(1);
        sagas.cancel(id);
        assertThat(worker.completeAll(id, SagaStatus.CANCELLED)).isEmpty();
    }

    @Test
    void aStepThatIsSkippedAfterTheNodeThatCalledItWasLostIsUndone() {
        var id = worker.start(registered("1"));
        worker.next();
        sagas.awaitRest(id);
        sagas.sql("DELETE FROM saga.tasks");
        sagas.sql("UPDATE saga.saga_states SET in_doubt = true");
        skip(id);
        assertThat(sagas.text(id, "in_doubt")).isEqualTo("false");
        sagas.cancel(id);
        assertThat(worker.completeAll(id, SagaStatus.CANCELLED)).containsExactly("undo-a");
    }

    @Test
    void aSagaThatIsEndedByHandLeavesNoTaskInTheQueue() {
        var id = worker.start(registered("1"));
        Awaitility.await().until(() -> sagas.number("SELECT count(*) FROM saga.tasks WHERE state = 'QUEUED'") == 1);
        sagas.awaitRest(id);
        sagas.facade().resolve(TestTasks.ADMIN, id, new Resolution(Resolution.Action.FAIL, null, null, "by hand"));
        assertThat(sagas.number("SELECT count(*) FROM saga.tasks WHERE state = 'WITHDRAWN'"))
                .isEqualTo(1);
    }

    @Test
    void thePayloadAndTheInputOfATaskStayAsTheyAreWhileItIsUnderWay() {
        var id = worker.start(registered("1"));
        var next = registered("2").version();
        var task = worker.next();
        sagas.awaitRest(id);
        var facade = sagas.facade();
        TestTasks.refused(
                () -> facade.changePayload(TestTasks.ADMIN, id, TestTasks.json("{}"), "typo"), "saga.task-under-way");
        TestTasks.refused(() -> facade.migrate(TestTasks.ADMIN, id, next), "saga.incompatible-version");
        worker.complete(task);
        Awaitility.await().until(() -> sagas.text(id, "waiting_for").equals("go"));
        facade.changePayload(TestTasks.ADMIN, id, TestTasks.json("{}"), "typo");
        facade.migrate(TestTasks.ADMIN, id, next);
        assertThat(sagas.text(id, "workflow_version")).isEqualTo(Integer.toString(next));
    }
}
