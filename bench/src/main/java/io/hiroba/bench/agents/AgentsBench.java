package io.hiroba.bench.agents;

import io.hiroba.bench.InterleavedBenchmark.Result;
import io.hiroba.bench.ServerProcess;
import io.hiroba.platform.http.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * The benchmark of agents. Mentions are posted while all agents are paused; then they go on, and the time is taken until the last is
 * answered by a model that answers at once. Each mention is a session of its own, so that in the end there are many that are idle.
 */
public final class AgentsBench {

    private static final int CALLERS = 20;
    private static final int RUNS = 2_000;
    private static final int WARM_UP = 1_000;
    private static final int ROUNDS = 3;
    private static final int SESSIONS = 10_000;
    private static final int IDLE_SECONDS = 20;
    private static final long POLL_NANOS = 20_000_000;
    private static final String PASSWORD = "a good password";

    private final ServerProcess server;
    private final Handle handle;
    private final List<String> tokens = new ArrayList<>();

    private AgentsBench(ServerProcess server, Handle handle) {
        this.server = server;
        this.handle = handle;
    }

    public static void run() {
        try (var model = new InstantModel();
                var server = ServerProcess.ofThisBuild(
                        "--knowledge.chat.base-url=" + model.url(),
                        "--knowledge.chat.model=instant",
                        "--agents.daily-tokens=0",
                        "--agents.daily-tokens-per-caller=0",
                        "--agents.daily-cost=0",
                        "--social.posts-per-hour=0",
                        "--accounts.limits.log-ins-per-minute=10000",
                        "--accounts.hashing.memory-kib=8",
                        "--accounts.hashing.iterations=1");
                var handle = open(server)) {
            new AgentsBench(server, handle).measure();
        }
    }

    private static Handle open(ServerProcess server) {
        var database = server.database();
        return Jdbi.create(
                        "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(database.port()),
                        database.user(),
                        database.password())
                .open();
    }

    private void measure() {
        prepare();
        round("Swift", WARM_UP);
        idle();
        measure("a run with one call of a model", "Swift");
        measure("a run with a tool and two calls of a model", "Handy");
        measure("a run of the librarian", "Bookish");
        fillSessions();
        idle();
    }

    private void prepare() {
        try (var http = server.connect()) {
            http.send("PUT", "/api/v1/ai-models/instant", Json.text(Map.of("inputCost", 1, "outputCost", 1)));
        }
        make("Swift", "instant", List.of());
        make("Handy", "instant", List.of("posts_search"));
        make("Bookish", "librarian", List.of());
        for (int i = 0; i < CALLERS; i++) {
            var email = "caller%d@square.example".formatted(i);
            server.post("/api/v1/users", Map.of("email", email, "nickname", "Caller" + i, "password", PASSWORD));
            tokens.add(server.post("/api/v1/tokens", Map.of("email", email, "password", PASSWORD, "name", "bench"))
                    .path("token")
                    .asString());
        }
    }

    private void make(String nickname, String model, List<String> tools) {
        // Far more than it takes: an agent has a budget of the day unless it is given another.
        var limits = Map.of("dailyTokens", 1_000_000_000_000L, "dailyCost", 100_000);
        server.post("/api/v1/agents", Map.of("nickname", nickname, "model", model, "tools", tools, "limits", limits));
    }

    private void measure(String work, String agent) {
        System.err.println("· " + work);
        var rates = new double[ROUNDS];
        var costs = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            var round = round(agent, RUNS);
            rates[i] = round.rate();
            costs[i] = round.cpuMillis();
        }
        Arrays.sort(rates);
        Arrays.sort(costs);
        new Result(work, server.name(), rates[ROUNDS / 2], "runs/s", 1, costs[ROUNDS / 2], 1).print();
    }

    /** @param cpuMillis of a run, of server and database, without the model */
    private record Round(double rate, double cpuMillis) {}

    private Round round(String agent, int runs) {
        server.post("/api/v1/admin/agents/pause", Map.of());
        long before = count("SELECT count(*) FROM agents.runs");
        mention(agent, runs);
        while (count("SELECT count(*) FROM agents.runs") < before + runs) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        handle.execute("ANALYZE agents.runs");
        double cpu = server.cpuMillis();
        long start = System.nanoTime();
        server.post("/api/v1/admin/agents/resume", Map.of());
        while (count("SELECT count(*) FROM agents.runs WHERE due_at IS NOT NULL") > 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long answered = count("SELECT count(*) FROM agents.runs WHERE state = 'answered'");
        long ended = count("SELECT count(*) FROM agents.runs");
        if (answered != ended) {
            throw new IllegalStateException("%d of %d runs are not answered".formatted(ended - answered, ended));
        }
        return new Round(runs / seconds, (server.cpuMillis() - cpu) / runs);
    }

    private void mention(String agent, int runs) {
        var connections = tokens.stream().map(server::connect).toList();
        for (int i = 0; i < runs; i++) {
            connections
                    .get(i % CALLERS)
                    .send(
                            "POST",
                            "/api/v1/posts",
                            Json.text(Map.of(
                                    "content", "@%s when does the museum open, number %d?".formatted(agent, i))));
        }
        connections.forEach(connection -> connection.close());
    }

    private void fillSessions() {
        long missing = SESSIONS - sessions();
        if (missing > 0) {
            System.err.printf("· %,d sessions%n", SESSIONS);
            round("Swift", Math.toIntExact(missing));
        }
    }

    private long sessions() {
        return count("SELECT count(*) FROM knowledge.sessions");
    }

    private long count(String sql) {
        return handle.createQuery(sql).mapTo(Long.class).one();
    }

    /** A node with nothing to do: its memory after a collection, and what it does by itself. */
    private void idle() {
        handle.execute("VACUUM ANALYZE");
        var state = "%,d idle sessions".formatted(sessions());
        System.err.printf("· idle for %d s, %s%n", IDLE_SECONDS, state);
        double cpu = server.cpuMillis();
        long commits = commits();
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(IDLE_SECONDS));
        System.out.printf(
                "| an idle node, %s | %s | %.2f commits/s | | %.2f ms/s | |%n",
                state,
                server.name(),
                (commits() - commits) / (double) IDLE_SECONDS,
                (server.cpuMillis() - cpu) / IDLE_SECONDS);
        System.out.printf(
                "| memory, %s | %s | %,d kB live objects, %,d kB of tables | | | |%n",
                state, server.name(), liveKilobytes(), tableKilobytes());
    }

    private long commits() {
        return count("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
    }

    private long tableKilobytes() {
        return count("""
                SELECT sum(pg_total_relation_size(c.oid)) / 1024 FROM pg_class c
                WHERE c.relkind = 'r' AND c.relnamespace = 'knowledge'::regnamespace AND c.relname LIKE 'session%'
                """);
    }

    /** The objects of the server that are alive, as a collection of all garbage counts them. */
    private long liveKilobytes() {
        try {
            var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
            if (!Files.exists(jcmd)) {
                return 0;
            }
            var process = new ProcessBuilder(jcmd.toString(), Long.toString(server.pid()), "GC.class_histogram")
                    .redirectErrorStream(true)
                    .start();
            try (var lines = process.inputReader()) {
                return lines.lines()
                        .filter(line -> line.startsWith("Total"))
                        .mapToLong(line -> Long.parseLong(line.strip().split("\\s+", -1)[2]) / 1024)
                        .sum();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
