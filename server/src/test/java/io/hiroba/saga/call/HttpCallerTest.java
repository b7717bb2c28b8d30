package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.call.StepOutcome.Done;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.TimedOut;
import io.hiroba.saga.call.StepOutcome.Unkept;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestHttpService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCallerTest {

    private static final Duration SHORT = Duration.ofMillis(300);

    private final HttpCaller caller =
            new HttpCaller(new SettableClock(Instant.parse("2026-11-15T12:00:00Z")), new RefusedAnswers(List.of()));
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        caller.close();
    }

    private static TestHttpService answering(int status, String body) {
        return TestHttpService.start((asked, exchange) -> TestHttpService.reply(exchange, status, body));
    }

    private StepOutcome call(TestHttpService service, StepCall call) {
        return caller.call(Endpoint.parse(service.url()), CallSecrets.NONE, call);
    }

    private StepOutcome answer(int status, String body) {
        try (var service = answering(status, body)) {
            return call(service, StepCalls.of("Stock.Reserve", "{}"));
        }
    }

    @Test
    void theInputIsPostedWithAKeyThatARepeatKeeps() {
        try (var service = answering(200, "{\"id\":7}")) {
            var outcome = call(service, StepCalls.of("v1/Stock.Reserve", "{'order':'é'}"));

            assertThat(outcome).isEqualTo(new Done(Json.mapper().readTree("{\"id\":7}")));
            var asked = service.asked().getFirst();
            assertThat(asked.method() + " " + asked.path()).isEqualTo("POST /v1/Stock.Reserve");
            assertThat(asked.body()).isEqualTo("{\"order\":\"é\"}");
            assertThat(asked.header("Content-Type")).isEqualTo("application/json");
            assertThat(asked.header("Idempotency-Key")).isEqualTo(StepCalls.SAGA + ":0:EXECUTE");
            assertThat(asked.header("Saga-Id")).isEqualTo(StepCalls.SAGA.toString());
            assertThat(asked.header("Saga-Step")).isEqualTo("r%C3%A9server");
            assertThat(asked.header("Saga-Attempt")).isEqualTo("2");
        }
    }

    @Test
    void aSagaIsOneTraceAndEachCallASpanOfItsOwn() {
        try (var service = answering(204, "")) {
            var given = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
            call(service, StepCalls.traced(given));
            call(service, StepCalls.traced(given));
            call(service, StepCalls.of("Stock.Reserve", "{}"));

            var parents = service.asked().stream()
                    .map(asked -> asked.header("traceparent"))
                    .toList();
            assertThat(parents).doesNotHaveDuplicates().doesNotContain(given);
            assertThat(parents.subList(0, 2))
                    .allMatch(parent -> parent.matches("00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00"));
            assertThat(parents.getLast()).matches("00-0198c2e846ee7000800000000000beef-[0-9a-f]{16}-01");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "408,false", "425,false", "429,false", "500,false", "502,false", "503,false", "504,false",
        "400,true", "401,true", "404,true", "409,true", "422,true", "302,true", "304,true"
    })
    void whatMayHealIsTriedAgainAndTheRestIsNot(int status, boolean permanent) {
        var failed = (Failed) answer(status, "");
        assertThat(failed.reason()).isEqualTo(Text.of("saga.journal.answered", "code", Integer.toString(status)));
        assertThat(failed.permanent()).isEqualTo(permanent);
        assertThat(failed.answer().body()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null"})
    void anEmptyAnswerIsNull(String body) {
        assertThat(answer(200, body)).isEqualTo(new Done(Json.mapper().nullNode()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<html>|NO_JSON",
                "{\"a\":1|NO_JSON",
                "{} {}|NO_JSON",
                "{\"a\":\"\\u0000\"}|NOT_STORABLE",
                "{\"a\":\"\\ud800\"}|NOT_STORABLE",
                "{\"a\":1,\"a\":2}|NO_JSON",
                "[1e9999]|NOT_STORABLE",
                "[1e2147483648]|NOT_STORABLE"
            })
    void whatAServiceDidIsDoneEvenIfItsAnswerCannotBeKept(String body, Unkept reason) {
        assertThat(answer(200, body)).isEqualTo(Done.notKept("200", reason));
    }

    @Test
    void whatAServiceDidIsDoneHoweverDeepItsAnswerIs() {
        assertThat(answer(200, "[".repeat(5000) + "]".repeat(5000))).isEqualTo(Done.notKept("200", Unkept.NO_JSON));
    }

    @Test
    void anAnswerWithoutEndIsNotReadOn() {
        var bytes = "1".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        try (var service = TestHttpService.start((asked, exchange) -> {
            exchange.sendResponseHeaders(200, 0);
            while (true) {
                exchange.getResponseBody().write(bytes);
            }
        })) {
            assertThat(call(service, StepCalls.of("Stock.Reserve", "{}")))
                    .isEqualTo(Done.notKept("200", Unkept.TOO_LARGE));
        }
    }

    @Test
    void anAnswerOfExactlyOneMegabyteIsTaken() {
        var body = "\"" + "x".repeat(HttpCaller.MAX_ANSWER_SIZE - 2) + "\"";
        assertThat(((Done) answer(200, body)).answer().isString()).isTrue();
        assertThat(answer(200, body + " ")).isEqualTo(Done.notKept("200", Unkept.TOO_LARGE));
    }

    @Test
    void aServiceThatHangsTimesOut() {
        try (var service = TestHttpService.start((asked, exchange) -> end.await())) {
            assertThat(call(service, StepCalls.within(SHORT, "Stock.Reserve")))
                    .isEqualTo(new TimedOut(Text.of("saga.journal.no-answer", "time", DurationText.text(SHORT))));
        }
    }

    @Test
    void aBodyThatDoesNotEndTimesOutToo() {
        try (var service = TestHttpService.start((asked, exchange) -> {
            exchange.sendResponseHeaders(200, 10);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            end.await();
        })) {
            assertThat(call(service, StepCalls.within(SHORT, "Stock.Reserve"))).isInstanceOf(TimedOut.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "7,PT7S",
        "0,PT0S",
        "99999999,PT1H",
        "'Sun, 15 Nov 2026 12:00:30 GMT',PT30S",
        "'Sun, 15 Nov 2026 11:00:00 GMT',PT0S",
        "'Sun, 15 Nov 3026 12:00:30 GMT',",
        "'Wed, 15 Nov 2056 12:00:00 GMT',PT1H",
        "soon,",
        "-5,"
    })
    void aServiceThatAsksForTimeGetsItForUpToAnHour(String header, Duration wait) {
        try (var service = TestHttpService.start((asked, exchange) -> {
            exchange.getResponseHeaders().set("Retry-After", header);
            TestHttpService.reply(exchange, 503, "");
        })) {
            var failed = (Failed) call(service, StepCalls.of("Stock.Reserve", "{}"));
            assertThat(failed.permanent()).isFalse();
            assertThat(failed.retryAfter()).isEqualTo(wait);
        }
    }

    @Test
    void aServiceThatIsAwayIsTriedAgain() throws IOException {
        String url;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            url = "http://127.0.0.1:" + socket.getLocalPort();
        }
        assertThat(caller.call(Endpoint.parse(url), CallSecrets.NONE, StepCalls.of("Stock.Reserve", "{}")))
                .isEqualTo(Failed.retryable(Text.of("saga.journal.unreachable")));
    }

    @Test
    void aConnectionThatBreaksIsTriedAgain() {
        try (var service = TestHttpService.start((asked, exchange) -> {
            exchange.sendResponseHeaders(200, 10);
            throw new IOException("broken on purpose");
        })) {
            assertThat(call(service, StepCalls.of("Stock.Reserve", "{}"))).isInstanceOf(Failed.class);
        }
    }

    @Test
    void aSecondAnswerToOneCallIsNotTakenForTheNextOnes() throws IOException {
        try (var service = new RawService(path -> echo(path) + echo(path))) {
            for (int i = 0; i < 20; i++) {
                var outcome = service.call(caller, "echo/" + i);
                if (outcome instanceof Done done) {
                    assertThat(done.answer().asString()).isEqualTo("/echo/" + i);
                } else {
                    assertThat(((Failed) outcome).permanent()).isFalse();
                }
            }
            assertThat(service.answers.get()).isGreaterThanOrEqualTo(20);
        }
    }

    private static String echo(String path) {
        return "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n\"%s\"".formatted(path.length() + 2, path);
    }

    @Test
    void aConnectionIsKeptUntilTheServiceClosesIt() throws IOException {
        try (var service = new RawService(path -> path.endsWith("last") ? echo(path) + RawService.CLOSE : echo(path))) {
            for (var method : List.of("first", "last", "next", "again")) {
                assertThat(service.call(caller, method)).isEqualTo(done("/" + method));
                service.awaitClosed(method.equals("last") ? 1 : 0);
            }
            assertThat(service.connections.get()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\n\"ok\"",
                "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\n\"ok\r\n1\r\n\"\r\n0\r\nEtag: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nConnection: keep-alive, Close\r\ncontent-length:4\r\n\r\n\"ok\"",
                "HTTP/1.0 200 OK\n\n\"ok\"" + RawService.CLOSE
            })
    void anAnswerIsReadHoweverItIsWritten(String answer) throws IOException {
        try (var service = new RawService(path -> answer)) {
            assertThat(service.call(caller, "one")).isEqualTo(done("ok"));
            assertThat(service.call(caller, "two")).isEqualTo(done("ok"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nno header\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}" + RawService.CLOSE,
                RawService.CLOSE
            })
    void whatIsNoAnswerIsTriedAgain(String answer) throws IOException {
        try (var service = new RawService(path -> answer)) {
            assertThat(service.call(caller, "one"))
                    .isEqualTo(Failed.retryable(Text.of("saga.journal.unreachable"))
                            .asMaybeDone());
        }
    }

    @Test
    void aHeadWithoutEndIsNotReadOn() throws IOException {
        try (var service = new RawService(path -> "HTTP/1.1 200 OK\r\n" + "X-Header: 1\r\n".repeat(10_000))) {
            assertThat(service.call(caller, "one")).isInstanceOf(Failed.class);
        }
    }

    @Test
    void aCallThatNobodyReadsTimesOut() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var endpoint = Endpoint.parse("http://127.0.0.1:" + socket.getLocalPort());
            var input = "'" + "x".repeat(16_000_000) + "'";
            assertThat(caller.call(endpoint, CallSecrets.NONE, StepCalls.within(SHORT, "Stock.Reserve", input)))
                    .isInstanceOf(TimedOut.class);
        }
    }

    private static Done done(String text) {
        return new Done(Json.mapper().getNodeFactory().stringNode(text));
    }

    /** A service that answers each request with the bytes that are made of its path. */
    private static final class RawService implements AutoCloseable {

        /** At the end of an answer: the service closes the connection after it. */
        static final String CLOSE = "<close>";

        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final UnaryOperator<String> answer;
        private final AtomicInteger answers = new AtomicInteger();
        private final AtomicInteger connections = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();

        RawService(UnaryOperator<String> answer) throws IOException {
            this.answer = answer;
            Thread.ofVirtual().start(this::accept);
        }

        StepOutcome call(HttpCaller caller, String method) {
            var endpoint = Endpoint.parse("http://127.0.0.1:" + socket.getLocalPort());
            return caller.call(endpoint, CallSecrets.NONE, StepCalls.of(method, "{}"));
        }

        void awaitClosed(int count) {
            Awaitility.await().until(() -> closed.get() >= count);
        }

        private void accept() {
            while (!socket.isClosed()) {
                try {
                    var connection = socket.accept();
                    connections.incrementAndGet();
                    Thread.ofVirtual().start(() -> serve(connection));
                } catch (IOException e) {
                    return;
                }
            }
        }

        private void serve(Socket connection) {
            try (connection;
                    var lines = new BufferedReader(
                            new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    // A body has no end of line: the next request begins on its line.
                    int post = line.indexOf("POST /");
                    if (post >= 0) {
                        var bytes = answer.apply(line.substring(post).split(" ", -1)[1]);
                        answers.incrementAndGet();
                        connection
                                .getOutputStream()
                                .write(bytes.replace(CLOSE, "").getBytes(StandardCharsets.UTF_8));
                        if (bytes.endsWith(CLOSE)) {
                            connection.shutdownOutput();
                            closed.incrementAndGet();
                        }
                    }
                }
            } catch (IOException e) {
                answers.get(); // the caller has closed the connection, as it should
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../admin", "a/../../b", "", "/a", "a//b", ".", "a/"})
    void aMethodDoesNotLeadOutOfTheEndpoint(String method) {
        try (var service = answering(200, "")) {
            assertThat(call(service, StepCalls.of(method, "{}")))
                    .isEqualTo(Failed.nonRetryable(Text.of("saga.journal.method-outside")));
            assertThat(service.asked()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"..%2fadmin,/..%252fadmin", "a?b#c,/a%3Fb%23c", "'a b',/a%20b", "..\\x,/..%5Cx", "v1:do,/v1:do"})
    void aMethodIsTakenByItsLetters(String method, String path) {
        try (var service = answering(200, "")) {
            call(service, StepCalls.of(method, "{}"));
            assertThat(service.asked().getFirst().path()).isEqualTo(path);
        }
    }
}
