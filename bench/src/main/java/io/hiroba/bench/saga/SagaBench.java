package io.hiroba.bench.saga;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.call.ServiceCaller;
import io.hiroba.saga.call.Services;
import java.time.Clock;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The benchmark of sagas of three steps: throughput and duration. */
public final class SagaBench {

    private static final int SAGAS = 6_000;
    private static final int CLIENTS = 64;
    private static final String ANSWER = "{\"done\": true}";
    private static final JsonNode ANSWERED = JsonMapper.shared().readTree(ANSWER);

    private SagaBench() {}

    public static void run() {
        try (var database = BenchDatabase.create()) {
            StepCostBench.run(database.db());
            FinishedSagas.fill(database.db());
            local(database);
            http(database);
        }
    }

    private static void local(BenchDatabase database) {
        var db = database.db();
        var local = new LocalSteps();
        for (int step = 0; step < 3; step++) {
            local.register(new LocalSagaStep("bench", "step" + step, input -> ANSWERED));
        }
        var byHand = new HandWrittenSagas(db, (saga, step) -> ANSWER);
        try (local;
                var ours = new HirobaSagas(db, local);
                var dbos = new DbosSagas(db.dataSource(), step -> ANSWER)) {
            measure("3 local steps, %d at once".formatted(CLIENTS), byHand, ours, dbos, SAGAS);
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
                var dbos = new DbosSagas(db.dataSource(), service::call)) {
            var byHand = new HandWrittenSagas(db, (saga, step) -> service.call(step));
            measure("3 HTTP steps, %d at once".formatted(CLIENTS), byHand, ours, dbos, SAGAS / 2);
        }
    }

    private static void measure(String work, HandWrittenSagas byHand, HirobaSagas ours, DbosSagas dbos, int sagas) {
        var hands = new SagaClients(CLIENTS, sagas);
        var hiroba = new SagaClients(CLIENTS, sagas);
        var peers = new SagaClients(CLIENTS, sagas);
        new InterleavedBenchmark(work, "sagas/s")
                .with("by hand, one statement a step", () -> hands.rate(byHand::saga))
                .with("Hiroba", () -> hiroba.rate(ours::saga))
                .with("DBOS Transact", () -> peers.rate(n -> dbos.saga()))
                .run();
        hands.print(work, "by hand, one statement a step");
        hiroba.print(work, "Hiroba");
        peers.print(work, "DBOS Transact");
    }
}
