package io.hiroba.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers of the library, and those of the examples, against a server. */
@Tag("slow")
class WorkerTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static TestServer server;
    private static String token;
    private static Hiroba hiroba;

    record Order(int order, int amount) {}

    record Receipt(String receipt) {}

    @BeforeAll
    static void start() {
        server = TestServer.start();
        var anonymous = ApiClient.anonymous(URI.create(server.url()).getPort());
        token = anonymous
                .post(
                        "/api/v1/tokens",
                        "{'email':'%s','password':'%s','name':'test'}"
                                .formatted(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD))
                .text("token");
        hiroba = Hiroba.connect(URI.create(server.url()), token);
        var admin = anonymous.token(token);
        for (var service : List.of("billing", "stock", "python", "typescript")) {
            admin.put("/api/v1/saga-services/" + service, "{'endpoint':'worker:'}");
            var made = admin.post("/api/v1/workflows", """
                    {'name':'%1$s','steps':[
                      {'name':'charge','service':'%1$s','method':'charge','compensate':'refund','timeout':'20s',
                       'retry':{'maxAttempts':2,'initialInterval':'100ms'}},
                      {'name':'wait','waitForSignal':'shipped'}]}
                    """.formatted(service));
            assertThat(made.status()).as(made.body()).isEqualTo(201);
        }
    }

    @AfterAll
    static void stop() {
        hiroba.close();
        server.close();
    }

    private static Worker.Builder worker(String service) {
        return hiroba.worker(service).name("test").pollWait(Duration.ofSeconds(1));
    }

    @Test
    void stepsAreMethodsAndWhatFailsIsTriedAgainAndUndone() throws Exception {
        var calls = new ConcurrentLinkedQueue<String>();
        try (var worker = worker("billing")
                .step("charge", Order.class, (order, task) -> {
                    calls.add("charge " + order.order() + " " + task.attempt());
                    assertThat(task.idempotencyKey()).isEqualTo(task.sagaId() + ":0:EXECUTE");
                    if (order.amount() < 0) {
                        throw StepFailedException.permanent("The amount is negative.");
                    }
                    if (task.attempt() == 1) {
                        throw new IllegalStateException("broken once");
                    }
                    return new Receipt("R-" + order.order());
                })
                .compensation("refund", Order.class, (order, task) -> calls.add("refund " + order.order()))
                .start()) {
            assertThat(worker).isNotNull();
            var done = hiroba.start("billing", new Order(7, 10));
            hiroba.signal(done, "shipped", Map.of("by", "Olga"));
            assertThat(hiroba.await(done, LIMIT).status()).isEqualTo("COMPLETED");
            assertThat(calls).containsExactly("charge 7 1", "charge 7 2");

            var refused = hiroba.await(hiroba.start("billing", new Order(8, -1)), LIMIT);
            assertThat(refused.status()).isEqualTo("FAILED");
            assertThat(refused.error()).contains("The amount is negative.");

            var cancelled = hiroba.start("billing", new Order(9, 1));
            Awaitility.await().until(() -> calls.contains("charge 9 2"));
            hiroba.cancel(cancelled);
            assertThat(hiroba.await(cancelled, LIMIT).status()).isEqualTo("CANCELLED");
            assertThat(calls).contains("refund 9").doesNotContain("refund 8");
        }
        assertThatThrownBy(() -> hiroba.get("01a1edc3-222f-7000-8852-9de6ad9bcb4a"))
                .isInstanceOfSatisfying(
                        HirobaException.class, e -> assertThat(e.code()).isEqualTo("saga.not-found"));
    }

    @Test
    void aStepWhoseAnswerIsTooLargeFailsAndIsUndoneAndNotCarriedOutAgain() throws Exception {
        var calls = new ConcurrentLinkedQueue<String>();
        try (var worker = worker("stock")
                .step("charge", Order.class, (order, task) -> {
                    calls.add("charge");
                    return "x".repeat(2 << 20);
                })
                .compensation("refund", Order.class, (order, task) -> calls.add("refund"))
                .start()) {
            assertThat(worker).isNotNull();
            var saga = hiroba.await(hiroba.start("stock", new Order(1, 1)), LIMIT);
            assertThat(saga.status()).isEqualTo("FAILED");
            assertThat(saga.error()).contains("refused the answer");
            assertThat(calls).containsExactly("charge", "refund");
        }
    }

    @Test
    void heartbeatsKeepALongStepAndTellWhenItIsNotWantedAnyMore() throws Exception {
        var begun = new CountDownLatch(1);
        var seen = new CountDownLatch(1);
        var worker = worker("stock")
                .lease(Duration.ofSeconds(5))
                .parallelism(2)
                .step("charge", Order.class, (order, task) -> {
                    begun.countDown();
                    task.progress(Map.of("rows", 5));
                    while (!task.isCancelled()) {
                        Thread.sleep(50);
                    }
                    seen.countDown();
                    return null;
                })
                .compensation("refund", Order.class, (order, task) -> null)
                .start();
        try (worker) {
            var saga = hiroba.start("stock", new Order(1, 1));
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            hiroba.cancel(saga);
            assertThat(seen.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(hiroba.await(saga, LIMIT).status()).isEqualTo("CANCELLED");
        }
    }

    private static Path examples() {
        var folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("examples"))) {
            folder = Objects.requireNonNull(folder.getParent(), "no folder of examples");
        }
        return folder.resolve("examples");
    }

    private static void runsTheExample(String service, String program, Path file) throws Exception {
        Process process;
        try {
            var command = new ProcessBuilder(program, file.toString(), service)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            command.environment().put("HIROBA_URL", server.url());
            command.environment().put("HIROBA_TOKEN", token);
            process = command.start();
        } catch (IOException e) {
            Assumptions.abort(program + " is not installed");
            return;
        }
        try {
            var done = hiroba.start(service, new Order(7, 10));
            hiroba.signal(done, "shipped", Map.of());
            var ended = hiroba.await(done, LIMIT);
            assertThat(ended.status()).isEqualTo("COMPLETED");
            assertThat(ended.json().toString()).contains("R-7");
            var refused = hiroba.await(hiroba.start(service, new Order(8, -1)), LIMIT);
            assertThat(refused.error()).contains("The amount is negative.");
        } finally {
            process.destroy();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void theExampleInPythonIsAWorker() throws Exception {
        runsTheExample("python", "python3", examples().resolve("python/worker.py"));
    }

    /** Compiled first, which Node needs before 22.18; without a check of its types, which takes five times as long. */
    @Test
    void theExampleInTypeScriptIsAWorker(@TempDir Path folder) throws Exception {
        Files.copy(examples().resolve("typescript/worker.mts"), folder.resolve("worker.mts"));
        Assumptions.assumeTrue(
                isDone(folder, "npm", "install", "--silent", "--no-audit", "--no-fund", "typescript@5.9"),
                "npm cannot fetch the compiler");
        assertThat(isDone(
                        folder,
                        "node",
                        "node_modules/typescript/bin/tsc",
                        "--noCheck",
                        "--target",
                        "es2022",
                        "--module",
                        "nodenext",
                        "worker.mts"))
                .isTrue();
        runsTheExample("typescript", "node", folder.resolve("worker.mjs"));
    }

    private static boolean isDone(Path folder, String... command) throws InterruptedException {
        try {
            var process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
