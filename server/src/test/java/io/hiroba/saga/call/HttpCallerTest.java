package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepOutcome.Done;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.TimedOut;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCallerTest {

    private static final Duration SHORT = Duration.ofMillis(300);

    private final HttpCaller caller = new HttpCaller(new SettableClock(Instant.parse("2026-11-15T12:00:00Z")));
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
        return caller.call(Endpoint.parse(service.url()), call);
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
        assertThat(answer(status, ""))
                .isEqualTo(new Failed(
                        Text.of("saga.journal.answered", "code", Integer.toString(status)), permanent, null));
    }

    @Test
    void whatAServiceSaysIsNotKept() {
        assertThat(answer(500, "password=hunter2"))
                .isEqualTo(Failed.retryable(Text.of("saga.journal.answered", "code", "500")));
    }

    @Test
    void anEmptyAnswerIsNull() {
        assertThat(answer(200, "")).isEqualTo(new Done(Json.mapper().nullNode()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "{\"a\":1",
                "{} {}",
                "{\"a\":\"\\u0000\"}",
                "{\"a\":\"\\ud800\"}",
                " ",
                "null",
                "{\"a\":1,\"a\":2}",
                "[1e9999]"
            })
    void whatAServiceDidIsDoneEvenIfItsAnswerCannotBeKept(String body) {
        assertThat(answer(200, body)).isEqualTo(new Done(Json.mapper().nullNode()));
    }

    @Test
    void whatAServiceDidIsDoneHoweverDeepItsAnswerIs() {
        assertThat(answer(200, "[".repeat(5000) + "]".repeat(5000)))
                .isEqualTo(new Done(Json.mapper().nullNode()));
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
                    .isEqualTo(new Done(Json.mapper().nullNode()));
        }
    }

    @Test
    void anAnswerOfExactlyOneMegabyteIsTaken() {
        var body = "\"" + "x".repeat(HttpCaller.MAX_ANSWER_SIZE - 2) + "\"";
        assertThat(((Done) answer(200, body)).answer().isString()).isTrue();
        assertThat(answer(200, body + " ")).isEqualTo(new Done(Json.mapper().nullNode()));
    }

    @Test
    void aServiceThatHangsTimesOut() {
        try (var service = TestHttpService.start((asked, exchange) -> end.await())) {
            assertThat(call(service, StepCalls.within(SHORT, "Stock.Reserve")))
                    .isEqualTo(new TimedOut(Text.of("saga.journal.no-answer", "milliseconds", "300")));
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
            assertThat(call(service, StepCalls.of("Stock.Reserve", "{}")))
                    .isEqualTo(new Failed(Text.of("saga.journal.answered", "code", "503"), false, wait));
        }
    }

    @Test
    void aServiceThatIsAwayIsTriedAgain() throws IOException {
        String url;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            url = "http://127.0.0.1:" + socket.getLocalPort();
        }
        assertThat(caller.call(Endpoint.parse(url), StepCalls.of("Stock.Reserve", "{}")))
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
        try (var service = new Twice()) {
            for (int i = 0; i < 20; i++) {
                var outcome = caller.call(service.endpoint(), StepCalls.of("echo/" + i, "{}"));
                if (outcome instanceof Done done) {
                    assertThat(done.answer().asString()).isEqualTo("/echo/" + i);
                } else {
                    assertThat(((Failed) outcome).permanent()).isFalse();
                }
            }
            assertThat(service.answers.get()).isGreaterThanOrEqualTo(20);
        }
    }

    /** A service that answers each request with its own path, twice. */
    private static final class Twice implements AutoCloseable {

        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicInteger answers = new AtomicInteger();

        Twice() throws IOException {
            Thread.ofVirtual().start(this::accept);
        }

        Endpoint endpoint() {
            return Endpoint.parse("http://127.0.0.1:" + socket.getLocalPort());
        }

        private void accept() {
            while (!socket.isClosed()) {
                try {
                    var connection = socket.accept();
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
                        var body = "\"" + line.substring(post).split(" ", -1)[1] + "\"";
                        var answer = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
                        connection.getOutputStream().write((answer + answer).getBytes(StandardCharsets.UTF_8));
                        answers.incrementAndGet();
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
