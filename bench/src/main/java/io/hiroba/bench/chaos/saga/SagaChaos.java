package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.Ground;
import io.hiroba.bench.chaos.Havoc;
import io.hiroba.bench.chaos.Node;
import io.hiroba.bench.chaos.Run;
import io.hiroba.bench.chaos.Tally;
import io.hiroba.saga.engine.FaultInjector.Point;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Two nodes over one database, a service that fails in every way, people who start, cancel and signal sagas, and havoc; in
 * the end every saga is held against what the service did.
 */
public final class SagaChaos implements Run {

    private static final int NODES = 2;
    private static final int SHOWN = 10;
    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);
    private static final Duration MAX_FREEZE = Duration.ofSeconds(9);

    /** How much longer a run may last until nodes have died at every point. */
    private static final Duration EXTENSION = Duration.ofSeconds(60);

    /** How long everything may take to come to its end once all is well again. */
    private static final Duration SETTLING = Duration.ofSeconds(60);

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private final Duration duration;
    private final long seed;
    private final Consumer<String> out;
    private final SplittableRandom random;
    private final Deaths deaths;
    private final Tally tally = new Tally();
    private final Ledger ledger = new Ledger();
    private final World world;
    private final Ground ground = Ground.create();
    private final List<SagaNode> nodes;

    public SagaChaos(Duration duration, long seed, Consumer<String> out) {
        this.duration = duration;
        this.seed = seed;
        this.out = out;
        this.random = new SplittableRandom(seed);
        this.deaths = new Deaths(random.split());
        this.world = new World(seed, ledger);
        this.nodes = IntStream.rangeClosed(1, NODES)
                .mapToObj(n -> new SagaNode(ground, "node" + n, world.endpoint(), deaths))
                .toList();
    }

    /** Runs and says what became of it: 0 where all is right. */
    public int verdict() {
        var findings = run();
        out.accept(tally());
        out.accept(findings.toString());
        findings.differences().stream().limit(SHOWN).forEach(difference -> out.accept(difference.toString()));
        out.accept(
                findings.differences().isEmpty()
                        ? "Every saga has ended and did or undid exactly what it says. Seed %d.".formatted(seed)
                        : "%,d sagas are not what they must be. Seed %d."
                                .formatted(findings.differences().size(), seed));
        if (!missing().isEmpty()) {
            throw new IllegalStateException("no node died at " + missing());
        }
        return findings.differences().isEmpty() ? 0 : 1;
    }

    Findings run() {
        out.accept("seed " + seed);
        define();
        processes().forEach(Node::start);
        Havoc.awaitAll(processes());
        var asked = rage();
        out.accept("· the havoc is over; waiting for what is left to come to its end");
        settle();
        try (var handle = ground.open()) {
            return Findings.of(Stories.read(handle), asked, ledger, seed);
        }
    }

    private List<Node> processes() {
        return nodes.stream().map(SagaNode::process).toList();
    }

    private void define() {
        try (var handle = ground.open()) {
            for (var shape : Shape.ALL) {
                handle.createUpdate("""
                                INSERT INTO saga.workflows (name, version, definition, format, created_by)
                                VALUES (:name, 1, :definition, 'yaml', 'chaos')
                                """)
                        .bind("name", shape.name())
                        .bind("definition", shape.definition())
                        .execute();
            }
        }
    }

    @SuppressWarnings("try") // havoc does its work by being open
    private Map<Long, Asked> rage() {
        var share = duration.dividedBy(4);
        var freeze = share.compareTo(MAX_FREEZE) < 0 ? share : MAX_FREEZE;
        try (var havoc = new Havoc(ground, processes(), tally, random.split(), freeze);
                var operators = new Operators(nodes, tally, random.split())) {
            long end = System.nanoTime() + duration.toNanos();
            long last = end + EXTENSION.toNanos();
            while (System.nanoTime() < end || (!missing().isEmpty() && System.nanoTime() < last)) {
                LockSupport.parkNanos(REPORT_EVERY.toNanos());
                var rest = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
                out.accept("· %d:%02d left: %s; %s".formatted(rest.toMinutes(), rest.toSecondsPart(), tally, deaths));
            }
            deaths.stop();
            return operators.all();
        }
    }

    /** What a patient operator does: sends the signals that are waited for, and has what is stuck tried again. */
    private void settle() {
        long end = System.nanoTime() + SETTLING.toNanos();
        boolean open = true;
        while (open && System.nanoTime() < end) {
            Havoc.awaitAll(processes());
            try (var handle = ground.open()) {
                var stories = Stories.read(handle);
                stories.forEach(this::help);
                open = stories.stream().anyMatch(this::isOpen);
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
        // What the service does too late it has done by then.
        LockSupport.parkNanos(World.MAX_DELAY.toNanos());
    }

    private boolean isOpen(Story story) {
        return !story.resting() || (!story.hasEnded() && !Trial.isStuckByPlan(story, seed));
    }

    private void help(Story story) {
        if (story.hasEnded()) {
            return;
        }
        var order = Operators.order().put("id", story.id());
        if (story.stuck() && !Trial.isStuckByPlan(story, seed)) {
            nodes.getFirst().ask("retry", order);
        }
        if (story.status().isForward() && !story.stuck()) {
            story.shape().signals().forEach(signal -> nodes.getFirst().ask(signal, order));
        }
    }

    List<Point> missing() {
        return deaths.missing();
    }

    /** The counts of a run so far. */
    String tally() {
        return tally + "; " + deaths;
    }

    Tally counts() {
        return tally;
    }

    /** Kills the nodes and removes the database; from another thread, it ends the run. */
    @Override
    public void close() {
        try {
            processes().forEach(Node::close);
        } finally {
            world.close();
            ground.close();
        }
    }
}
