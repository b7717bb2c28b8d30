package io.hiroba.saga.call;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.call.WorkerTasks.Poll;
import io.hiroba.saga.call.WorkerTasks.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Gives the tasks of services to their workers, the longest waiting first, within the services' limits. */
final class TaskQueue {

    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
    private static final Duration MIN_LEASE = Duration.ofSeconds(5);
    private static final Duration MAX_LEASE = Duration.ofHours(1);
    private static final int MAX_NAME_LENGTH = 255;
    private static final int UNWANTED_BATCH = 200;
    private static final String TOPIC = "tasks";

    private final Db db;
    private final Services services;
    private final TaskTokens tokens;
    private final CommitSignal commits;
    private final TaskStore store = new TaskStore();
    private final CallLimitStore limits = new CallLimitStore();
    private final TaskWaiters waiters = new TaskWaiters();

    TaskQueue(Db db, Services services, TaskTokens tokens, CommitSignal commits) {
        this.db = db;
        this.services = services;
        this.tokens = tokens;
        this.commits = commits;
        commits.listen(TOPIC, this::receive);
    }

    /** Tasks for a worker of the service; if there are none, those that come while it waits. */
    List<Task> poll(String service, Poll poll) throws InterruptedException {
        requireWorkers(service);
        var lease = lease(poll);
        long end = System.nanoTime() + poll.timeout().toNanos();
        db.useTransaction(tx -> store.seen(tx, service, poll.worker()));
        while (true) {
            var waiter = waiters.join(service);
            boolean isOver = true;
            boolean hasFound = false;
            try {
                var found = db.inTransaction(tx -> take(tx, service, poll, lease));
                long left = end - System.nanoTime();
                isOver = !found.isEmpty() || left <= 0 || waiters.isClosed();
                if (isOver) {
                    hasFound = !found.isEmpty();
                    return found;
                }
                TaskWaiters.await(waiter, Duration.ofNanos(left));
            } finally {
                waiters.leave(service, waiter, hasFound || (isOver && waiter.getCount() == 0));
            }
        }
    }

    private static Duration lease(Poll poll) {
        if (poll.worker().isBlank()
                || poll.worker().length() > MAX_NAME_LENGTH
                || !StorableJson.isStorable(poll.worker())) {
            throw SagaProblem.invalid("worker", Text.of("saga.field.length", "max", MAX_NAME_LENGTH));
        }
        between("max", poll.max(), 1, WorkerTasks.MAX_TASKS);
        between("waitSeconds", poll.timeout().toSeconds(), 0, WorkerTasks.MAX_WAIT.toSeconds());
        var lease = poll.lease() == null ? DEFAULT_LEASE : poll.lease();
        between("leaseSeconds", lease.toSeconds(), MIN_LEASE.toSeconds(), MAX_LEASE.toSeconds());
        return lease;
    }

    private static void between(String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw SagaProblem.invalid(field, Text.of("http.field.number-between", "min", min, "max", max));
        }
    }

    private void requireWorkers(String service) {
        var target = services.target(service).orElseThrow(() -> SagaProblem.noService(service));
        if (!target.endpoint().isWorker()) {
            throw SagaProblem.noWorkerService(service);
        }
    }

    /** The limits of a service hold where its tasks are given out: what waits in the queue is no call yet. */
    private List<Task> take(Tx tx, String service, Poll poll, Duration lease) {
        var locked = services.isLimited(service) ? limits.lock(tx, service).orElse(null) : null;
        int room = poll.max();
        if (locked != null && locked.limits().maxConcurrent() != null) {
            room = Math.min(room, locked.limits().maxConcurrent() - store.running(tx, service));
        }
        if (locked != null && locked.limits().ratePerSecond() != null) {
            room = (int) Math.min(room, Math.floor(locked.tokens()));
        }
        var taken = new ArrayList<Task>();
        int looked = room;
        boolean more = room > 0;
        while (more) {
            var first = store.first(tx, service, looked);
            for (var task : first) {
                if (task.isWanted() && taken.size() < room) {
                    taken.add(leased(tx, task, poll.worker(), lease));
                }
            }
            var unwanted = first.stream()
                    .filter(task -> !task.isWanted())
                    .map(TaskStore.Queued::id)
                    .toList();
            if (!unwanted.isEmpty()) {
                store.withdraw(tx, unwanted);
            }
            more = !first.isEmpty() && taken.isEmpty();
            if (first.size() > unwanted.size() + taken.size()) {
                // Others may have passed over what was locked here and is free again.
                tx.afterCommit(() -> announce(Set.of(service)));
            }
            // Where many sagas were ended at once, what they left is not looked at one by one.
            looked = Math.max(room, UNWANTED_BATCH);
        }
        if (locked != null && locked.limits().ratePerSecond() != null && !taken.isEmpty()) {
            limits.spend(tx, service, taken.size());
        }
        return taken;
    }

    private Task leased(Tx tx, TaskStore.Queued task, String worker, Duration lease) {
        var token = tokens.of(task);
        var deadline = store.lease(tx, task.id(), worker, lease, TaskTokens.hash(token));
        var action = task.kind() == TaskKind.COMPENSATE ? TaskKind.COMPENSATE : TaskKind.EXECUTE;
        return new Task(
                token,
                task.saga(),
                task.workflow(),
                task.stepName(),
                task.kind(),
                task.method(),
                task.attempt(),
                Json.read(task.input(), JsonNode.class),
                StepCall.idempotencyKey(task.saga(), task.step(), action.name()),
                lease.compareTo(task.timeout()) < 0 ? lease : task.timeout(),
                deadline);
    }

    /** Wakes whoever waits for tasks of these services, on all nodes. */
    void announce(Set<String> some) {
        commits.raise(TOPIC, some.stream().map(TaskQueue::key).toList());
    }

    /** The name of a service in letters and digits, as keys of signals are. */
    private static String key(String service) {
        return Integer.toHexString(service.hashCode());
    }

    private void receive(Set<String> keys) {
        for (var service : waiters.services()) {
            if (keys.contains(CommitSignal.ANY) || keys.contains(key(service))) {
                waiters.wake(service);
            }
        }
    }

    /** Has one look again for each service with limits: a rate lets the next through after a while, which nobody signals. */
    void wakeLimited() {
        waiters.services().stream().filter(services::isLimited).forEach(waiters::wake);
    }

    /** Ends all waits, now and from now on. */
    void close() {
        waiters.close();
    }
}
