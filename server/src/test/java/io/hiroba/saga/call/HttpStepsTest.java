package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.workflow.InputMapping;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestHttpService;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sagas whose steps are carried out by HTTP services that do what services do. */
class HttpStepsTest {

    private static final RetryPolicy QUICK =
            new RetryPolicy(3, RetryPolicy.Backoff.FIXED, Duration.ofMillis(20), Duration.ofMillis(20), 0);

    private static final TestDatabase database = TestDatabase.create();
    private static final WorkerLease ids = new WorkerLease(database.db(), Clock.systemUTC(), Duration.ofSeconds(30));
    private final LocalSteps local = new LocalSteps();
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        local.close();
    }

    @AfterAll
    static void drop() {
        ids.close();
        database.close();
    }

    /** Steps that call the service `shop`, each with what undoes it. */
    private static Workflow workflow(Duration timeout, String... methods) {
        var steps = new ArrayList<Step>();
        for (var method : methods) {
            int index = steps.size();
            var call = new Step.Call("shop", method, "undo/" + method, null, null);
            steps.add(new Step(index, index, method, call, timeout, QUICK));
        }
        return new Workflow("order", 1, steps, null);
    }

    /** Runs a saga until it ends, and answers its status and its log, a line an attempt. */
    private List<String> run(String shop, Workflow workflow) {
        var services = new Services(database.db(), new SagaRoles(database.db()), local, Map.of("shop", shop));
        try (var calls = new ServiceCaller(local, services, Clock.systemUTC());
                var engine = new Engine(
                                new Engine.Parts(
                                        database.db(),
                                        Clock.systemUTC(),
                                        ids.ids(),
                                        (name, v) -> Optional.of(workflow),
                                        calls),
                                SagaConfig.DEFAULT)
                        .open()) {
            var saga = engine.start(
                    new NewSaga("order", Json.mapper().readTree("{\"n\":1}"), null, "test", null), workflow);
            await().atMost(Duration.ofSeconds(30)).until(() -> isOver(saga));
            return log(saga);
        }
    }

    private boolean isOver(SagaId saga) {
        return database.db()
                .read(reads -> reads.query("""
                        SELECT status IN ('COMPLETED', 'FAILED', 'CANCELLED') FROM saga.saga_states WHERE id = :id
                        """)
                        .bind("id", saga.value())
                        .mapTo(Boolean.class)
                        .one());
    }

    private List<String> log(SagaId saga) {
        return database.db()
                .read(reads -> reads.query("""
                        SELECT line, error FROM (
                            SELECT 0 AS part, now() AS at, status::text AS line, NULL AS error
                            FROM saga.saga_states WHERE id = :id
                            UNION ALL
                            SELECT 1, completed_at, concat_ws(' ', action, step_name, attempt, status, response_payload),
                                   error_message
                            FROM saga.saga_step_logs WHERE saga_id = :id) AS lines
                        ORDER BY part, at
                        """)
                        .bind("id", saga.value())
                        .map(row -> {
                            var error = row.getString("error");
                            return row.getString("line") + (error == null ? "" : " " + StoredText.read(error));
                        })
                        .list());
    }

    @Test
    void aSagaOfHttpStepsCompletes() {
        try (var shop =
                TestHttpService.start((asked, exchange) -> TestHttpService.reply(exchange, 200, "{\"done\":true}"))) {
            assertThat(run(shop.url(), workflow(Duration.ofSeconds(10), "reserve", "charge")))
                    .containsExactly(
                            "COMPLETED",
                            "EXECUTE reserve 1 SUCCESS {\"done\": true}",
                            "EXECUTE charge 1 SUCCESS {\"done\": true}");
            assertThat(shop.asked().getFirst().body()).isEqualTo("{\"n\":1}");
        }
    }

    @Test
    void aPermanentFailureIsNotRepeatedAndWhatWasDoneIsUndone() {
        try (var shop = TestHttpService.start((asked, exchange) ->
                TestHttpService.reply(exchange, asked.path().equals("/charge") ? 402 : 200, ""))) {
            assertThat(run(shop.url(), workflow(Duration.ofSeconds(10), "reserve", "charge")))
                    .containsExactly(
                            "FAILED",
                            "EXECUTE reserve 1 SUCCESS",
                            "EXECUTE charge 1 FAILED the service answered with 402",
                            "COMPENSATE reserve 1 SUCCESS");
            assertThat(shop.asked())
                    .extracting(asked ->
                            asked.path() + " " + asked.header("Idempotency-Key").split(":", 2)[1])
                    .containsExactly("/reserve 0:EXECUTE", "/charge 1:EXECUTE", "/undo/reserve 0:COMPENSATE");
        }
    }

    /** What it said stands in its log, with the reason, and no later input sees it. */
    @Test
    void theAnswerOfARefusalIsLoggedAndIsNoAnswerOfTheStep() {
        var ship = new Step.Call(
                "shop",
                "ship",
                null,
                new InputMapping(Json.mapper().readTree("{\"b\":\"$.steps.reserve.busy\"}")),
                null);
        var steps = new ArrayList<>(workflow(Duration.ofSeconds(10), "reserve").steps());
        steps.add(new Step(1, 1, "ship", ship, Duration.ofSeconds(10), QUICK));
        try (var shop = TestHttpService.start((asked, exchange) -> {
            boolean first =
                    asked.header("Saga-Attempt").equals("1") && asked.path().equals("/reserve");
            TestHttpService.reply(exchange, first ? 503 : 200, first ? "{\"busy\":true}" : "");
        })) {
            assertThat(run(shop.url(), new Workflow("order", 1, steps, null)))
                    .containsExactly(
                            "FAILED",
                            "EXECUTE reserve 1 FAILED {\"busy\": true} the service answered with 503",
                            "EXECUTE reserve 2 SUCCESS",
                            "EXECUTE ship 1 FAILED it refers to $.steps.reserve.busy, which does not exist",
                            "COMPENSATE reserve 1 SUCCESS");
        }
    }

    @Test
    void aServiceThatHealsIsAskedAgainUnderTheSameKey() {
        var count = new AtomicInteger();
        try (var shop = TestHttpService.start(
                (asked, exchange) -> TestHttpService.reply(exchange, count.incrementAndGet() < 3 ? 503 : 200, ""))) {
            assertThat(run(shop.url(), workflow(Duration.ofSeconds(10), "reserve")))
                    .containsExactly(
                            "COMPLETED",
                            "EXECUTE reserve 1 FAILED the service answered with 503",
                            "EXECUTE reserve 2 FAILED the service answered with 503",
                            "EXECUTE reserve 3 SUCCESS");
            assertThat(shop.asked())
                    .extracting(asked -> asked.header("Idempotency-Key"))
                    .containsOnly(shop.asked().getFirst().header("Idempotency-Key"));
            assertThat(shop.asked())
                    .extracting(asked -> asked.header("Saga-Attempt"))
                    .containsExactly("1", "2", "3");
        }
    }

    @Test
    void aTimeoutIsLoggedAsOne() {
        try (var shop = TestHttpService.start(this::hangOnce)) {
            assertThat(run(shop.url(), workflow(Duration.ofMillis(300), "reserve")))
                    .containsExactly(
                            "COMPLETED",
                            "EXECUTE reserve 1 TIMEOUT the service did not answer within 300 ms",
                            "EXECUTE reserve 2 SUCCESS");
        }
    }

    @Test
    void aCompensationHasATimeoutOfItsOwn() {
        try (var shop = TestHttpService.start((asked, exchange) -> {
            if (asked.path().equals("/charge")) {
                TestHttpService.reply(exchange, 402, "");
            } else if (asked.path().equals("/undo/reserve")) {
                hangOnce(asked, exchange);
            } else {
                TestHttpService.reply(exchange, 200, "");
            }
        })) {
            assertThat(run(shop.url(), workflow(Duration.ofMillis(300), "reserve", "charge")))
                    .containsSubsequence(
                            "FAILED",
                            "COMPENSATE reserve 1 TIMEOUT the service did not answer within 300 ms",
                            "COMPENSATE reserve 2 SUCCESS");
        }
    }

    private void hangOnce(TestHttpService.Asked asked, HttpExchange exchange) throws IOException, InterruptedException {
        if (asked.header("Saga-Attempt").equals("1")) {
            end.await();
        }
        TestHttpService.reply(exchange, 200, "");
    }

    @Test
    void aStepThatNoServiceIsKnownForIsTriedAgainAndThenGivenUp() {
        var elsewhere = new Step.Call("nowhere", "go", null, null, null);
        var workflow =
                new Workflow("order", 1, List.of(new Step(0, 0, "go", elsewhere, Duration.ofSeconds(5), QUICK)), null);
        assertThat(run("http://127.0.0.1:1", workflow))
                .hasSize(4)
                .startsWith("FAILED")
                .element(3)
                .asString()
                .startsWith("EXECUTE go 3 FAILED there is no service `nowhere`");
    }
}
