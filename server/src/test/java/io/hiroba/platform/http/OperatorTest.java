package io.hiroba.platform.http;

import static io.hiroba.platform.http.LiveServer.header;
import static io.hiroba.platform.http.LiveServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class OperatorTest {

    @Test
    void aliveAndReadyAreTold() {
        try (var live = new LiveServer(HttpConfig.onFreePort(), builder -> builder)) {
            assertThat(live.get("/healthz").body()).isEqualTo("{\"alive\":true}");
            var ready = live.get("/readyz");
            assertThat(ready.statusCode()).isEqualTo(200);
            assertThat(ready.body())
                    .isEqualTo(
                            "{\"ready\":true,\"checks\":{\"database\":true,\"writable\":true,\"migrations\":true,\"disk\":true,\"accepting\":true}}");
        }
    }

    @Test
    void withoutItsDatabaseItIsAliveButNotReadyAndAnswersUnavailable() {
        try (var live = LiveServer.with(routes -> routes.get("/x", ctx -> ctx.json(1)))) {
            live.database.db().close();
            assertThat(live.get("/healthz").statusCode()).isEqualTo(200);
            var ready = live.get("/readyz");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(json(ready).get("checks").get("database").asBoolean()).isFalse();
            assertThat(json(ready).get("checks").get("writable").asBoolean()).isFalse();
            assertThat(json(ready).get("checks").get("migrations").asBoolean())
                    .as("that was found at the start")
                    .isTrue();
        }
    }

    @Test
    void withADatabaseThatTakesNoWritesItIsNotReady() {
        try (var live = new LiveServer(HttpConfig.onFreePort(), builder -> builder);
                var readOnly =
                        Db.open(live.database.config().withPoolSize(2), List.of("default_transaction_read_only=on"));
                var server = HttpServer.builder(HttpConfig.onFreePort(), readOnly)
                        .build()
                        .start()) {
            var ready = live.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/readyz")));
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(json(ready).get("checks").get("database").asBoolean()).isTrue();
            assertThat(json(ready).get("checks").get("writable").asBoolean()).isFalse();
        }
    }

    @Test
    void aDatabaseThatIsGoneIsTemporarilyUnavailable() {
        var open = new LiveServer[1];
        try (var live = LiveServer.with(routes -> routes.get(
                "/x",
                ctx -> ctx.json(open[0].database
                        .db()
                        .read(reads -> reads.query("SELECT pg_terminate_backend(pg_backend_pid())")
                                .mapTo(Boolean.class)
                                .one()))))) {
            open[0] = live;
            var response = live.get("/x");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(json(response).get("code").asString()).isEqualTo("http.unavailable");
        }
    }

    @Test
    void aFullDiskOfTheDatabaseIsTold() {
        var open = new LiveServer[1];
        try (var live = LiveServer.with(routes -> routes.get(
                "/x",
                ctx -> open[0].database
                        .db()
                        .useTransaction(tx -> tx.update(
                                        "DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$")
                                .execute())))) {
            open[0] = live;
            var response = live.get("/x");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(json(response).get("code").asString()).isEqualTo("http.unavailable");
            assertThat(json(response).get("detail").asString()).startsWith("The disk of the database is full");
            var ready = live.get("/readyz");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(json(ready).get("checks").get("disk").asBoolean()).isFalse();
            assertThat(json(ready).get("checks").get("database").asBoolean()).isTrue();
        }
    }

    @Test
    void metricsTellRoutesAndJvm() {
        try (var live = LiveServer.with(routes -> routes.get("/things/{id}", ctx -> ctx.json(1)))) {
            live.get("/things/7");
            Awaitility.await().until(() -> live.get("/metrics").body().contains("route=\"/things/{id}\""));
            assertThat(live.get("/metrics").body())
                    .contains("http_server_requests_seconds_count", "jvm_memory_used_bytes")
                    .doesNotContain("/things/7");
        }
    }

    @Test
    void metricsAreForThisMachineOrTheHolderOfTheToken() {
        try (var local = new LiveServer(HttpConfig.onFreePort(), builder -> builder);
                var guarded = new LiveServer(HttpConfig.onFreePort().withMetricsToken("s3cret"), builder -> builder)) {
            assertThat(local.send(local.request("/metrics").header("X-Forwarded-For", "127.0.0.1"))
                            .statusCode())
                    .isEqualTo(403);
            assertThat(guarded.get("/metrics").statusCode()).isEqualTo(403);
            assertThat(guarded.send(guarded.request("/metrics").header("Authorization", "Bearer wrong"))
                            .statusCode())
                    .isEqualTo(403);
            assertThat(guarded.send(guarded.request("/metrics").header("Authorization", "Bearer s3cret"))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void requestsUnderWayCompleteWhileTheServerStops() throws Exception {
        var arrived = new CountDownLatch(1);
        var finish = new CountDownLatch(1);
        var told = new AtomicBoolean();
        try (var live = LiveServer.with(routes -> routes.get("/slow", ctx -> {
                    arrived.countDown();
                    finish.await(20, TimeUnit.SECONDS);
                    ctx.json("done");
                }));
                var client = HttpClient.newHttpClient()) {
            live.server.drain().onBegin(() -> told.set(true));
            var slow = client.sendAsync(live.request("/slow").build(), BodyHandlers.ofString());
            arrived.await();
            var stopping = CompletableFuture.runAsync(live.server::close);
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> refuses(live));
            assertThat(told).isTrue();
            assertThat(stopping).isNotDone();
            finish.countDown();
            assertThat(slow.get(10, TimeUnit.SECONDS).body()).isEqualTo("\"done\"");
            stopping.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void aStoppingServerIsNotReadyForAWhileInWhichItStillAnswers() throws Exception {
        var limits = HttpConfig.onFreePort().limits();
        var config = HttpConfig.onFreePort()
                .withLimits(new HttpConfig.Limits(
                        limits.bodySize(),
                        limits.uploadSize(),
                        limits.idleTimeout(),
                        limits.requestTimeout(),
                        limits.minDataRate(),
                        limits.maxConnections(),
                        Duration.ofMinutes(1),
                        limits.drainTimeout()));
        try (var live = new LiveServer(config, builder -> builder)) {
            var announcing = Thread.ofVirtual().start(live.server.drain()::announce);
            Awaitility.await().until(() -> live.get("/readyz").statusCode() == 503);
            assertThat(live.get("/healthz").statusCode()).isEqualTo(200);
            announcing.interrupt();
            announcing.join();
        }
    }

    @Test
    void aStandbyIsTemporarilyUnavailable() {
        try (var live = LiveServer.with(routes -> routes.get("/x", ctx -> {
            throw new DbException(new SQLException("cannot execute INSERT in a read-only transaction", "25006"));
        }))) {
            var response = live.get("/x");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(header(response, "Retry-After")).isEqualTo("5");
        }
    }

    private static boolean refuses(LiveServer live) {
        try {
            return live.get("/healthz").statusCode() == 503;
        } catch (IllegalStateException refused) {
            return true;
        }
    }

    @Test
    void assetsAreKeptForEverUnderTheirHash() {
        try (var live = new LiveServer(HttpConfig.onFreePort(), builder -> builder)) {
            var url = new Assets().url("htmx.js");
            var response = live.get(url);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(header(response, "Content-Type")).startsWith("text/javascript");
            assertThat(header(response, "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
            assertThat(header(live.get("/assets/0/htmx.js"), "Cache-Control")).isEqualTo("no-store");
            assertThat(live.get("/assets/0/nothing.js").statusCode()).isEqualTo(404);
            assertThat(live.get("/assets/0/docs.txt").statusCode()).isEqualTo(404);
            assertThat(live.get("/assets/0/..%2fio%2fhiroba%2fplatform%2fdb%2fV001__platform.sql")
                            .statusCode())
                    .isIn(400, 404);
        }
    }

    @Test
    void theDocsPageLoadsOnlyFilesThatAreServed() {
        try (var live = new LiveServer(HttpConfig.onFreePort(), builder -> builder)) {
            var page = live.get("/docs").body();
            var links =
                    java.util.regex.Pattern.compile("(?:href|src)=\"([^\"]+)\"").matcher(page);
            int count = 0;
            while (links.find()) {
                assertThat(live.get(links.group(1)).statusCode()).isEqualTo(200);
                count++;
            }
            assertThat(count).isEqualTo(4);
            assertThat(page).as("or browsers look for /favicon.ico").contains("<link rel=\"icon\"");
            assertThat(page).doesNotContain("<style", "style=", "<script>");
            assertThat(live.get("/openapi.yaml").body()).startsWith("openapi: 3.1");
        }
    }

    @Test
    void behindAPublicAddressMetricsTakeTheToken() {
        var http = HttpConfig.onFreePort().withPublicUrl("https://square.example");
        try (var open = new LiveServer(http, builder -> builder);
                var guarded = new LiveServer(http.withMetricsToken("s3cret"), builder -> builder)) {
            assertThat(open.get("/metrics").statusCode()).isEqualTo(403);
            assertThat(guarded.send(guarded.request("/metrics").header("Authorization", "Bearer s3cret"))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aNodeWhoseSchemaIsIncompleteIsNotReady() {
        try (var live = new LiveServer(HttpConfig.onFreePort(), builder -> builder.migrated(() -> false))) {
            var ready = live.get("/readyz");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(json(ready).get("checks").get("database").asBoolean()).isTrue();
            assertThat(json(ready).get("checks").get("migrations").asBoolean()).isFalse();
        }
    }
}
