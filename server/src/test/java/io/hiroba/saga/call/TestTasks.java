package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.call.WorkerTasks.Failure;
import io.hiroba.saga.call.WorkerTasks.Poll;
import io.hiroba.saga.call.WorkerTasks.Task;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestSagas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sagas whose steps a, b and c are tasks, and a worker that does with them what it is told. */
final class TestTasks implements AutoCloseable {

    static final Caller ADMIN = new Caller(new UserId(1), true, new Caller.ByServer(), null);

    final TestSagas sagas;
    final Services services;
    final WorkerTasks tasks;
    final CommitSignal commits = new CommitSignal();
    private final LocalSteps local = new LocalSteps();
    private boolean isOpen;

    TestTasks(TestDatabase database) {
        sagas = new TestSagas(database);
        services = new Services(
                sagas.db, new SagaRoles(sagas.db), local, Map.of("test", "worker:", "shop", "http://shop"));
        tasks = node();
        for (var step : List.of("a", "b", "c")) {
            sagas.service.on("do " + step, tasks::enqueue);
            sagas.service.on("undo " + step, tasks::enqueue);
            sagas.service.on("do-" + step, tasks::enqueue);
            sagas.service.on("undo-" + step, tasks::enqueue);
            sagas.service.on("ask " + step, tasks::enqueue);
        }
    }

    /** The tasks as another node has them. */
    WorkerTasks node() {
        return new WorkerTasks(
                sagas.db, new SagaRoles(sagas.db), services, new SecretStore(sagas.db), commits, List.of("secret"));
    }

    SagaId start(Workflow workflow) {
        var node = sagas.node();
        if (!isOpen) {
            tasks.open(node::wake);
            isOpen = true;
        }
        return sagas.start(node, workflow);
    }

    static List<Task> poll(WorkerTasks from, int max, Duration wait) {
        try {
            return from.poll(ADMIN, "test", new Poll("worker-1", max, wait, null));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Task next() {
        var found = poll(tasks, 1, Duration.ofSeconds(20));
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    void complete(Task task) {
        tasks.complete(ADMIN, task.token(), json("{\"did\": \"%s\"}".formatted(task.method())));
    }

    void fail(Task task, boolean retryable) {
        tasks.fail(ADMIN, task.token(), new Failure("no stock", retryable, false, null, null));
    }

    static void refused(ThrowingCallable act, String code) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        SagaProblem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    void endLeases(String deadline) {
        sagas.sql("UPDATE saga.tasks SET leased_until = now() - interval '1 ms', deadline = now() + interval '%s'"
                .formatted(deadline));
    }

    /** The methods of what the worker is given until the saga has ended, all of which succeeds. */
    List<String> completeAll(SagaId id, SagaStatus end) {
        var methods = new ArrayList<String>();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            for (var task : poll(tasks, 10, Duration.ofMillis(200))) {
                methods.add(task.method());
                complete(task);
            }
            return sagas.status(id) == end;
        });
        return methods;
    }

    @Override
    public void close() {
        tasks.close();
        sagas.close();
        local.close();
        sagas.sql("DELETE FROM saga.saga_states");
        sagas.sql("DELETE FROM saga.service_limits");
        sagas.sql("DELETE FROM saga.workers");
    }
}
