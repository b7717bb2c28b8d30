package io.hiroba.platform.http;

import static io.hiroba.platform.http.LiveServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hiroba.testkit.TestLog;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Calls within the process: what they take over from the request around them, and what they keep from it. */
class InternalCallsTest {

    private static final ClientAddress ADDRESSES = new ClientAddress(List.of("127.0.0.0/8"));
    private static LiveServer live;

    @BeforeAll
    static void start() {
        live = new LiveServer(
                HttpConfig.onFreePort().withTrustedProxies(List.of("127.0.0.0/8")),
                builder -> builder.routes(InternalCallsTest::routes));
    }

    @AfterAll
    static void stop() {
        live.close();
    }

    private static void routes(RoutesConfig routes) {
        routes.get("/outer/{name}", ctx -> {
            var answer = InternalCalls.of(ctx).call("GET", "/inner/" + ctx.pathParam("name"), null, Map.of());
            var logged = MDC.get("requestId");
            ctx.json(Map.of(
                    "status",
                    answer.status(),
                    "body",
                    answer.body(),
                    "headers",
                    answer.headers(),
                    "logged",
                    logged == null ? "" : logged));
        });
        routes.get("/inner/address", ctx -> ctx.result(ADDRESSES.of(ctx).getHostAddress()));
        routes.get("/inner/id", ctx -> ctx.result(RequestId.of(ctx)));
        routes.get("/inner/origin", InternalCallsTest::origin);
        routes.get("/inner/dates", InternalCallsTest::dates);
        routes.get("/inner/elsewhere", ctx -> ctx.res().sendRedirect("/elsewhere"));
        routes.get("/inner/later", ctx -> ctx.req().startAsync());
        routes.get("/inner/session", ctx -> ctx.req().getSession());
    }

    /** Everything that the inner request says of its cookies and headers. */
    private static void origin(Context ctx) {
        var seen = new HashMap<String, Object>();
        seen.put("cookies", ctx.cookieMap());
        seen.put("names", Collections.list(ctx.req().getHeaderNames()));
        seen.put("since", ctx.req().getDateHeader("If-Modified-Since"));
        seen.put("count", ctx.req().getIntHeader("X-Count"));
        ctx.json(seen);
    }

    private static void dates(Context ctx) {
        ctx.res().setDateHeader("Last-Modified", 0);
        ctx.res().setIntHeader("X-Count", 7);
        ctx.result("x");
    }

    @Test
    void theAddressIsThatOfTheLastProxyAlsoInSeveralLines() {
        var answer = live.send(live.request("/outer/address")
                .header("X-Forwarded-For", "198.51.100.1")
                .header("X-Forwarded-For", "203.0.113.7"));
        assertThat(json(answer).get("body").asString())
                .as("a client writes the first line, the proxy the last")
                .isEqualTo("203.0.113.7");
    }

    @Test
    void theLogKnowsBothRequestsByOneIdAndHowLongTheInnerAnswerIs() {
        var appender = new ListAppender<ILoggingEvent>();
        var logger = TestLog.logger("access");
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        logger.addAppender(appender);
        try {
            var answer = live.send(live.request("/outer/id").header("X-Request-Id", "internal-calls-test"));
            assertThat(json(answer).get("body").asString()).isEqualTo("internal-calls-test");
            assertThat(json(answer).get("logged").asString())
                    .as("lines after the call")
                    .isEqualTo("internal-calls-test");
            Awaitility.await().until(() -> lines(appender).size() == 2);
        } finally {
            logger.detachAppender(appender);
        }
        var inner = Json.mapper().readTree(lines(appender).getFirst());
        assertThat(inner.get("route").asString()).isEqualTo("/inner/id");
        assertThat(inner.get("bytes").asInt()).isEqualTo("internal-calls-test".length());
        assertThat(lines(appender).getLast()).contains("/outer/{name}");
    }

    private static List<String> lines(ListAppender<ILoggingEvent> appender) {
        return appender.list.stream()
                .flatMap(event -> event.getFormattedMessage().lines())
                .filter(line -> line.contains("internal-calls-test"))
                .toList();
    }

    @Test
    void cookiesAndOtherHeadersStayOutside() {
        var answer = live.send(live.request("/outer/origin")
                .header("Cookie", "hiroba_session=secret")
                .header("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")
                .header("X-Count", "7"));
        var seen = Json.mapper().readTree(json(answer).get("body").asString());
        assertThat(seen.get("cookies").isEmpty()).isTrue();
        assertThat(seen.get("names").toString()).doesNotContainIgnoringCase("cookie");
        assertThat(seen.get("since").asInt()).isEqualTo(-1);
        assertThat(seen.get("count").asInt()).isEqualTo(-1);
    }

    @Test
    void nothingOfTheInnerAnswerReachesTheOuterOne() {
        var dated = live.get("/outer/dates");
        assertThat(dated.headers().map()).doesNotContainKeys("last-modified", "x-count");
        var headers = json(dated).get("headers");
        assertThat(headers.get("last-modified").asString()).startsWith("Thu, 1 Jan 1970");
        assertThat(headers.get("x-count").asString()).isEqualTo("7");
        var elsewhere = live.get("/outer/elsewhere");
        assertThat(elsewhere.statusCode()).isEqualTo(200);
        assertThat(json(elsewhere).get("status").asInt()).isEqualTo(302);
        assertThat(json(elsewhere).at("/headers/location").asString()).isEqualTo("/elsewhere");
    }

    @Test
    void aCallCannotOutliveItsRequestOrKeepASession() {
        assertThat(json(live.get("/outer/later")).get("status").asInt()).isEqualTo(500);
        assertThat(json(live.get("/outer/session")).get("status").asInt()).isEqualTo(500);
    }
}
