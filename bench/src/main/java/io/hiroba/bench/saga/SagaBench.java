package io.hiroba.bench.saga;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.CpuMeter;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.bench.ServerProcess;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.call.ServiceCaller;
import io.hiroba.saga.call.Services;
import io.hiroba.saga.call.StepCall;
import io.hiroba.saga.call.StepCaller;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.TaskKind;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The benchmark of sagas of three steps: throughput and duration. */
public final class SagaBench {

    private static final int SAGAS = Math.clamp(FinishedSagas.ENDED / 100, 300, 6_000);
    private static final String ONLY = "--only=";
    static final int CLIENTS = 64;
    static final String ANSWER = "{\"done\": true}";
    private static final String BY_HAND = "by hand, one statement a step";
    private static final String ENGINE = "Hiroba, the bare engine";
    private static final String DBOS = "DBOS Transact, the bare engine";
    private static final String API = "Hiroba, its HTTP API";
    private static final String CALLS = "the calls alone, nothing kept: the limit";
    private static final JsonNode INPUT = JsonMapper.shared().readTree("{\"order\": 7}");
    private static final JsonNode ANSWERED = JsonMapper.shared().readTree(ANSWER);

    private SagaBench() {}

    /** The parts that can be run by themselves. */
    private enum Part {
        STEPS,
        LOCAL,
        HTTP,
        SCHEDULES,
        APPROVALS
    }

    public static boolean isOption(String word) {
        return word.startsWith(ONLY);
    }

    /**
     * Runs the parts that are asked for.
     *
     * @param options such as {@code --only=schedules,approvals}; without any, all parts are run
     */
    public static void run(List<String> options) {
        var parts = options.isEmpty()
                ? EnumSet.allOf(Part.class)
                : options.stream()
                        .flatMap(option ->
                                Stream.of(option.substring(ONLY.length()).split(",", -1)))
                        .map(name -> Part.valueOf(name.toUpperCase(Locale.ROOT)))
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Part.class)));
        if (parts.contains(Part.STEPS) || parts.contains(Part.LOCAL) || parts.contains(Part.HTTP)) {
            runSteps(parts);
        }
        if (parts.contains(Part.SCHEDULES)) {
            ScheduledSagasBench.run();
        }
        if (parts.contains(Part.APPROVALS)) {
            WaitingApprovalsBench.run();
        }
    }

    private static void runSteps(Set<Part> parts) {
        try (var database = BenchDatabase.create()) {
            if (parts.contains(Part.STEPS)) {
                StepCostBench.run(database.db());
            }
            FinishedSagas.fill(database.db());
            if (parts.contains(Part.LOCAL)) {
                local(database);
            }
            if (parts.contains(Part.HTTP)) {
                http(database);
            }
        }
    }

    private static void local(BenchDatabase database) {
        var db = database.db();
        var local = new LocalSteps();
        for (int step = 0; step < 3; step++) {
            local.register(LocalSagaStep.of("bench", "step" + step, input -> ANSWERED));
        }
        var byHand = new HandWrittenSagas(db, (saga, step) -> ANSWER);
        try (local;
                var ours = new HirobaSagas(db, local);
                var dbos = new DbosSagas(db.dataSource(), step -> ANSWER)) {
            new Contest("3 local steps, %d at once".formatted(CLIENTS), SAGAS)
                    .with(BY_HAND, byHand::saga)
                    .with(ENGINE, ours::saga)
                    .with(DBOS, n -> dbos.saga())
                    .run();
        }
    }

    private static void http(BenchDatabase database) {
        var db = database.db();
        var steps = new LocalSteps();
        try (steps;
                var service = new LocalService(ANSWER);
                var calls = new ServiceCaller(
                        steps,
                        new Services(db, new SagaRoles(db), steps, Map.of("bench", service.url())),
                        Clock.systemUTC());
                var ours = new HirobaSagas(db, calls);
                var dbos = new DbosSagas(db.dataSource(), service::call);
                var server = ServerProcess.ofThisBuild();
                var api = SagasOverHttp.of(server, service).warmedUp()) {
            var byHand = new HandWrittenSagas(db, (saga, step) -> service.call(step));
            new Contest("3 HTTP steps, %d at once".formatted(CLIENTS), SAGAS / 2)
                    .with(BY_HAND, byHand::saga)
                    .with(ENGINE, ours::saga)
                    .with(CALLS, n -> callsAlone(calls))
                    .with(DBOS, n -> dbos.saga())
                    // The clients and the service are in the processor time of the others, too.
                    .with(API, server.cpu().withThisProgram(), n -> api.saga())
                    .run();
        }
    }

    /** The three calls of a saga as the engine makes them, without a saga. */
    private static void callsAlone(StepCaller caller) {
        var saga = new SagaId(UUID.randomUUID());
        for (int step = 0; step < 3; step++) {
            var name = "step" + step;
            var outcome = caller.call(new StepCall(
                    saga,
                    step,
                    name,
                    StepAction.EXECUTE,
                    1,
                    "bench",
                    name,
                    INPUT,
                    Duration.ofSeconds(30),
                    null,
                    TaskKind.EXECUTE,
                    1));
            if (!(outcome instanceof StepOutcome.Done)) {
                throw new IllegalStateException("the call failed: " + outcome);
            }
        }
    }

    /** Contestants whose durations are printed, too. */
    static final class Contest {

        private final String work;
        private final int sagas;
        private final InterleavedBenchmark benchmark;
        private final Map<String, SagaClients> clients = new LinkedHashMap<>();

        Contest(String work, int sagas) {
            this.work = work;
            this.sagas = sagas;
            benchmark = new InterleavedBenchmark(work, "sagas/s");
        }

        Contest with(String name, IntConsumer saga) {
            return with(name, CpuMeter.ofThisProgram(), saga);
        }

        Contest with(String name, CpuMeter cpu, IntConsumer saga) {
            var own = new SagaClients(CLIENTS, sagas);
            clients.put(name, own);
            benchmark.with(name, cpu, () -> own.rate(saga));
            return this;
        }

        void run() {
            benchmark.run();
            clients.forEach((name, each) -> each.print(work, name));
        }
    }
}
