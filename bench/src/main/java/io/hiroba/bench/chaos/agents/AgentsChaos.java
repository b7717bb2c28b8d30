package io.hiroba.bench.chaos.agents;

import io.hiroba.bench.chaos.ChaosDatabase;
import io.hiroba.bench.chaos.ChaosHttpClient;
import io.hiroba.bench.chaos.ChaosHttpClient.Reply;
import io.hiroba.bench.chaos.ChaosRun;
import io.hiroba.bench.chaos.ChaosUser;
import io.hiroba.bench.chaos.ClientThreads;
import io.hiroba.bench.chaos.Nemesis;
import io.hiroba.bench.chaos.NodeProcess;
import io.hiroba.bench.chaos.ProgressReporter;
import io.hiroba.bench.chaos.RunCounters;
import io.hiroba.bench.chaos.agents.AskingClient.Asking;
import io.hiroba.platform.http.Json;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.json.JsonMapper;

/**
 * The chaos test of agents: two servers over one database, a faulty chat model, people who ask agents and decide what these may
 * change, claims that end too early and a nemesis. Every question must then be answered once or refused with a reason, every change be
 * made once if it was allowed, and no budget be exceeded at any time.
 */
public final class AgentsChaos implements ChaosRun {

    private static final int SERVERS = 2;
    private static final int USERS = 6;
    private static final int CLIENTS = 4;
    private static final int DECIDING_CLIENTS = 2;
    private static final int MAX_SHOWN = 10;
    private static final List<String> CONSUMERS = List.of("agents", "inbox");
    private static final String POOR = "Poor";

    /** Agents answer for this long at most. */
    private static final int RUN_SECONDS = 8;

    private static final Duration MAX_FREEZE = Duration.ofSeconds(7);
    private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(300);

    /** Claims of nodes that died end early, several times while the remaining work is done. */
    private static final int POLLS_OF_CLAIM = 20;

    private static final BudgetLimits LIMITS = new BudgetLimits(600_000, 50_000_000, new BigDecimal("200"));

    private final Duration duration;
    private final long seed;
    private final Consumer<String> out;
    private final SplittableRandom random;
    private final RunCounters counters = new RunCounters();
    private final ModelCalls calls = new ModelCalls();
    private final Decisions decisions = new Decisions();
    private final FaultyModelService service;
    private final ChaosDatabase database = ChaosDatabase.create();
    private final List<NodeProcess> nodes;

    /** Budgets that were seen to be exceeded. */
    private final Queue<String> exceeded = new ConcurrentLinkedQueue<>();

    public AgentsChaos(Duration duration, long seed, Consumer<String> out) {
        this.duration = duration;
        this.seed = seed;
        this.out = out;
        this.random = new SplittableRandom(seed);
        this.service = new FaultyModelService(random.nextLong(), calls, POOR);
        this.nodes = IntStream.rangeClosed(1, SERVERS)
                .mapToObj(n -> NodeProcess.server(database, "node" + n, settings()))
                .toList();
    }

    private String[] settings() {
        return new String[] {
            "--knowledge.chat.base-url=" + service.url(),
            "--knowledge.chat.model=" + FaultyModelService.MODEL,
            "--knowledge.chat.timeout=" + FaultyModelService.CLIENT_TIMEOUT.toMillis() + "ms",
            "--agents.daily-tokens-per-caller=" + LIMITS.tokensPerCaller(),
            "--agents.daily-tokens=" + LIMITS.tokens(),
            "--agents.daily-cost=" + LIMITS.cost(),
            "--agents.max-depth=" + AgentsReport.MAX_DEPTH
        };
    }

    /** Runs the test, prints the report and returns 0 if there are no differences. */
    public int runAndReport() {
        var report = run();
        out.accept(summary());
        out.accept("runs " + report.ended());
        report.differences().stream().limit(MAX_SHOWN).forEach(out);
        out.accept(
                report.differences().isEmpty()
                        ? "Every question was answered once or refused with a reason, every change made once or not at all, within all budgets. Seed %d."
                                .formatted(seed)
                        : "%,d things are not as they should be. Seed %d."
                                .formatted(report.differences().size(), seed));
        return report.differences().isEmpty() ? 0 : 1;
    }

    AgentsReport run() {
        out.accept("seed " + seed);
        nodes.forEach(NodeProcess::start);
        Nemesis.awaitAll(nodes);
        var users = users();
        var asking = new Asking(users, agents(users));
        runWorkload(asking);
        out.accept("· faults stopped; waiting for the remaining work");
        service.stopFaults();
        settle(client(asking, () -> true), deciding(asking, () -> true));
        try (var handle = database.open()) {
            var report = AgentsReport.of(handle, calls, decisions, LIMITS);
            return new AgentsReport(
                    report.ended(),
                    Stream.concat(exceeded.stream().distinct(), report.differences().stream())
                            .toList());
        }
    }

    private List<ChaosUser> users() {
        try (var handle = database.open()) {
            return handle.inTransaction(tx -> {
                var users = ChaosUser.create(tx, USERS, Instant.now(), random.split());
                tx.execute(
                        "UPDATE accounts.users SET is_admin = true WHERE id = ?",
                        users.getLast().id());
                tx.execute(
                        "INSERT INTO accounts.ai_models (name, input_cost, output_cost, updated_at) VALUES (?, 2, 10, now())",
                        FaultyModelService.MODEL);
                return users;
            });
        }
    }

    /**
     * One agent without bounds, one whose budget is soon used up, one that not everybody may call, and one of a member, which asks others
     * before it posts.
     */
    private Map<String, String> agents(List<ChaosUser> users) {
        var admin = users.getLast();
        var agents = new HashMap<String, String>();
        var maker = users.get(2);
        var tools = List.of("people_list");
        var writing = List.of("people_list", FaultyModelService.WRITER);
        agents.put("Rich", agent(admin, "Rich", 1_000_000_000L, List.of(), writing));
        agents.put(POOR, agent(admin, POOR, 120_000L, List.of(), tools));
        agents.put(
                "Choosy",
                agent(admin, "Choosy", 1_000_000_000L, List.of(users.get(1).hex()), tools));
        send(admin, "PUT", "/api/v1/admin/agents/makers/" + maker.hex(), "");
        send(admin, "PUT", "/api/v1/admin/agents/models/" + FaultyModelService.MODEL, "");
        agents.put("Writer", agent(maker, "Writer", 1_000_000_000L, List.of(), writing));
        return agents;
    }

    private String agent(ChaosUser by, String name, long dailyTokens, List<String> callers, List<String> tools) {
        var body = Json.text(Map.of(
                "nickname",
                name,
                "model",
                FaultyModelService.MODEL,
                "tools",
                tools,
                "callers",
                callers,
                "limits",
                Map.of("turns", 4, "seconds", RUN_SECONDS, "dailyTokens", dailyTokens)));
        var made = send(by, "POST", "/api/v1/agents", body);
        return JsonMapper.shared().readTree(made.body()).path("id").asString();
    }

    /** Sends what must be done before the faults begin. */
    private Reply send(ChaosUser by, String method, String path, String body) {
        var client = new ChaosHttpClient();
        var address = nodes.getFirst().address().orElseThrow();
        var key = Map.of("Idempotency-Key", "before-" + (path + body).hashCode());
        var made = client.send(address, by, method, path, body, key);
        // The first agent takes long on a busy machine: the tools are read from the contract.
        for (int repeat = 1; repeat <= 5 && !made.isDone(); repeat++) {
            made = client.send(address, by, method, path, body, key);
        }
        if (!made.isDone()) {
            throw new IllegalStateException("%s %s was answered with %s".formatted(method, path, made));
        }
        return made;
    }

    @SuppressWarnings("try") // all work until closed
    private void runWorkload(Asking asking) {
        var share = duration.dividedBy(8);
        var freeze = share.compareTo(MAX_FREEZE) < 0 ? share : MAX_FREEZE;
        try (var nemesis =
                        new Nemesis(database, nodes, counters, random.split(), freeze, () -> Nemesis.areReady(nodes));
                var watch = new ClientThreads(1, stopped -> () -> watch(stopped, random.split()));
                var deciding = new ClientThreads(DECIDING_CLIENTS, stopped -> deciding(asking, stopped));
                var clients = new ClientThreads(CLIENTS, stopped -> client(asking, stopped))) {
            ProgressReporter.writeLine(duration, out, this::summary);
        }
    }

    private AskingClient client(Asking asking, BooleanSupplier stopped) {
        return new AskingClient(nodes, asking, counters, random.split(), stopped);
    }

    private DecidingClient deciding(Asking asking, BooleanSupplier stopped) {
        return new DecidingClient(nodes, asking.users(), decisions, counters, random.split(), stopped);
    }

    /** Looks for budgets that are exceeded for a moment, and ends some claims while their nodes are at work. */
    private void watch(BooleanSupplier stopped, SplittableRandom chance) {
        try (var handle = database.open()) {
            while (!stopped.getAsBoolean()) {
                exceeded.addAll(LIMITS.exceeded(handle));
                if (chance.nextInt(10) == 0) {
                    endClaims(handle, "state = 'running' AND random() < 0.3");
                }
                LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            }
        }
    }

    private static void endClaims(Handle handle, String which) {
        handle.execute("UPDATE agents.runs SET due_at = now() WHERE due_at IS NOT NULL AND " + which);
    }

    /** Waits for the remaining work; what is unfinished after the timeout shows in the report. */
    private void settle(AskingClient asker, DecidingClient decider) {
        var begun = database.now();
        long end = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
        boolean isSettled = false;
        for (int poll = 0; !isSettled && System.nanoTime() < end; poll++) {
            Nemesis.awaitAll(nodes);
            boolean isDecided = decider.isNothingLeft();
            try (var handle = database.open()) {
                if (poll % POLLS_OF_CLAIM == 0) {
                    // Nobody waits for the claims of nodes that died, or for services that are back.
                    endClaims(handle, "due_at > now()");
                    // A server that is asked looks for what is due.
                    asker.ask("Rich");
                    asker.ask("Writer");
                }
                LockSupport.parkNanos(POLL_INTERVAL.toNanos());
                exceeded.addAll(LIMITS.exceeded(handle));
                isSettled = isDecided
                        && !database.hasTransactionsSince(begun)
                        && CONSUMERS.stream().allMatch(each -> ChaosDatabase.waiting(handle, each) == 0)
                        && AgentsReport.isSettled(handle);
            }
        }
    }

    String summary() {
        return counters + "; " + decisions + "; " + calls;
    }

    Decisions decisions() {
        return decisions;
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
