package io.hiroba.saga.schedule;

import io.hiroba.accounts.AccountLookup;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.schedule.Schedule.CatchUp;
import io.hiroba.saga.schedule.Schedule.Overlap;
import io.hiroba.saga.schedule.ScheduleStore.NewRun;
import io.hiroba.saga.schedule.ScheduleStore.Progress;
import io.hiroba.saga.schedule.Schedules.Triggered;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.Workflows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts the sagas of schedules that are due, on every node. One transaction locks schedules, inserts their sagas and moves the
 * schedules on: it happens as a whole or not at all, and other nodes skip what is locked. Any node then claims the sagas.
 *
 * <p>It sleeps until the first schedule is due, and is woken when one is changed, here or on another node.
 */
final class Scheduler implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

    /** For changes of a node that died before it could tell, and for clocks that were set. */
    private static final Duration POLL = Duration.ofMinutes(5);

    /** The interval at which the end of a run is looked for that another one waits for. */
    private static final Duration WAITING_POLL = Duration.ofSeconds(1);

    /** The wait for schedules that another node has locked. */
    private static final Duration LOCKED_WAIT = Duration.ofMillis(250);

    /** A due time of less long ago has not been missed: a node was only busy, or restarted. */
    static final Duration GRACE = Duration.ofMinutes(1);

    /** Large, since every commit wakes the consumers of events on all nodes. */
    static final int BATCH_SIZE = 5000;

    private final Db db;
    private final Engine engine;
    private final Workflows workflows;
    private final Sagas sagas;
    private final SagaRoles roles;
    private final AccountLookup accounts = new AccountLookup();
    private final ScheduleStore store = new ScheduleStore();
    private final WakeSignal signal = new WakeSignal();
    private @Nullable WorkLoop loop;

    /** Whether as many were due as fit in one round: all that are due at once are started before this node carries them out. */
    private boolean wasMany;

    Scheduler(Db db, Engine engine, Workflows workflows, Sagas sagas, SagaRoles roles) {
        this.db = db;
        this.engine = engine;
        this.workflows = workflows;
        this.sagas = sagas;
        this.roles = roles;
    }

    void open() {
        loop = WorkLoop.whenSignalled("saga schedules", 1, signal, POLL, this::startDue);
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        }
    }

    void wake() {
        signal.raise();
    }

    /** Starts what is due; whether there may be more. */
    private boolean startDue() {
        var outlook = db.read(store::outlook);
        boolean isDue = outlook.dueIn().map(wait -> !wait.isPositive()).orElse(false);
        int due = isDue ? db.inTransaction(this::fire) : 0;
        boolean isMany = due == BATCH_SIZE;
        if (wasMany && !isMany) {
            engine.wake();
        }
        wasMany = isMany;
        if (outlook.isWaiting()) {
            cancelReplaced();
        }
        int ready = outlook.isWaiting() ? db.inTransaction(this::startReady) : 0;
        if (due > 0 || ready > 0) {
            return true;
        }
        if (isDue) {
            signal.raiseIn(LOCKED_WAIT);
        } else {
            outlook.dueIn().ifPresent(signal::raiseIn);
        }
        if (outlook.isWaiting()) {
            signal.raiseIn(WAITING_POLL);
        }
        return false;
    }

    /** A workflow, or why no saga of it can be started. */
    private record Newest(
            @Nullable Workflow workflow, @Nullable Text refusal) {}

    /** The sagas of one transaction, and what becomes of their schedules. */
    private final class Round {
        private final Tx tx;
        private final Set<String> operators;
        private final Map<String, Newest> newest = new HashMap<>();
        private final List<Engine.Start> starts = new ArrayList<>();
        private final List<Schedule> started = new ArrayList<>();
        private final List<Instant> dueTimes = new ArrayList<>();
        private final List<Progress> progress = new ArrayList<>();
        private final List<Long> failed = new ArrayList<>();

        /** @param schedules those that may be started in the name of their owners */
        Round(Tx tx, List<Schedule> schedules) {
            this.tx = tx;
            this.operators = operators(tx, schedules);
        }

        /** Adds the saga of a due time; null, or why there is none. */
        @Nullable
        Text start(Schedule schedule, Instant dueAt) {
            var by = schedule.owner();
            if (!operators.contains(by)) {
                return Text.of("saga.schedule.owner");
            }
            var found = newest.computeIfAbsent(schedule.settings().workflow(), this::newest);
            if (found.workflow() != null) {
                try {
                    add(schedule, dueAt, engine.prepare(saga(schedule, dueAt, by), found.workflow()));
                } catch (Problem refusal) {
                    return refusal.detail();
                }
            }
            return found.refusal();
        }

        void add(Schedule schedule, Instant dueAt, Engine.Start start) {
            starts.add(start);
            started.add(schedule);
            dueTimes.add(dueAt);
        }

        private Newest newest(String workflow) {
            try {
                return new Newest(workflows.newest(tx, workflow), null);
            } catch (Problem refusal) {
                return new Newest(null, refusal.detail());
            }
        }

        /** Moves a schedule on; that it cannot start a saga is told once, until it can again. */
        void add(Schedule schedule, Progress next) {
            progress.add(next);
            if (next.error() != null && schedule.error() == null) {
                failed.add(schedule.id());
            }
        }

        List<SagaId> write(boolean manual) {
            var ids = engine.startAll(tx, starts);
            if (starts.size() < BATCH_SIZE) {
                tx.afterCommit(engine::wake);
            }
            var runs = new ArrayList<NewRun>();
            for (int i = 0; i < ids.size(); i++) {
                runs.add(new NewRun(started.get(i).id(), ids.get(i), dueTimes.get(i)));
            }
            if (!runs.isEmpty()) {
                store.insertRuns(tx, runs, manual);
            }
            if (!progress.isEmpty()) {
                store.progress(tx, progress);
            }
            if (!failed.isEmpty()) {
                store.append(tx, "schedule-failed", failed);
            }
            return ids;
        }
    }

    /** The owners of these schedules who are operators still, and not suspended. */
    private Set<String> operators(Tx tx, List<Schedule> schedules) {
        var owners = schedules.stream()
                .map(Schedule::owner)
                .filter(Ids::isId)
                .map(UserId::parse)
                .collect(Collectors.toSet());
        if (owners.isEmpty()) {
            return Set.of();
        }
        return accounts.active(tx, roles.operators(tx, owners), store.now(tx)).stream()
                .map(UserId::hex)
                .collect(Collectors.toSet());
    }

    private static NewSaga saga(Schedule schedule, Instant dueAt, String by) {
        var settings = schedule.settings();
        return new NewSaga(
                settings.workflow(),
                payload(settings.payload(), dueAt),
                correlationId(schedule, dueAt),
                by,
                null,
                settings.priority());
    }

    private static String correlationId(Schedule schedule, Instant dueAt) {
        return "schedule:" + schedule.hex() + ":" + dueAt;
    }

    /** With the due time, unless it has a field of that name or is no object. */
    static JsonNode payload(JsonNode payload, Instant dueAt) {
        if (!(payload instanceof ObjectNode object) || object.has("scheduledAt")) {
            return payload;
        }
        return object.deepCopy().put("scheduledAt", dueAt.toString());
    }

    private int fire(Tx tx) {
        var due = store.lockDue(tx, BATCH_SIZE);
        if (due.isEmpty()) {
            return 0;
        }
        var now = store.now(tx);
        var open = store.open(
                tx,
                due.stream()
                        .filter(schedule -> schedule.settings().overlap() != Overlap.ALLOW)
                        .map(Schedule::id)
                        .toList());
        var round = new Round(tx, due);
        for (var schedule : due) {
            round.add(schedule, advance(round, schedule, now, open.getOrDefault(schedule.id(), List.of())));
        }
        round.write(false);
        return due.size();
    }

    private Progress advance(Round round, Schedule schedule, Instant now, List<SagaId> open) {
        ScheduleTimes times;
        try {
            times = schedule.settings().times();
        } catch (Problem refusal) {
            // It was valid once: a zone that has gone, for example.
            log.warn("schedule {} has no times any more", schedule.hex(), refusal);
            return new Progress(schedule.id(), null, schedule.handledUntil(), null, refusal.detail());
        }
        var run = due(schedule, times, now);
        var last = schedule.settings().catchUp() == CatchUp.ALL && run.isPresent() ? run.get() : now;
        var waiting = schedule.waitingAt();
        Text error = null;
        if (run.isPresent()) {
            if (schedule.settings().overlap() == Overlap.ALLOW || (open.isEmpty() && waiting == null)) {
                error = round.start(schedule, run.get());
            } else {
                waiting = overlap(schedule, run.get());
            }
        }
        var next = schedule.settings().after(times, last).orElse(null);
        return new Progress(schedule.id(), next, last, waiting, error);
    }

    /** The due time to start a saga for, if there is one: never one of before the last. */
    private static Optional<Instant> due(Schedule schedule, ScheduleTimes times, Instant now) {
        var settings = schedule.settings();
        var first = schedule.nextAt();
        if (first == null) {
            return Optional.empty();
        }
        var window = settings.catchUp() == CatchUp.NONE ? GRACE : settings.window();
        var earliest = now.minus(window);
        var to = settings.endAt() != null && settings.endAt().isBefore(now) ? settings.endAt() : now;
        // What was announced stays due, also where the rules of its zone have changed since.
        var announced = Optional.of(first).filter(time -> !time.isBefore(earliest));
        var from = announced.orElse(earliest.minusNanos(1));
        var found = settings.catchUp() == CatchUp.ALL
                ? announced.or(() -> times.after(from).filter(time -> !time.isAfter(to)))
                : times.lastWithin(from, to).or(() -> announced);
        var last = schedule.handledUntil();
        return found.filter(time -> last == null || time.isAfter(last));
    }

    /** The due time that waits from now on for the open runs to end. */
    private static @Nullable Instant overlap(Schedule schedule, Instant dueAt) {
        var waiting = schedule.waitingAt();
        return switch (schedule.settings().overlap()) {
            case SKIP, ALLOW -> waiting;
            case QUEUE -> waiting == null ? dueAt : waiting;
            case CANCEL_PREVIOUS -> dueAt;
        };
    }

    /** Cancels the runs that others wait for, each in a transaction: no two sagas are locked at once, nor while schedules are. */
    private void cancelReplaced() {
        for (var run : db.read(reads -> store.replaced(reads, BATCH_SIZE))) {
            db.useTransaction(tx -> {
                if (store.replaces(tx, run.schedule())) {
                    sagas.cancelReplaced(tx, run.saga());
                }
            });
        }
    }

    private int startReady(Tx tx) {
        var ready = store.lockReady(tx, BATCH_SIZE);
        if (ready.isEmpty()) {
            return 0;
        }
        var round = new Round(tx, ready);
        for (var schedule : ready) {
            var dueAt = schedule.waitingAt();
            if (dueAt != null) {
                var error = round.start(schedule, dueAt);
                round.add(
                        schedule, new Progress(schedule.id(), schedule.nextAt(), schedule.handledUntil(), null, error));
            }
        }
        round.write(false);
        return ready.size();
    }

    /** Starts a saga of a locked schedule besides its due times. */
    Triggered trigger(Tx tx, Schedule schedule, String by) {
        var isAlone = schedule.settings().overlap() != Overlap.ALLOW;
        if (isAlone && !store.open(tx, List.of(schedule.id())).isEmpty()) {
            throw SagaProblem.scheduleRunning();
        }
        var round = new Round(tx, List.of());
        var now = store.now(tx);
        // Throws where it cannot be started, unlike a due time, which leaves a note.
        var workflow = workflows.newest(tx, schedule.settings().workflow());
        round.add(schedule, now, engine.prepare(saga(schedule, now, by), workflow));
        var saga = round.write(true).getFirst();
        return new Triggered(saga, schedule.settings().workflow(), correlationId(schedule, now));
    }
}
