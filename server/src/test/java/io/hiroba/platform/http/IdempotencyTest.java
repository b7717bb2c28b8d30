package io.hiroba.platform.http;

import static io.hiroba.platform.http.LiveServer.header;
import static io.hiroba.platform.http.LiveServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.testkit.SettableClock;
import io.javalin.config.RoutesConfig;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdempotencyTest {

    private static final SettableClock CLOCK = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private static final AtomicInteger ACTS = new AtomicInteger();
    private static final AtomicReference<Runnable> DURING = new AtomicReference<>(() -> {});
    private static LiveServer live;
    private static Idempotency idempotency;
    private static Idempotency otherNode;
    private static WorkerLease lease;

    @BeforeAll
    static void start() {
        live = LiveServer.with(IdempotencyTest::routes);
        idempotency = new Idempotency(live.database.db(), CLOCK);
        lease = new WorkerLease(live.database.db(), Clock.systemUTC(), Duration.ofMinutes(10));
        otherNode = new Idempotency(live.database.db(), CLOCK, lease.node());
        live.database
                .db()
                .useTransaction(
                        tx -> tx.update("CREATE TABLE platform.things (n int)").execute());
    }

    @AfterAll
    static void stop() {
        lease.close();
        live.close();
    }

    @BeforeEach
    void reset() {
        ACTS.set(0);
        DURING.set(() -> {});
    }

    private static void routes(RoutesConfig routes) {
        routes.post(
                "/inside",
                ctx -> idempotency.run(ctx, caller(ctx.header("X-User")), tx -> {
                    int n = ACTS.incrementAndGet();
                    tx.update("INSERT INTO platform.things (n) VALUES (:n)")
                            .bind("n", n)
                            .execute();
                    DURING.get().run();
                    return Answer.created("/things/" + n, Map.of("n", n));
                }));
        routes.post("/outside", ctx -> idempotency.runOutside(ctx, "user 1", IdempotencyTest::actOutside));
        routes.post("/nodes", ctx -> {
            var node = ctx.header("X-Node") == null ? idempotency : otherNode;
            node.runOutside(ctx, "user 1", IdempotencyTest::actOutside);
        });
        routes.post(
                "/slow",
                ctx -> idempotency.runOutside(
                        ctx, "user 1", ctx.bodyAsBytes(), Duration.ofMinutes(5), IdempotencyTest::actOutside));
    }

    private static Answer actOutside() {
        int n = ACTS.incrementAndGet();
        DURING.get().run();
        return Answer.ok(Map.of("n", n));
    }

    private static String caller(@Nullable String user) {
        return Optional.ofNullable(user).orElse("user 1");
    }

    private static HttpResponse<String> post(String path, String key, String body, String... headers) {
        var request = live.request(path).header("Idempotency-Key", key).POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return live.send(request);
    }

    private static long things() {
        return live.database
                .db()
                .read(reads -> reads.query("SELECT count(*) FROM platform.things")
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void aRepeatGetsTheFirstAnswerAndActsNoMore() {
        var first = post("/inside", "k-repeat", "{}");
        var again = post("/inside", "k-repeat", "{}");
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(header(first, "Idempotency-Replayed")).isEmpty();
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(header(again, "Location")).isEqualTo(header(first, "Location"));
        assertThat(header(again, "Idempotency-Replayed")).isEqualTo("true");
        assertThat(ACTS).hasValue(1);
    }

    @Test
    void anotherBodyIsRefusedAndAnotherCallerActs() {
        post("/inside", "k-other", "{}");
        var mismatch = post("/inside", "k-other", "{\"a\":1}");
        assertThat(mismatch.statusCode()).isEqualTo(422);
        assertThat(json(mismatch).get("code").asString()).isEqualTo("http.idempotency-mismatch");
        assertThat(header(post("/inside", "k-other", "{}", "X-User", "user 2"), "Idempotency-Replayed"))
                .isEmpty();
        assertThat(ACTS).hasValue(2);
    }

    @Test
    void withoutAKeyEachRequestActs() {
        live.post("/inside", "{}");
        live.post("/inside", "{}");
        live.post("/outside", "{}");
        assertThat(ACTS).hasValue(3);
    }

    @Test
    void concurrentRepeatsActOnce() throws Exception {
        long before = things();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = IntStream.range(0, 8)
                    .mapToObj(i -> callers.submit(
                            () -> post("/inside", "k-concurrent", "{}").body()))
                    .toList();
            for (var answer : answers) {
                assertThat(answer.get()).isEqualTo("{\"n\":1}");
            }
        }
        assertThat(things() - before).isEqualTo(1);
    }

    @Test
    void anActThatFailsLeavesNothingAndMayBeTriedAgain() {
        long before = things();
        DURING.set(() -> {
            throw HttpProblem.invalid("x", Text.verbatim("is bad"));
        });
        assertThat(post("/inside", "k-fail", "{}").statusCode()).isEqualTo(400);
        assertThat(post("/outside", "k-fail-outside", "{}").statusCode()).isEqualTo(400);
        assertThat(things()).isEqualTo(before);
        DURING.set(() -> {});
        assertThat(post("/inside", "k-fail", "{}").statusCode()).isEqualTo(201);
        assertThat(post("/outside", "k-fail-outside", "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void aKilledConnectionLeavesNeitherTheActNorTheKey() {
        long before = things();
        DURING.set(() -> live.database
                .db()
                .useTransaction(tx -> tx.query("""
                        SELECT count(pg_terminate_backend(pid))
                        FROM pg_stat_activity
                        WHERE datname = current_database() AND state = 'idle in transaction'
                        """).mapTo(Long.class).one()));
        assertThat(post("/inside", "k-killed", "{}").statusCode()).isEqualTo(503);
        assertThat(things()).isEqualTo(before);
        DURING.set(() -> {});
        var again = post("/inside", "k-killed", "{}");
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(header(again, "Idempotency-Replayed")).isEmpty();
        assertThat(things()).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @CsvSource({"/outside,1,3", "/slow,4,6"})
    void outsideATransactionARepeatIsToldToWaitUntilTheLeaseEnds(String path, int held, int over) throws Exception {
        var arrived = new CountDownLatch(1);
        var finish = new CountDownLatch(1);
        DURING.set(() -> {
            arrived.countDown();
            try {
                finish.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = callers.submit(() -> post(path, "k-lease" + held, "{}"));
            arrived.await();
            var start = CLOCK.instant();
            CLOCK.set(start.plus(Duration.ofMinutes(held)));
            var early = post(path, "k-lease" + held, "{}");
            assertThat(early.statusCode()).isEqualTo(409);
            assertThat(json(early).get("code").asString()).isEqualTo("http.idempotency-in-progress");
            assertThat(header(early, "Retry-After")).isEqualTo("1");
            DURING.set(() -> {});
            CLOCK.set(start.plus(Duration.ofMinutes(over)));
            assertThat(post(path, "k-lease" + held, "{}").body()).isEqualTo("{\"n\":2}");
            finish.countDown();
            assertThat(first.get().body()).isEqualTo("{\"n\":1}");
        }
        assertThat(post(path, "k-lease" + held, "{}").body())
                .as("the answer of whoever held the lease stays")
                .isEqualTo("{\"n\":2}");
    }

    @Test
    void theClaimOfANodeEndsWithTheNode() throws Exception {
        lease.ids().next();
        var arrived = new CountDownLatch(1);
        var finish = new CountDownLatch(1);
        DURING.set(() -> {
            arrived.countDown();
            try {
                finish.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = callers.submit(() -> post("/nodes", "k-dead", "{}", "X-Node", "other"));
            arrived.await();
            assertThat(post("/nodes", "k-dead", "{}").statusCode()).isEqualTo(409);
            live.database
                    .db()
                    .useTransaction(
                            tx -> tx.update("""
                            UPDATE platform.id_workers SET expires_at = now() - interval '1 second' WHERE holder = :node
                            """).bind("node", lease.node()).execute());
            DURING.set(() -> {});
            var again = post("/nodes", "k-dead", "{}");
            assertThat(again.statusCode()).as("no time has passed on the clock").isEqualTo(200);
            assertThat(again.body()).isEqualTo("{\"n\":2}");
            finish.countDown();
            assertThat(first.get().body()).isEqualTo("{\"n\":1}");
        }
        assertThat(post("/nodes", "k-dead", "{}").body()).isEqualTo("{\"n\":2}");
    }

    @Test
    void oldAnswersAreSwept() {
        post("/inside", "k-old", "{}");
        CLOCK.advance(Duration.ofHours(25));
        assertThat(idempotency.sweep(1000)).isPositive();
        assertThat(header(post("/inside", "k-old", "{}"), "Idempotency-Replayed"))
                .isEmpty();
    }

    @Test
    void anUnusableKeyIsRefused() {
        assertThat(post("/inside", "a b", "{}").statusCode()).isEqualTo(400);
        assertThat(post("/inside", "x".repeat(256), "{}").statusCode()).isEqualTo(400);
    }
}
