package io.hiroba.saga.call;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Sha256;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.call.StepOutcome.KeptAnswer;
import io.hiroba.saga.call.TaskStore.End;
import io.hiroba.saga.call.TaskStore.Held;
import io.hiroba.saga.call.TaskStore.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The tasks of sagas: calls that workers fetch, and calls whose services say later how they ended. A task is a row; its saga waits
 * without an owner and is woken when the task ends, by whoever has its token, or because that one is not heard of any more.
 */
public final class WorkerTasks implements AutoCloseable {

    /** The longest that a worker waits for tasks in one request. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(30);

    /** The most tasks that a worker is given at once. */
    public static final int MAX_TASKS = 100;

    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration WORKERS_KEPT = Duration.ofDays(7);
    private static final int SWEEP_BATCH = 200;
    private static final int MAX_CODE_LENGTH = 100;
    private static final int MAX_ANSWER_SIZE = HttpCaller.MAX_ANSWER_SIZE;
    private static final int MAX_PROGRESS_SIZE = 16 << 10;

    private final Db db;
    private final SagaRoles roles;
    private final Services services;
    private final TaskTokens tokens;
    private final TaskQueue queue;
    private final RefusedAnswers refusals;
    private final TaskStore store = new TaskStore();
    private final CallLimitStore limits = new CallLimitStore();
    private volatile Runnable wake = () -> {};
    private @Nullable WorkLoop loop;
    private long lookAt = System.nanoTime();

    /** @param masked the fields whose values are masked where the answer of a failed task is kept */
    public WorkerTasks(
            Db db, SagaRoles roles, Services services, SecretStore secrets, CommitSignal commits, List<String> masked) {
        this.db = db;
        this.roles = roles;
        this.services = services;
        this.tokens = new TaskTokens(secrets);
        this.queue = new TaskQueue(db, services, tokens, commits);
        this.refusals = new RefusedAnswers(masked);
    }

    /** Starts to look for leases that have ended; {@code wake} has due sagas claimed. */
    public WorkerTasks open(Runnable wake) {
        this.wake = wake;
        loop = WorkLoop.every(TICK, "saga tasks", this::tick);
        return this;
    }

    /**
     * A task as its worker gets it.
     *
     * @param deadline when it has to be done, whatever the worker says
     */
    public record Task(
            String token,
            SagaId saga,
            String workflow,
            String step,
            TaskKind kind,
            String method,
            int attempt,
            JsonNode input,
            String idempotencyKey,
            Duration lease,
            Instant deadline) {}

    /**
     * A request for tasks.
     *
     * @param worker a name that people recognize
     * @param timeout how long it waits if there are none
     * @param lease how long the worker may be silent; null for half a minute
     */
    public record Poll(
            String worker,
            int max,
            Duration timeout,
            @Nullable Duration lease) {}

    /** The failure of a task; {@code code} is NOT_FOUND where a step that is asked about had no effect. */
    public record Failure(
            String reason,
            boolean retryable,
            boolean maybeDone,
            @Nullable String code,
            @Nullable JsonNode answer) {}

    /** Puts a call into the queue of its service's workers. */
    StepOutcome enqueue(StepCall call) {
        if (db.inTransaction(tx -> store.insert(tx, call, State.QUEUED, null))) {
            queue.announce(Set.of(call.service()));
        }
        return new StepOutcome.Pending();
    }

    /** The token that a call is sent with whose service may answer later. It is there before the service can use it. */
    String begin(StepCall call) {
        var token = tokens.of(call);
        db.useTransaction(tx -> store.insert(tx, call, State.CALLING, TaskTokens.hash(token)));
        return token;
    }

    /** The service has accepted the call of {@code token} and will say later how it ended. */
    void accepted(String token) {
        db.useTransaction(tx -> store.accepted(tx, TaskTokens.hash(token)));
        lookIn(TICK);
    }

    /**
     * Tasks for a worker of the service; if there are none, those that come while it waits. It waits on a virtual thread, without
     * a connection.
     */
    public List<Task> poll(Caller caller, String service, Poll poll) throws InterruptedException {
        roles.requireOperator(caller);
        var tasks = queue.poll(service, poll);
        if (!tasks.isEmpty()) {
            lookIn(TICK);
        }
        return tasks;
    }

    /** Extends the lease of a task; true if its saga is being undone or goes on without it, so that it may stop. */
    public boolean heartbeat(Caller caller, String token, @Nullable JsonNode progress) {
        var text = checked("progress", progress, MAX_PROGRESS_SIZE);
        return db.inTransaction(tx -> {
            roles.requireOperator(tx, caller);
            var held = store.lock(tx, TaskTokens.hash(token)).orElseThrow(SagaProblem::noTask);
            return switch (held.state()) {
                case LEASED, CALLING -> {
                    store.extend(tx, held.id(), text);
                    yield held.isCancelled();
                }
                case WITHDRAWN, QUEUED -> true;
                case LOST, LATE -> throw SagaProblem.taskLost();
                case DONE, FAILED -> throw SagaProblem.taskEnded();
            };
        });
    }

    /** Completes a task with the answer of its step; once more with the same answer changes nothing. */
    public void complete(Caller caller, String token, @Nullable JsonNode answer) {
        var text = checked("answer", answer, MAX_ANSWER_SIZE);
        end(caller, token, new End(State.DONE, text, null, null, false, false, Sha256.hex("done " + text)));
    }

    /** Ends a task that did not succeed; once more with the same reason changes nothing. */
    public void fail(Caller caller, String token, Failure failure) {
        checked("answer", failure.answer(), MAX_ANSWER_SIZE);
        var code = failure.code();
        if (code != null && (code.length() > MAX_CODE_LENGTH || !StorableJson.isStorable(code))) {
            throw SagaProblem.invalid("code", Text.of("saga.field.length", "max", MAX_CODE_LENGTH));
        }
        var reason = CallDescription.excerpt(failure.reason());
        if (reason.isEmpty() || !StorableJson.isStorable(reason)) {
            throw SagaProblem.invalid("reason", Text.of("saga.field.reason"));
        }
        var kept = kept(failure);
        var end = new End(
                State.FAILED,
                kept == null ? null : StorableJson.text(kept.body()),
                reason,
                kept == null ? null : StorableJson.text(kept.head()),
                failure.retryable(),
                failure.maybeDone(),
                Sha256.hex(Json.bytes(failure)));
        end(caller, token, end);
    }

    private @Nullable KeptAnswer kept(Failure failure) {
        var answer = failure.answer();
        return answer == null && failure.code() == null ? null : refusals.of(answer, failure.code());
    }

    private static @Nullable String checked(String field, @Nullable JsonNode value, int max) {
        var text = value == null ? null : StorableJson.text(value);
        if (value != null && text != null && (text.length() > max || !StorableJson.isStorable(value))) {
            throw SagaProblem.invalid(field, Text.of("saga.field.task-json", "max", max >> 10));
        }
        return text;
    }

    /** The saga is locked first: of two who end a task at once, or one who cancels its saga, the second sees what the first did. */
    private void end(Caller caller, String token, End end) {
        var hash = TaskTokens.hash(token);
        boolean isUsed = db.inTransaction(tx -> {
            roles.requireOperator(tx, caller);
            if (store.lockSaga(tx, hash).isEmpty()) {
                throw SagaProblem.noTask();
            }
            var held = store.lock(tx, hash).orElseThrow(SagaProblem::noTask);
            return switch (held.state()) {
                case DONE, FAILED -> {
                    if (held.state() != end.state() || !end.hash().equals(held.outcomeHash())) {
                        throw SagaProblem.taskEnded();
                    }
                    yield true;
                }
                case LOST, LATE -> throw SagaProblem.taskLost();
                case WITHDRAWN, QUEUED -> throw SagaProblem.taskWithdrawn();
                case LEASED, CALLING -> end(tx, held, end);
            };
        });
        if (!isUsed) {
            throw SagaProblem.taskWithdrawn();
        }
    }

    /** False if the saga goes on without it: that it is over is noted all the same, since its step may wait to be undone. */
    private boolean end(Tx tx, Held held, End end) {
        if (held.isCurrent()) {
            store.end(tx, held.id(), end);
        } else {
            store.withdraw(tx, List.of(held.id()));
        }
        if (!held.isOfWorker()) {
            limits.release(tx, held.service(), held.saga());
            limits.wakeNext(tx, held.service(), 1);
        }
        store.wake(tx, List.of(held.saga()));
        tx.afterCommit(() -> {
            wake.run();
            if (services.isLimited(held.service())) {
                queue.announce(Set.of(held.service()));
            }
        });
        return held.isCurrent();
    }

    private void tick() {
        queue.wakeLimited();
        if (isTimeToLook()) {
            sweep();
        }
    }

    /** Leases of other nodes are found at the next look, at the latest after {@link WorkLoop#FALLBACK_POLL}. */
    private synchronized boolean isTimeToLook() {
        long now = System.nanoTime();
        boolean isTime = now - lookAt >= 0;
        if (isTime) {
            lookAt = now + WorkLoop.FALLBACK_POLL.toNanos();
        }
        return isTime;
    }

    /** Has leases that have ended looked for after {@code delay}, unless that is done before. */
    private synchronized void lookIn(Duration delay) {
        long time = System.nanoTime() + delay.toNanos();
        if (time - lookAt < 0) {
            lookAt = time;
        }
    }

    /** Ends what nobody is heard of, and takes back what no worker will fetch. */
    void sweep() {
        expire();
        takeBack();
        db.inTransaction(tx -> {
                    store.forgetWorkers(tx, WORKERS_KEPT);
                    return store.untilNextEnd(tx);
                })
                .ifPresent(left -> lookIn(left.compareTo(TICK) < 0 ? TICK : left));
    }

    /** A service whose tasks waited for workers may be one by now that is called; one that is gone may come back. */
    private void takeBack() {
        for (var service : db.read(store::queues)) {
            boolean isCalled = services.target(service)
                    .map(found -> !found.endpoint().isWorker())
                    .orElse(false);
            int taken = isCalled ? SWEEP_BATCH : 0;
            while (taken == SWEEP_BATCH) {
                taken = db.inTransaction(tx -> {
                    var sagas = store.lockQueued(tx, service, SWEEP_BATCH);
                    if (!sagas.isEmpty()) {
                        store.takeBack(tx, service, sagas);
                        store.wake(tx, sagas);
                    }
                    return sagas.size();
                });
                wake.run();
            }
        }
    }

    private void expire() {
        boolean more = true;
        while (more) {
            var expired = db.inTransaction(tx -> {
                var sagas = store.lockExpired(tx, SWEEP_BATCH);
                var ended = sagas.isEmpty() ? List.<Map.Entry<String, SagaId>>of() : store.expire(tx, sagas);
                if (!ended.isEmpty()) {
                    store.wake(
                            tx,
                            ended.stream().map(Map.Entry::getValue).distinct().toList());
                }
                return ended;
            });
            if (!expired.isEmpty()) {
                wake.run();
                queue.announce(expired.stream().map(Map.Entry::getKey).collect(Collectors.toSet()));
            }
            more = expired.size() >= SWEEP_BATCH;
        }
    }

    /** Answers those that wait for tasks, and all later ones at once: the server is stopping. */
    public void stopWaiting() {
        queue.close();
    }

    @Override
    public void close() {
        stopWaiting();
        if (loop != null) {
            loop.close();
        }
    }
}
