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
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

    /** The remaining work may take as long as it does, but not so long without any of it done. */
    private static final Duration STALL_TIMEOUT = Duration.ofMinutes(3);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);
    private static final int MIN_CRASH_MS = 3_000;
    private static final int MAX_CRASH_MS = 20_000;

    /** Of so many crashes that would break the start of a server, one does. */
    private static final int STARTS_BROKEN = 4;

    private final Duration duration;
    private final long seed;
    private final Consumer<String> out;
    private final SplittableRandom random;
    private final RunCounters counters = new RunCounters();
    private final AtomicInteger crashes = new AtomicInteger();
    private final Ledger ledger = new Ledger();
    private final ChaosHttpClient http = new ChaosHttpClient();
    private final EventReceiver receiver;
    private final ChaosDatabase database = ChaosDatabase.create();
    private final List<NodeProcess> nodes;

    public EverythingChaos(Duration duration, long seed, Consumer<String> out) {
        this.duration = duration;
        this.seed = seed;
        this.out = out;
        this.random = new SplittableRandom(seed);
        this.receiver = new EventReceiver(random.split());
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
            "--knowledge.embedding.dimensions=8",
            "--media.limits.per-hour=1000000",
            "--webhooks.private-addresses=true",
            "--webhooks.retry-delay=200ms"
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
        List<ChaosUser> users;
        try (var handle = database.open()) {
            users = handle.inTransaction(tx -> {
                var made = ChaosUser.create(tx, 2, Instant.now(), random.split());
                tx.execute(
                        "UPDATE accounts.users SET is_admin = true WHERE id = ?",
                        made.getFirst().id());
                return made;
            });
        }
        var writer = users.getFirst();
        var pause = "{'name': 'pause', 'sleep': '1s'}";
        for (var name : List.of("ledger", "ledger-scheduled", "ledger-told")) {
            post(writer, "/api/v1/workflows", "{'name': '%s', 'steps': [%s]}".formatted(name, pause));
        }
        var approval = "{'name': 'approve', 'approval': {'assignees': ['%s'], 'title': '{{$.payload.entry}}'}}"
                .formatted(writer.hex());
        post(writer, "/api/v1/workflows", "{'name': 'ledger-approved', 'steps': [%s]}".formatted(approval));
        var project = id(post(writer, "/api/v1/projects", "{'name': 'ledger'}"));
        var attributes = "{'name': 'text', 'type': 'text', 'unique': true},"
                + "{'name': 'files', 'type': 'jsonb', 'format': 'attachments'}";
        post(
                writer,
                "/api/v1/projects/" + project + "/schemas",
                "{'name': 'ledger', 'attributes': [%s]}".formatted(attributes));
        var limits = "{'turns': 4, 'seconds': %d}".formatted(RUN_SECONDS);
        var agent = post(
                writer,
                "/api/v1/agents",
                "{'nickname': '%s', 'model': 'librarian', 'limits': %s}".formatted(LedgerPlaces.AGENT, limits));
        var thread = post(
                writer,
                "/api/v1/messages/threads",
                "{'members': ['%s'], 'content': 'hello'}"
                        .formatted(users.getLast().hex()));
        var gitlab = post(writer, "/api/v1/inbox/connections", "{'kind': 'gitlab', 'name': 'ledger'}");
        var told =
                "{'url': '%s', 'events': ['saga.completed'], 'workflows': ['ledger-told']}".formatted(receiver.url());
        post(writer, "/api/v1/webhooks", told);
        return new LedgerPlaces(
                writer,
                Map.of(
                        "writer", writer.hex(),
                        "email", ChaosUser.email(1),
                        "project", project,
                        "agent", id(agent),
                        "thread", id(thread),
                        "gitlab", id(gitlab),
                        "secret", gitlab.path("secret").asString()));
    }

    private static String id(JsonNode made) {
        return made.path("id").asString();
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
        try (var clients = new ClientThreads(CLIENTS, stopped -> client(places, stopped));
                var nemesis =
                        new Nemesis(database, nodes, counters, random.split(), freeze, () -> Nemesis.areReady(nodes));
                var crashing = new ClientThreads(1, stopped -> () -> crash(stopped, random.split()))) {
            ProgressReporter.writeLine(duration, out, this::summary);
        }
    }

    /** At least once, however short the run is; later seldom while a server starts, which takes long on a slow machine. */
    private void crash(BooleanSupplier stopped, SplittableRandom chance) {
        long max = Math.clamp(duration.toMillis() / 2, MIN_CRASH_MS + 1L, MAX_CRASH_MS);
        while (!stopped.getAsBoolean()) {
            long until = System.nanoTime() + chance.nextLong(MIN_CRASH_MS, max) * 1_000_000;
            while (!stopped.getAsBoolean() && System.nanoTime() < until) {
                LockSupport.parkNanos(100_000_000);
            }
            boolean mayCrash = crashes.get() == 0 || Nemesis.areReady(nodes) || chance.nextInt(STARTS_BROKEN) == 0;
            if (mayCrash && !stopped.getAsBoolean()) {
                database.crash();
                crashes.incrementAndGet();
            }
        }
    }

    /** Waits until everything is there; what is not when nothing happens any more is returned. */
    private List<String> settle(LedgerPlaces places) {
        endClaims(places);
        var reader = new LedgerReader(nodes, places, receiver, random.split());
        var all = List.of(LedgerKind.values());
        var differences = differences(all, reader);
        int fewest = size(differences);
        long end = System.nanoTime() + STALL_TIMEOUT.toNanos();
        long report = System.nanoTime() + REPORT_INTERVAL.toNanos();
        while (!differences.isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            differences = differences(differences.keySet(), reader);
            if (differences.isEmpty()) {
                // Nothing came twice since.
                differences = differences(all, reader);
            }
            if (size(differences) < fewest) {
                fewest = size(differences);
                end = System.nanoTime() + STALL_TIMEOUT.toNanos();
            }
            if (System.nanoTime() > report) {
                report = System.nanoTime() + REPORT_INTERVAL.toNanos();
                out.accept("· %,d things are not there yet: %s".formatted(size(differences), differences.keySet()));
            }
        }
        return Stream.concat(
                        ledger.refused().stream(), differences.values().stream().flatMap(List::stream))
                .toList();
    }

    /** Nobody waits for the claims of servers that died: they end, and one more question has the servers look. */
    private void endClaims(LedgerPlaces places) {
        try (var handle = database.open()) {
            handle.execute("UPDATE agents.runs SET due_at = now() WHERE state = 'running' AND due_at > now()");
            handle.execute("UPDATE webhooks.queues SET due_at = now() WHERE due_at > now()");
        }
        client(places, () -> true).write(LedgerKind.QUESTION);
    }

    private LedgerClient client(LedgerPlaces places, BooleanSupplier stopped) {
        return new LedgerClient(nodes, places, ledger, counters, random.split(), stopped);
    }

    private static int size(Map<LedgerKind, List<String>> differences) {
        return differences.values().stream().mapToInt(List::size).sum();
    }

    private Map<LedgerKind, List<String>> differences(Collection<LedgerKind> kinds, LedgerReader reader) {
        Nemesis.awaitAll(nodes);
        var differences = new EnumMap<LedgerKind, List<String>>(LedgerKind.class);
        for (var kind : kinds) {
            var found = ledger.differences(kind, reader.marks(kind));
            if (!found.isEmpty()) {
                differences.put(kind, found);
            }
        }
        return differences;
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
        try (receiver) {
            nodes.forEach(NodeProcess::close);
        } finally {
            database.close();
        }
    }
}
