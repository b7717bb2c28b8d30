package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.ChaosDatabase;
import io.hiroba.bench.chaos.ChaosRun;
import io.hiroba.bench.chaos.Nemesis;
import io.hiroba.bench.chaos.NodeProcess;
import io.hiroba.bench.chaos.RunCounters;
import io.hiroba.bench.chaos.saga.SagaNode.Reply;
import io.hiroba.bench.chaos.saga.SagaReport.Difference;
import io.hiroba.saga.engine.FaultInjector.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * The chaos test of sagas: two nodes over one database, a faulty service, clients that start, cancel and signal sagas, people
 * who approve, schedules that are due, and a nemesis. Every saga is then checked against the log of the service, every approval
 * against the decisions, and every schedule against its due times.
 */
public final class SagaChaos implements ChaosRun {

    private static final int NODES = 2;
    private static final int MAX_SHOWN = 10;
    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);
    private static final Duration MAX_FREEZE = Duration.ofSeconds(9);

    /** A shorter run is to be over soon. */
    private static final Duration SHORT = Duration.ofMinutes(1);

    /** The extension of a run until nodes have crashed at every point. */
    private static final Duration EXTENSION = Duration.ofSeconds(60);

    /** The time for all sagas to terminate after the faults have stopped. */
    private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(10);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final Duration duration;
    private final long seed;
    private final Consumer<String> out;
    private final SplittableRandom random;
    private final CrashPoints crashPoints;
    private final RunCounters counters = new RunCounters();
    private final ServiceLog serviceLog = new ServiceLog();
    private final FaultyService service;
    private final ChaosDatabase database = ChaosDatabase.create();
    private final List<SagaNode> nodes;
    private String observed = "";

    public SagaChaos(Duration duration, long seed, Consumer<String> out) {
        this.duration = duration;
        this.seed = seed;
        this.out = out;
        this.random = new SplittableRandom(seed);
        this.crashPoints = new CrashPoints(random.split(), duration.compareTo(SHORT) < 0 ? 10 : 40);
        this.service = new FaultyService(seed, serviceLog);
        this.nodes = IntStream.rangeClosed(1, NODES)
                .mapToObj(n -> new SagaNode(database, "node" + n, service, crashPoints))
                .toList();
    }

    /** Runs the test, prints the report and returns 0 if there are no differences. */
    public int runAndReport() {
        var report = run();
        out.accept(summary());
        out.accept(report.toString());
        report.differences().stream().limit(MAX_SHOWN).forEach(difference -> out.accept(difference.toString()));
        out.accept(
                report.differences().isEmpty()
                        ? "Every saga has ended with exactly the effects that it reports, every approval as it was decided, every"
                                + " due time was started once, and no limit was passed. Seed %d.".formatted(seed)
                        : "%,d sagas, approvals or schedules are not correct. Seed %d."
                                .formatted(report.differences().size(), seed));
        if (!missing().isEmpty()) {
            throw new IllegalStateException("no node crashed at " + missing());
        }
        return report.differences().isEmpty() ? 0 : 1;
    }

    SagaReport run() {
        out.accept("seed " + seed);
        var begin = database.now();
        var end = begin.plus(duration);
        define(begin, end);
        processes().forEach(NodeProcess::start);
        Nemesis.awaitAll(processes());
        var approvers = new Approvers(database, nodes, counters, random.split());
        var requests = runWorkload(approvers);
        out.accept("· faults stopped; waiting for the remaining sagas");
        settle(approvers, end);
        try (var handle = database.open()) {
            var sagas = ObservedSagaReader.read(handle);
            var approvals = ApprovalCheck.read(handle);
            var breaches = service.limited().breaches();
            observed = "approvals %s; %d calls of the limited service at once"
                    .formatted(
                            ApprovalCheck.states(approvals), service.limited().most());
            return SagaReport.of(sagas, withCancelledRuns(sagas, requests), serviceLog, seed)
                    .with(ApprovalCheck.all(approvals, sagas, approvers.decisions()))
                    .with(ScheduleCheck.all(handle, begin, end))
                    .with(
                            breaches.isEmpty()
                                    ? List.of()
                                    : List.of(new Difference("limited service", breaches, List.of())));
        }
    }

    /** The requests of clients, and those of schedules that cancel the run before. */
    private static Map<Long, SagaRequests> withCancelledRuns(
            List<ObservedSaga> sagas, Map<Long, SagaRequests> requests) {
        var all = new HashMap<>(requests);
        for (var saga : sagas) {
            if (ChaosSchedule.cancels(saga.number())) {
                var cancelled = new SagaRequests(saga.number(), saga.workflow());
                cancelled.add("cancel", Reply.UNKNOWN);
                all.put(saga.number(), cancelled);
            }
        }
        return all;
    }

    private List<NodeProcess> processes() {
        return nodes.stream().map(SagaNode::process).toList();
    }

    private void define(Instant begin, Instant end) {
        try (var handle = database.open()) {
            for (long user : ChaosWorkflow.APPROVERS) {
                handle.createUpdate("""
                                INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                                VALUES (:id, 'approver' || :id || '@square.example', 'Approver ' || :id, '', false, '')
                                """).bind("id", user).execute();
            }
            handle.createUpdate("""
                            INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                            VALUES (:id, 'owner@square.example', 'Owner', '', true, '')
                            """).bind("id", ChaosSchedule.OWNER.value()).execute();
            handle.createUpdate("""
                            INSERT INTO saga.service_limits (service, max_concurrent, updated_by)
                            VALUES (:service, :max, 'chaos')
                            """)
                    .bind("service", ChaosWorkflow.LIMITED_SERVICE)
                    .bind("max", ChaosWorkflow.MAX_CONCURRENT)
                    .execute();
            ChaosSchedule.ALL.forEach(schedule -> schedule.insert(handle, begin, end));
            for (var workflow : ChaosWorkflow.ALL) {
                handle.createUpdate("""
                                INSERT INTO saga.workflows (name, version, definition, format, created_by)
                                VALUES (:name, 1, :definition, 'yaml', 'chaos')
                                """)
                        .bind("name", workflow.name())
                        .bind("definition", workflow.definition())
                        .execute();
            }
        }
    }

    @SuppressWarnings("try") // the nemesis and the people work until closed
    private Map<Long, SagaRequests> runWorkload(Approvers approvers) {
        var share = duration.dividedBy(4);
        var freeze = share.compareTo(MAX_FREEZE) < 0 ? share : MAX_FREEZE;
        // Until nodes have crashed at every point they die there only: one that is killed before it gets there is one
        // more to
        // start.
        BooleanSupplier mayKill = () -> missing().isEmpty();
        try (var nemesis = new Nemesis(database, processes(), counters, random.split(), freeze, mayKill);
                approvers;
                var operators = new OperatorClients(nodes, counters, random.split())) {
            long end = System.nanoTime() + duration.toNanos();
            long last = end + EXTENSION.toNanos();
            long report = System.nanoTime() + REPORT_EVERY.toNanos();
            while (System.nanoTime() < end || (!missing().isEmpty() && System.nanoTime() < last)) {
                LockSupport.parkNanos(POLL_INTERVAL.toNanos());
                if (System.nanoTime() > report) {
                    report += REPORT_EVERY.toNanos();
                    var rest = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
                    out.accept("· %d:%02d left: %s; %s"
                            .formatted(rest.toMinutes(), rest.toSecondsPart(), counters, crashPoints));
                }
            }
            crashPoints.stop();
            return operators.all();
        }
    }

    /** Acts as an operator and as the people who are asked: sends what sagas wait for and retries stuck ones. */
    private void settle(Approvers approvers, Instant lastDue) {
        long end = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
        boolean open = true;
        while (open && System.nanoTime() < end) {
            Nemesis.awaitAll(processes());
            approvers.approveAll();
            try (var handle = database.open()) {
                var sagas = ObservedSagaReader.read(handle);
                sagas.forEach(this::unblock);
                open = approvers.isBusy()
                        || !database.now().isAfter(lastDue)
                        || hasDueSchedules(handle)
                        || SagaFamily.all(sagas).stream().anyMatch(this::isOpen)
                        || ChaosDatabase.waiting(handle, ChaosInbox.CONSUMER) > 0;
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
        // Late effects of the service have happened by then.
        LockSupport.parkNanos(FaultyService.MAX_DELAY.toNanos());
    }

    /** Whether a schedule is still due, or has a run that can start. */
    private static boolean hasDueSchedules(Handle handle) {
        return handle.createQuery("""
                        SELECT EXISTS (
                            SELECT FROM saga.schedules AS s
                            WHERE s.next_at <= now()
                               OR s.waiting_at IS NOT NULL
                                  AND NOT EXISTS (
                                      SELECT FROM saga.schedule_runs AS r
                                      JOIN saga.saga_states AS g ON g.id = r.saga_id
                                      WHERE r.schedule_id = s.id AND g.stuck))
                        """).mapTo(Boolean.class).one();
    }

    private boolean isOpen(SagaFamily family) {
        var saga = family.saga();
        return !saga.resting()
                || (!saga.hasEnded() && !SagaCheck.isStuckByPlan(saga, seed) && !family.waitsForStuckChild(seed));
    }

    private void unblock(ObservedSaga saga) {
        if (saga.hasEnded()) {
            return;
        }
        var command = OperatorClients.command().put("id", saga.id());
        if (saga.stuck() && !SagaCheck.isStuckByPlan(saga, seed)) {
            nodes.getFirst().send("retry", command);
        }
        if (saga.status().isForward() && !saga.stuck()) {
            saga.workflow().signals().forEach(signal -> nodes.getFirst().send(signal, command));
        }
    }

    List<Point> missing() {
        return crashPoints.missing();
    }

    String summary() {
        return counters + "; " + crashPoints + "; " + observed;
    }

    RunCounters counters() {
        return counters;
    }

    /** Kills the nodes and removes the database; from another thread, it ends the run. */
    @Override
    public void close() {
        try {
            processes().forEach(NodeProcess::close);
        } finally {
            service.close();
            database.close();
        }
    }
}
