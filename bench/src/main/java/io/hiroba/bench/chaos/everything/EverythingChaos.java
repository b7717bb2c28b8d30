package io.hiroba.bench.chaos.everything;

import io.hiroba.bench.chaos.ChaosDatabase;
import io.hiroba.bench.chaos.ChaosHttpClient;
import io.hiroba.bench.chaos.ChaosRun;
import io.hiroba.bench.chaos.ChaosUser;
import io.hiroba.bench.chaos.ClientThreads;
import io.hiroba.bench.chaos.Nemesis;
import io.hiroba.bench.chaos.NodeProcess;
import io.hiroba.bench.chaos.ProgressReporter;
import io.hiroba.bench.chaos.RunCounters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The chaos test of everything: two servers over one database, clients that write through every feature and repeat what was not
 * acknowledged, servers that are killed and frozen, and a database that crashes. What was acknowledged must then be there once.
 */
public final class EverythingChaos implements ChaosRun {

    private static final int SERVERS = 2;
    private static final int CLIENTS = 6;
    private static final int MAX_SHOWN = 10;

    /** The claim of a server that died ends soon after so long. */
    private static final int RUN_SECONDS = 8;

    private static final Duration MAX_FREEZE = Duration.ofSeconds(7);
    private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final int MIN_CRASH_MS = 3_000;
    private static final int MAX_CRASH_MS = 20_000;

    private final Duration duration;
    private final long seed;
    private final Consumer<String> out;
    private final SplittableRandom random;
    private final RunCounters counters = new RunCounters();
    private final AtomicInteger crashes = new AtomicInteger();
    private final Ledger ledger = new Ledger();
    private final ChaosHttpClient http = new ChaosHttpClient();
    private final ChaosDatabase database = ChaosDatabase.create();
    private final List<NodeProcess> nodes;

    public EverythingChaos(Duration duration, long seed, Consumer<String> out) {
        this.duration = duration;
        this.seed = seed;
        this.out = out;
        this.random = new SplittableRandom(seed);
        this.nodes = IntStream.rangeClosed(1, SERVERS)
                .mapToObj(n -> NodeProcess.server(database, "node" + n, settings()))
                .toList();
    }

    /** Without vectors, which have a test of their own and would take most of the time. */
    private static String[] settings() {
        return new String[] {
            "--knowledge.embedding.provider=openai",
            "--knowledge.embedding.base-url=http://127.0.0.1:1",
            "--knowledge.embedding.model=none",
            "--knowledge.embedding.dimensions=8"
        };
    }

    /** Runs the test, prints the report and returns 0 if there are no differences. */
    public int runAndReport() {
        var differences = run();
        out.accept(summary());
        differences.stream().limit(MAX_SHOWN).forEach(out);
        out.accept(
                differences.isEmpty()
                        ? "Everything that was acknowledged is there once. Seed %d.".formatted(seed)
                        : "%,d things are lost, there twice or were refused. Seed %d."
                                .formatted(differences.size(), seed));
        return differences.isEmpty() ? 0 : 1;
    }

    List<String> run() {
        out.accept("seed " + seed);
        nodes.forEach(NodeProcess::start);
        Nemesis.awaitAll(nodes);
        var places = places();
        runWorkload(places);
        out.accept("· faults stopped; waiting for the remaining work");
        return settle(places);
    }

    private LedgerPlaces places() {
        ChaosUser user;
        try (var handle = database.open()) {
            user = handle.inTransaction(tx -> {
                var made =
                        ChaosUser.create(tx, 1, Instant.now(), random.split()).getFirst();
                tx.execute("UPDATE accounts.users SET is_admin = true WHERE id = ?", made.id());
                return made;
            });
        }
        post(user, "/api/v1/workflows", "{'name': 'ledger', 'steps': [{'name': 'pause', 'sleep': '1s'}]}");
        var project =
                post(user, "/api/v1/projects", "{'name': 'ledger'}").path("id").asString();
        post(
                user,
                "/api/v1/projects/" + project + "/schemas",
                "{'name': 'ledger', 'attributes': [{'name': 'text', 'type': 'text', 'unique': true}]}");
        var agent = post(
                        user,
                        "/api/v1/agents",
                        "{'nickname': '%s', 'model': 'librarian', 'limits': {'turns': 4, 'seconds': %d}}"
                                .formatted(LedgerPlaces.AGENT, RUN_SECONDS))
                .path("id")
                .asString();
        return new LedgerPlaces(user, project, agent);
    }

    private JsonNode post(ChaosUser user, String path, String json) {
        var reply = http.send(
                nodes.getFirst().address().orElseThrow(), user, "POST", path, json.replace('\'', '"'), Map.of());
        if (!reply.isDone()) {
            throw new IllegalStateException(path + " was answered with " + reply);
        }
        return JsonMapper.shared().readTree(reply.body());
    }

    @SuppressWarnings("try") // all work until closed
    private void runWorkload(LedgerPlaces places) {
        var share = duration.dividedBy(8);
        var freeze = share.compareTo(MAX_FREEZE) < 0 ? share : MAX_FREEZE;
        // The clients are closed last: they repeat what is not acknowledged yet at servers that no longer fail.
        try (var clients = new ClientThreads(
                        CLIENTS,
                        stopped -> new LedgerClient(nodes, places, ledger, counters, random.split(), stopped));
                var nemesis = new Nemesis(database, nodes, counters, random.split(), freeze, this::areReady);
                var crashing = new ClientThreads(1, stopped -> () -> crash(stopped, random.split()))) {
            ProgressReporter.writeLine(duration, out, this::summary);
        }
    }

    /** On a slow machine nobody would be there to write to if starting servers were killed again and again. */
    private boolean areReady() {
        return nodes.stream().allMatch(node -> node.address().isPresent());
    }

    private void crash(BooleanSupplier stopped, SplittableRandom chance) {
        while (!stopped.getAsBoolean()) {
            long until = System.nanoTime() + chance.nextLong(MIN_CRASH_MS, MAX_CRASH_MS) * 1_000_000;
            while (!stopped.getAsBoolean() && System.nanoTime() < until) {
                LockSupport.parkNanos(100_000_000);
            }
            if (!stopped.getAsBoolean()) {
                database.crash();
                crashes.incrementAndGet();
            }
        }
    }

    /** Waits until everything is there; what is not after the timeout is returned. */
    private List<String> settle(LedgerPlaces places) {
        long end = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
        var differences = differences(places);
        while (!differences.isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            differences = differences(places);
        }
        return differences;
    }

    private List<String> differences(LedgerPlaces places) {
        Nemesis.awaitAll(nodes);
        var differences = new ArrayList<>(ledger.refused());
        for (var kind : LedgerKind.values()) {
            differences.addAll(ledger.differences(kind, found(kind, places)));
        }
        return differences;
    }

    /** The marks of all entries that the API lists. */
    private List<String> found(LedgerKind kind, LedgerPlaces places) {
        var found = new ArrayList<String>();
        var after = "";
        do {
            var node = nodes.get(random.nextInt(nodes.size())).address().orElseThrow();
            var reply = http.send(node, places.user(), "GET", kind.list(places) + after, "", Map.of());
            if (!reply.isDone()) {
                throw new IllegalStateException(kind + " is not listed: " + reply);
            }
            var page = JsonMapper.shared().readTree(reply.body());
            for (var item : page.path("items")) {
                var mark = kind.marks().matcher(item.toString());
                if (mark.find()) {
                    found.add(mark.group(1));
                }
            }
            var next = page.path("next").asString("");
            after = next.isEmpty() ? "" : "&after=" + next;
        } while (!after.isEmpty());
        return found;
    }

    String summary() {
        return "%s, %d crashes of the database; acknowledged %s"
                .formatted(
                        counters,
                        crashes.get(),
                        Arrays.stream(LedgerKind.values()).collect(Collectors.toMap(kind -> kind, ledger::size)));
    }

    RunCounters counters() {
        return counters;
    }

    int acknowledged(LedgerKind kind) {
        return ledger.size(kind);
    }

    int crashes() {
        return crashes.get();
    }

    /** Kills the servers and removes the database. Called from another thread, it aborts the run. */
    @Override
    public void close() {
        try {
            nodes.forEach(NodeProcess::close);
        } finally {
            database.close();
        }
    }
}
