package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.ChaosDatabase;
import io.hiroba.bench.chaos.ChaosRun;
import io.hiroba.bench.chaos.Nemesis;
import io.hiroba.bench.chaos.NodeProcess;
import io.hiroba.bench.chaos.RunCounters;
import io.hiroba.saga.engine.FaultInjector.Point;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The chaos test of sagas: two nodes over one database, a faulty service, clients that start, cancel and signal sagas, and
 * a nemesis. Every saga is then checked against the log of the service.
 */
public final class SagaChaos implements ChaosRun {

    private static final int NODES = 2;
    private static final int MAX_SHOWN = 10;
    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);
    private static final Duration MAX_FREEZE = Duration.ofSeconds(9);

    /** The extension of a run until nodes have crashed at every point. */
    private static final Duration EXTENSION = Duration.ofSeconds(60);

    /** The time for all sagas to terminate after the faults have stopped. */
    private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(60);

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

    public SagaChaos(Duration duration, long seed, Consumer<String> out) {
        this.duration = duration;
        this.seed = seed;
        this.out = out;
        this.random = new SplittableRandom(seed);
        this.crashPoints = new CrashPoints(random.split());
        this.service = new FaultyService(seed, serviceLog);
        this.nodes = IntStream.rangeClosed(1, NODES)
                .mapToObj(n -> new SagaNode(database, "node" + n, service.endpoint(), crashPoints))
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
                        ? "Every saga has ended with exactly the effects that it reports. Seed %d.".formatted(seed)
                        : "%,d sagas are not correct. Seed %d."
                                .formatted(report.differences().size(), seed));
        if (!missing().isEmpty()) {
            throw new IllegalStateException("no node crashed at " + missing());
        }
        return report.differences().isEmpty() ? 0 : 1;
    }

    SagaReport run() {
        out.accept("seed " + seed);
        define();
        processes().forEach(NodeProcess::start);
        Nemesis.awaitAll(processes());
        var requests = runWorkload();
        out.accept("· faults stopped; waiting for the remaining sagas");
        settle();
        try (var handle = database.open()) {
            return SagaReport.of(ObservedSagaReader.read(handle), requests, serviceLog, seed);
        }
    }

    private List<NodeProcess> processes() {
        return nodes.stream().map(SagaNode::process).toList();
    }

    private void define() {
        try (var handle = database.open()) {
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

    @SuppressWarnings("try") // the nemesis works until closed
    private Map<Long, SagaRequests> runWorkload() {
        var share = duration.dividedBy(4);
        var freeze = share.compareTo(MAX_FREEZE) < 0 ? share : MAX_FREEZE;
        try (var nemesis = new Nemesis(database, processes(), counters, random.split(), freeze);
                var operators = new OperatorClients(nodes, counters, random.split())) {
            long end = System.nanoTime() + duration.toNanos();
            long last = end + EXTENSION.toNanos();
            while (System.nanoTime() < end || (!missing().isEmpty() && System.nanoTime() < last)) {
                LockSupport.parkNanos(REPORT_EVERY.toNanos());
                var rest = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
                out.accept("· %d:%02d left: %s; %s"
                        .formatted(rest.toMinutes(), rest.toSecondsPart(), counters, crashPoints));
            }
            crashPoints.stop();
            return operators.all();
        }
    }

    /** Acts as an operator: sends the signals that sagas wait for and retries stuck ones. */
    private void settle() {
        long end = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
        boolean open = true;
        while (open && System.nanoTime() < end) {
            Nemesis.awaitAll(processes());
            try (var handle = database.open()) {
                var sagas = ObservedSagaReader.read(handle);
                sagas.forEach(this::unblock);
                open = SagaFamily.all(sagas).stream().anyMatch(this::isOpen);
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
        // Late effects of the service have happened by then.
        LockSupport.parkNanos(FaultyService.MAX_DELAY.toNanos());
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
        return counters + "; " + crashPoints;
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
