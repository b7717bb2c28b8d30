package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.ChaosDatabase;
import io.hiroba.bench.chaos.ChaosRun;
import io.hiroba.bench.chaos.ChaosUser;
import io.hiroba.bench.chaos.ClientThreads;
import io.hiroba.bench.chaos.Nemesis;
import io.hiroba.bench.chaos.NodeProcess;
import io.hiroba.bench.chaos.ProgressReporter;
import io.hiroba.bench.chaos.RunCounters;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * The chaos test of knowledge: two servers over one database, a faulty embedding service, clients that change sources and
 * sessions, and a nemesis. Every chunk and every message is then checked against the acknowledged requests.
 */
public final class KnowledgeChaos implements ChaosRun {

    private static final int SERVERS = 2;
    private static final int USERS = 8;
    private static final int SOURCE_CLIENTS = 3;
    private static final int SESSION_CLIENTS = 3;
    private static final int MAX_SHOWN = 10;

    /** Longer than a lease, which is three times the timeout of a call. */
    private static final Duration MAX_FREEZE = Duration.ofSeconds(7);

    /** The time for all work to finish after the faults have stopped. */
    private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(10);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(300);

    private final Duration duration;
    private final long seed;
    private final Consumer<String> out;
    private final SplittableRandom random;
    private final RunCounters counters = new RunCounters();
    private final EmbeddingCalls calls = new EmbeddingCalls();
    private final FaultyEmbeddingService service;
    private final ChaosDatabase database = ChaosDatabase.create();
    private final List<NodeProcess> nodes;

    public KnowledgeChaos(Duration duration, long seed, Consumer<String> out) {
        this.duration = duration;
        this.seed = seed;
        this.out = out;
        this.random = new SplittableRandom(seed);
        this.service = new FaultyEmbeddingService(random.nextLong(), calls);
        this.nodes = IntStream.rangeClosed(1, SERVERS)
                .mapToObj(n -> NodeProcess.server(database, "node" + n, settings()))
                .toList();
    }

    /** Timeouts so short that everything happens within a minute. */
    private String[] settings() {
        return new String[] {
            "--knowledge.embedding.provider=openai",
            "--knowledge.embedding.base-url=" + service.url(),
            "--knowledge.embedding.model=chaos",
            "--knowledge.embedding.dimensions=" + TextVectors.DIMENSIONS,
            "--knowledge.embedding.batch=20",
            "--knowledge.embedding.concurrency=3",
            "--knowledge.embedding.timeout=" + FaultyEmbeddingService.CLIENT_TIMEOUT.toMillis() + "ms",
            "--knowledge.embedding.first-retry=300ms",
            "--knowledge.embedding.second-retry=600ms",
            "--knowledge.embedding.third-retry=1s",
            "--knowledge.embedding.max-retry=" + ChunkCheck.MAX_RETRY,
            "--knowledge.archive.idle=1500ms",
            "--knowledge.archive.every=500ms"
        };
    }

    /** Runs the test, prints the report and returns 0 if there are no differences. */
    public int runAndReport() {
        var report = run();
        out.accept(summary());
        out.accept(report.counts().toString());
        report.differences().stream().limit(MAX_SHOWN).forEach(difference -> out.accept(difference.toString()));
        out.accept(
                report.differences().isEmpty()
                        ? "Every chunk and every message is as acknowledged. Seed %d.".formatted(seed)
                        : "%,d sources and sessions are not as acknowledged. Seed %d."
                                .formatted(report.differences().size(), seed));
        return report.differences().isEmpty() ? 0 : 1;
    }

    KnowledgeReport run() {
        out.accept("seed " + seed);
        nodes.forEach(NodeProcess::start);
        Nemesis.awaitAll(nodes);
        var history = new ClientHistory(users());
        runWorkload(history);
        out.accept("· faults stopped; waiting for the remaining work");
        service.stopFaults();
        settle();
        var requests = new RetryingClient(nodes, new RunCounters(), random.split());
        var api = new ApiReader(requests).read(history);
        try (var handle = database.open()) {
            return KnowledgeReport.of(new Observations(history, DatabaseReader.read(handle), api, calls));
        }
    }

    private List<ChaosUser> users() {
        try (var handle = database.open()) {
            return handle.inTransaction(this::users);
        }
    }

    private List<ChaosUser> users(Handle tx) {
        var users = ChaosUser.create(tx, USERS, Instant.now(), random.split());
        // Admins have no quota.
        users.forEach(user -> tx.execute("UPDATE accounts.users SET is_admin = true WHERE id = ?", user.id()));
        return users;
    }

    @SuppressWarnings("try") // all work until closed
    private void runWorkload(ClientHistory history) {
        var share = duration.dividedBy(8);
        var freeze = share.compareTo(MAX_FREEZE) < 0 ? share : MAX_FREEZE;
        try (var nemesis =
                        new Nemesis(database, nodes, counters, random.split(), freeze, () -> Nemesis.areReady(nodes));
                var sourceClients = new ClientThreads(
                        SOURCE_CLIENTS, stopped -> new SourceClient(requests(), history, random.split(), stopped));
                var sessionClients = new ClientThreads(
                        SESSION_CLIENTS, stopped -> new SessionClient(requests(), history, random.split(), stopped))) {
            ProgressReporter.writeLine(duration, out, () -> summary() + "; " + history);
        }
    }

    private RetryingClient requests() {
        return new RetryingClient(nodes, counters, random.split());
    }

    /** Waits for the remaining work; what is unfinished after the timeout shows in the report. */
    private void settle() {
        var begun = database.now();
        long end = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
        boolean isSettled = false;
        while (!isSettled && System.nanoTime() < end) {
            Nemesis.awaitAll(nodes);
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            try (var handle = database.open()) {
                isSettled = !database.hasTransactionsSince(begun) && DatabaseReader.areSettled(handle);
            }
        }
    }

    String summary() {
        return counters + "; " + calls;
    }

    RunCounters counters() {
        return counters;
    }

    /** Kills the servers and removes the database. Called from another thread, it aborts the run. */
    @Override
    public void close() {
        try {
            nodes.forEach(NodeProcess::close);
        } finally {
            service.close();
            database.close();
        }
    }
}
