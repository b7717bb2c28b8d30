package io.hiroba.bench.saga;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.Contest;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.call.ServiceCaller;
import io.hiroba.saga.call.Services;
import java.time.Clock;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./hiroba bench saga}: sagas of three steps a second, and the time that one takes. */
public final class SagaBench {

    private static final int SAGAS = 6_000;
    private static final int CLIENTS = 64;
    private static final String ANSWER = "{\"done\": true}";
    private static final JsonNode ANSWERED = JsonMapper.shared().readTree(ANSWER);

    private SagaBench() {}

    public static void run() {
        try (var database = BenchDatabase.create()) {
            StepCostBench.run(database.db());
            OldSagas.fill(database.db());
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
        var byHand = new ByHand(db, (saga, step) -> ANSWER);
        try (local;
                var ours = new OurSagas(db, local);
                var dbos = new DbosSagas(db.dataSource(), step -> ANSWER)) {
            contest("3 local steps, %d at once".formatted(CLIENTS), byHand, ours, dbos, SAGAS);
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
                var ours = new OurSagas(db, calls);
                var dbos = new DbosSagas(db.dataSource(), service::call)) {
            var byHand = new ByHand(db, (saga, step) -> service.call(step));
            contest("3 HTTP steps, %d at once".formatted(CLIENTS), byHand, ours, dbos, SAGAS / 2);
        }
    }

    private static void contest(String work, ByHand byHand, OurSagas ours, DbosSagas dbos, int sagas) {
        var hands = new Clients(CLIENTS, sagas);
        var hiroba = new Clients(CLIENTS, sagas);
        var peers = new Clients(CLIENTS, sagas);
        new Contest(work, "sagas/s")
                .with("by hand, one statement a step", () -> hands.rate(byHand::saga))
                .with("Hiroba", () -> hiroba.rate(ours::saga))
                .with("DBOS Transact", () -> peers.rate(n -> dbos.saga()))
                .run();
        hands.print(work, "by hand, one statement a step");
        hiroba.print(work, "Hiroba");
        peers.print(work, "DBOS Transact");
    }
}
