package io.hiroba.bench.saga;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.call.StepCaller;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sagas of three steps in Hiroba's engine. */
final class HirobaSagas implements AutoCloseable {

    private static final int STEPS = 3;
    private static final JsonNode PAYLOAD = JsonMapper.shared().readTree("{\"order\": 7}");

    private final WorkerLease lease;
    private final Engine engine;
    private final Workflow workflow;
    private final Map<SagaId, CountDownLatch> waiting = new ConcurrentHashMap<>();

    HirobaSagas(Db db, StepCaller caller) {
        workflow = new Workflow(
                "order",
                1,
                IntStream.range(0, STEPS).mapToObj(HirobaSagas::step).toList(),
                Duration.ofMinutes(5));
        lease = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30));
        engine = new Engine(
                        new Engine.Parts(
                                db,
                                Clock.systemUTC(),
                                lease.ids(),
                                (name, version) -> Optional.of(workflow),
                                caller,
                                id -> written(id).countDown()),
                        SagaConfig.DEFAULT)
                .open();
    }

    private static Step step(int index) {
        var call = new Step.Call("bench", "step" + index, null, null, null);
        return new Step(index, index, "step " + index, call, Duration.ofSeconds(30), RetryPolicy.DEFAULT);
    }

    /** The engine commits once per step; the last commit ends the saga. */
    private CountDownLatch written(SagaId id) {
        return waiting.computeIfAbsent(id, key -> new CountDownLatch(STEPS));
    }

    /** Starts a saga and returns when it is completed. */
    void saga(int n) {
        var id = engine.start(new NewSaga("order", PAYLOAD, "order-" + n, "bench", null), workflow);
        try {
            written(id).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        waiting.remove(id);
    }

    @Override
    public void close() {
        engine.close();
        lease.close();
    }
}
