package io.hiroba.platform.http;

import static io.hiroba.platform.http.LiveServer.header;
import static io.hiroba.platform.http.LiveServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.testkit.TestLog;
import io.javalin.config.RoutesConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {

    private static final int MEETING = 200;
    private static final CountDownLatch expected = new CountDownLatch(MEETING);

    private static LiveServer live;

    @BeforeAll
    static void start() {
        live = LiveServer.with(RequestTest::routes);
    }

    @AfterAll
    static void stop() {
        live.close();
    }

    private static void routes(RoutesConfig routes) {
        routes.get("/hello/{name}", ctx -> {
            ctx.attribute(AccessLog.USER, "u1");
            ctx.result("Hello");
        });
        routes.get("/long", ctx -> ctx.json("x".repeat(10_000)));
        routes.get("/none", ctx -> ctx.status(304).header("ETag", "\"7\""));
        routes.get("/events", ctx -> new EventStreams(1).serve(ctx, "ann", opened -> () -> {}));
        routes.get("/thread", ctx -> ctx.json(Thread.currentThread().isVirtual()));
        routes.get("/meet", ctx -> {
            expected.countDown();
            ctx.json(expected.await(30, TimeUnit.SECONDS));
        });
        routes.post("/size", ctx -> ctx.json(ctx.bodyAsBytes().length));
        routes.post("/upload", ctx -> ctx.json(Body.bytes(ctx, ByteSize.parse("2MB")).length));
        routes.post("/form", ctx -> ctx.json(String.valueOf(ctx.formParam("name"))));
        routes.post("/file", ctx -> ctx.json(ctx.uploadedFile("file") != null));
        routes.sse("/stream", client -> {
            client.sendEvent("x".repeat(5000));
            client.close();
        });
    }

    @Test
    void aSaneRequestIdIsEchoedAndAnotherReplaced() {
        var sane = live.send(live.request("/long").header("X-Request-Id", "trace-12345"));
        assertThat(header(sane, "X-Request-Id")).isEqualTo("trace-12345");
        var insane = live.send(live.request("/long").header("X-Request-Id", "a{b}"));
        assertThat(header(insane, "X-Request-Id")).matches("[0-9a-f]{24}");
    }

    @Test
    void everyAnswerCarriesTheSecurityHeaders() {
        for (var path : new String[] {"/long", "/nowhere", "/docs"}) {
            var response = live.get(path);
            assertThat(header(response, "Content-Security-Policy"))
                    .isEqualTo("default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none';"
                            + " frame-ancestors 'none'; form-action 'self'");
            assertThat(header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(header(response, "Referrer-Policy")).isEqualTo("same-origin");
            assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
            assertThat(header(response, "Strict-Transport-Security")).isEmpty();
            assertThat(header(response, "Server")).isEmpty();
            assertThat(header(response, "Content-Disposition")).isEmpty();
        }
        assertThat(header(live.get("/api/v1/nowhere"), "Content-Disposition"))
                .isEqualTo("attachment; filename=\"api.json\"");
    }

    @Test
    void aPublicHttpsAddressTurnsOnStrictTransportSecurity() {
        try (var secure = new LiveServer(HttpConfig.onFreePort().withPublicUrl("https://square.example"), b -> b)) {
            assertThat(header(secure.get("/healthz"), "Strict-Transport-Security"))
                    .isEqualTo("max-age=31536000");
        }
    }

    @Test
    void requestsRunOnVirtualThreads() {
        assertThat(live.get("/thread").body()).isEqualTo("true");
    }

    @Test
    void manyRequestsThatWaitAreServedAtOnce() throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = callers.invokeAll(
                    Collections.nCopies(MEETING, () -> live.get("/meet").body()));
            for (var answer : answers) {
                assertThat(answer.get()).as("all have come").isEqualTo("true");
            }
        }
    }

    @Test
    void longAnswersAreCompressedAndStreamsAreNot() {
        var gzip = live.send(live.request("/long").header("Accept-Encoding", "gzip"));
        assertThat(header(gzip, "Content-Encoding")).isEqualTo("gzip");
        var stream = live.send(
                live.request("/stream").header("Accept-Encoding", "gzip").header("Accept", "text/event-stream"));
        assertThat(header(stream, "Content-Type")).startsWith("text/event-stream");
        assertThat(header(stream, "Content-Encoding")).isEmpty();
        assertThat(stream.body()).contains("x".repeat(5000));
    }

    @Test
    void headAnswersAsGetDoesWithoutTheBody() {
        for (var path :
                new String[] {"/hello/you", "/long", "/none", "/nowhere", "/docs", "/healthz", "/openapi.yaml"}) {
            var get = live.get(path);
            var head = live.send(live.request(path).method("HEAD", BodyPublishers.noBody()));
            assertThat(head.statusCode()).as(path).isEqualTo(get.statusCode());
            for (var name : new String[] {"Content-Type", "Content-Length", "Cache-Control", "ETag"}) {
                assertThat(header(head, name)).as(path + " " + name).isEqualTo(header(get, name));
            }
            assertThat(head.body()).as(path).isEmpty();
        }
        assertThat(header(live.get("/hello/you"), "Content-Length")).isEqualTo("5");
        var stream = live.send(live.request("/events").method("HEAD", BodyPublishers.noBody()));
        assertThat(header(stream, "Content-Type")).startsWith("text/event-stream");
    }

    @Test
    void tooLargeABodyIsRefusedWhetherItTellsItsLengthOrNot() {
        var large = new byte[(1 << 20) + 1];
        isTooLarge(live.send(live.request("/size").POST(BodyPublishers.ofByteArray(large))));
        isTooLarge(live.send(
                live.request("/size").POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)))));
        assertThat(live.send(live.request("/size").POST(BodyPublishers.ofByteArray(new byte[1 << 20])))
                        .body())
                .isEqualTo("1048576");
    }

    @Test
    void whoSendsFarTooMuchStillReadsWhy() {
        isTooLarge(live.send(live.request("/size").POST(BodyPublishers.ofByteArray(new byte[24 << 20]))));
        isTooLarge(live.send(
                live.request("/size").expectContinue(true).POST(BodyPublishers.ofByteArray(new byte[24 << 20]))));
    }

    @Test
    void aRouteMayTakeMore() {
        var limit = 2 << 20;
        assertThat(live.send(live.request("/upload").POST(BodyPublishers.ofByteArray(new byte[limit])))
                        .body())
                .isEqualTo("2097152");
        isTooLarge(live.send(live.request("/upload").POST(BodyPublishers.ofByteArray(new byte[limit + 1]))));
        isTooLarge(live.send(live.request("/upload")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[limit + 1])))));
    }

    @Test
    void whatIsNotHttpIsAProblemToo() throws IOException {
        var answer = raw("GET /a/%2E%2E/c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400").contains("application/problem+json", "http.bad-request");
        assertThat(raw("GET / HTTP/1.1\r\nHost: x\r\nA: " + "b".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431")
                .doesNotContain("jetty", "Exception");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /form | multipart/form-data                                 | name=x
            /form | multipart/form-data; boundary=                      | name=x
            /form | application/x-www-form-urlencoded; charset=foo      | name=x
            /form | application/x-www-form-urlencoded; charset=a b      | name=x
            /form | multipart/form-data; boundary=b                     | broken
            /file | multipart/form-data                                 | broken
            /file | multipart/form-data; boundary=b                     | broken
            /file | multipart/form-data; boundary=b                     | --b~Content-Disposition: form-data; name="file"; filename="f"~~cut off
            /file | multipart/form-data; boundary=b                     | --b~Content-Disposition: form-data~~no name~--b--~
            /file | multipart/form-data; boundary=b; charset=foo        | --b~Content-Disposition: form-data; name="x"~~a~--b--~
            /file | multipart/form-data; boundary=b                     | --b~Content-Disposition: form-data; name="x"~Content-Type: text/plain; charset=foo~~a~--b--~
            """)
    void aMalformedFormIsTheCallersFault(String path, String type, String body) {
        var logged = logged("POST " + path, () -> {
            var response = live.send(live.request(path)
                    .header("Content-Type", type)
                    .POST(BodyPublishers.ofString(body.replace("~", "\r\n"))));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
            assertThat(json(response).get("code").asString()).isEqualTo("http.malformed-body");
        });
        assertThat(logged).as("nothing above debug").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /size HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nshort",
                "POST /size HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nno chunk\r\n",
                "POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
                "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nshort",
                "POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nname",
                "POST /file HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100\r\n\r\n--b"
            })
    void aBodyThatEndsEarlyIsTheCallersFaultAndNoError(String request) {
        // With its path: requests to servers of other classes fail meanwhile, some of them on purpose.
        assertThat(logged(request.substring(0, request.indexOf(" HTTP")), () -> {
                    try (var socket = new Socket(InetAddress.getLoopbackAddress(), live.server.port())) {
                        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                        socket.shutdownOutput();
                        var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                        assertThat(answer).startsWith("HTTP/1.1 400");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }))
                .isEmpty();
    }

    @Test
    void whoeverSendsAByteNowAndThenIsCutOffAndConnectionsAreLimited() throws IOException {
        var limits = HttpConfig.onFreePort().limits();
        var strict = new HttpConfig.Limits(
                limits.bodySize(),
                limits.uploadSize(),
                limits.idleTimeout(),
                Duration.ofMillis(500),
                ByteSize.parse("1MB"),
                2,
                limits.drainDelay(),
                limits.drainTimeout());
        try (var slow = new LiveServer(
                HttpConfig.onFreePort().withLimits(strict), builder -> builder.routes(RequestTest::routes))) {
            try (var headers = new Socket(InetAddress.getLoopbackAddress(), slow.server.port());
                    var body = new Socket(InetAddress.getLoopbackAddress(), slow.server.port())) {
                write(headers, "GET /long HTTP/1.1\r\nHost: x\r\nA: ");
                write(body, "POST /size HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
                try (var third = new Socket(InetAddress.getLoopbackAddress(), slow.server.port())) {
                    write(third, "GET /thread HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                    assertThat(third.getInputStream().available())
                            .as("waits for its turn")
                            .isZero();
                    assertThat(drip(body)).startsWith("HTTP/1.1 400");
                    assertThat(drip(headers)).isEmpty();
                    third.setSoTimeout(20_000);
                    assertThat(new String(third.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                            .startsWith("HTTP/1.1 200");
                }
            }
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** What the server says while it is sent one byte after the other, until it closes the connection. */
    private static String drip(Socket socket) {
        var answer = new StringBuilder();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    socket.setSoTimeout(10);
                    try {
                        write(socket, "x");
                        int c = socket.getInputStream().read();
                        for (; c >= 0; c = socket.getInputStream().read()) {
                            answer.append((char) c);
                        }
                        return true;
                    } catch (SocketTimeoutException e) {
                        return false;
                    } catch (IOException e) {
                        return true;
                    }
                });
        return answer.toString();
    }

    /** What the mapper of problems writes into the log about requests of {@code path}. */
    private static List<String> logged(String path, Runnable request) {
        var appender = new ListAppender<ILoggingEvent>();
        var logger = TestLog.logger(ProblemMapper.class.getName());
        appender.list = new CopyOnWriteArrayList<>(); // servers of other classes write to this log meanwhile
        appender.start();
        logger.addAppender(appender);
        try {
            request.run();
        } finally {
            logger.detachAppender(appender);
        }
        return appender.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(path))
                .toList();
    }

    @Test
    void theAccessLogIsOneJsonObjectARequest() {
        var text = accessLine("access-log-test", appender -> {
            live.send(live.request("/hello/you?token=private").header("X-Request-Id", "access-log-test"));
            Awaitility.await()
                    .until(() -> appender.list.stream()
                            .anyMatch(event -> event.getFormattedMessage().contains("access-log-test")));
        });
        var line = Json.mapper().readTree(text);
        assertThat(line.get("route").asString()).isEqualTo("/hello/{name}");
        assertThat(line.get("method").asString()).isEqualTo("GET");
        assertThat(line.get("status").asInt()).isEqualTo(200);
        assertThat(line.get("user").asString()).isEqualTo("u1");
        assertThat(line.get("remote").asString()).isEqualTo("127.0.0.1");
        assertThat(line.get("bytes").asInt()).isEqualTo(5);
        assertThat(line.has("time") && line.has("ms")).isTrue();
        assertThat(text).doesNotContain("private");
    }

    @Test
    void theAccessLogCountsTheBytesOfACompressedAnswer() {
        var text = accessLine("compressed-test", appender -> {
            live.send(
                    live.request("/long").header("Accept-Encoding", "gzip").header("X-Request-Id", "compressed-test"));
            Awaitility.await()
                    .until(() -> appender.list.stream()
                            .anyMatch(event -> event.getFormattedMessage().contains("compressed-test")));
        });
        // Ten are the header of gzip.
        assertThat(Json.mapper().readTree(text).get("bytes").asInt()).isBetween(30, 1000);
    }

    @Test
    void whatTheAccessLogHasNotWrittenYetIsWrittenWhenTheServerEnds() {
        assertThat(accessLine("last-words-test", appender -> {
                    try (var log = new AccessLog(new ClientAddress(List.of()), Clock.systemUTC())) {
                        log.write("last-words-test");
                    }
                }))
                .isEqualTo("last-words-test");
    }

    /** The line of the request of that id, which {@code request} makes. */
    private static String accessLine(String requestId, Consumer<ListAppender<ILoggingEvent>> request) {
        var appender = new ListAppender<ILoggingEvent>();
        var logger = TestLog.logger("access");
        appender.list = new CopyOnWriteArrayList<>(); // servers of other classes write to this log meanwhile
        appender.start();
        logger.addAppender(appender);
        try {
            request.accept(appender);
        } finally {
            logger.detachAppender(appender);
        }
        return appender.list.stream()
                .flatMap(event -> event.getFormattedMessage().lines())
                .filter(line -> line.contains(requestId))
                .findFirst()
                .orElseThrow();
    }

    private static void isTooLarge(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(json(response).get("code").asString()).isEqualTo("http.body-too-large");
    }

    private static String raw(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), live.server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
