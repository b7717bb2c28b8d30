package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.KeptAnswer;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestHttpService;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusedAnswersTest {

    private final RefusedAnswers refusals = new RefusedAnswers(List.of("cardNumber", "payer.name"));

    private KeptAnswer kept(String body, boolean complete) {
        return refusals.of(new HttpAnswer(
                422,
                new HttpAnswer.Headers(null, null, null),
                new BoundedBody.Read(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)), complete)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'error':'card declined'}|{'error':'card declined'}|: card declined",
                "{'title':'Refused','detail':'No funds.'}|{'title':'Refused','detail':'No funds.'}|: No funds.",
                "{'error':{'message':'no','cardNumber':41}}|{'error':{'message':'no','cardNumber':'***'}}|: no",
                "{'payer':{'name':'Ann','x':[{'CARDNUMBER':'5'}]},'name':'n'}"
                        + "|{'payer':{'name':'***','x':[{'CARDNUMBER':'***'}]},'name':'n'}|",
                "<html>broken</html>|'<html>broken</html>'|",
                "[]|[]|"
            })
    void theBodyIsKeptWithSecretFieldsMasked(String body, String expected, String explanation) {
        var kept = kept(body.replace('\'', '"'), true);

        assertThat(String.valueOf(kept.body())).isEqualTo(expected.replace('\'', '"'));
        assertThat(kept.head().toString()).isEqualTo("{\"status\":\"422\"}");
        assertThat(RefusedAnswers.reason("422", kept).toString())
                .isEqualTo("the service answered with 422" + (explanation == null ? "" : explanation));
    }

    @Test
    void whatPostgresCannotStoreIsKeptAsText() {
        var kept = kept("{\"a\":\"\\u0000\"}", true);

        assertThat(String.valueOf(kept.body())).isEqualTo("\"{\\\"a\\\":\\\"\\\\u0000\\\"}\"");
        assertThat(kept("a\0b", true).body().stringValue()).isEqualTo("a\uFFFDb");
        assertThat(kept("", true).body()).isNull();
    }

    @Test
    void aLongBodyIsCutAndOneThatCannotBeMaskedIsNotKept() {
        var cut = kept("{\"cardNumber\":\"4111\",\"trace\":\"" + "x".repeat(20_000) + "\"}", true);
        assertThat(cut.body().stringValue())
                .hasSize(RefusedAnswers.MAX_LENGTH)
                .startsWith("{\"cardNumber\":\"***\",\"trace\":\"xxx");
        assertThat(cut.head().path("cut").booleanValue()).isTrue();

        var partOfJson = kept("{\"cardNumber\":\"4111\",\"trace\":\"xxx", false);
        assertThat(partOfJson.body()).isNull();
        assertThat(partOfJson.head().path("cut").booleanValue()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "422,'{\"error\":\"declined\",\"nested\":[{\"cardNumber\":\"4111\"}]}'",
        "200,'{\"cardNumber\":\"4111\"'"
    })
    void aSecretIsNotInTheLogEither(int status, String body) {
        try (var service = TestHttpService.start((asked, exchange) -> TestHttpService.reply(exchange, status, body));
                var caller = new HttpCaller(new SettableClock(Instant.EPOCH), refusals)) {
            var method = "Stock.Log" + status;
            var lines = CallLog.of(HttpCaller.class, method, () -> {
                caller.call(Endpoint.parse(service.url()), CallSecrets.NONE, StepCalls.of(method, "{}"));
            });

            assertThat(lines).singleElement().asString().doesNotContain("4111");
        }
    }

    @ParameterizedTest
    @CsvSource({"400,false", "408,false", "422,false", "429,false", "500,true", "501,false", "503,false", "504,true"})
    void onlyWhatBrokeInsideTheServiceMayHaveTakenEffect(int status, boolean maybeDone) {
        try (var service = TestHttpService.start((asked, exchange) -> {
                    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
                    exchange.getResponseHeaders().set("X-Request-Id", "r-7");
                    exchange.getResponseHeaders().set("Set-Cookie", "session=secret");
                    TestHttpService.reply(exchange, status, "sold out");
                });
                var caller = new HttpCaller(new SettableClock(Instant.EPOCH), refusals)) {
            var failed = (Failed)
                    caller.call(Endpoint.parse(service.url()), CallSecrets.NONE, StepCalls.of("Stock.Reserve", "{}"));

            assertThat(failed.maybeDone()).isEqualTo(maybeDone);
            assertThat(failed.reason().toString()).isEqualTo("the service answered with " + status + ": sold out");
            assertThat(String.valueOf(failed.answer().body())).isEqualTo("\"sold out\"");
            assertThat(failed.answer().head().toString())
                    .isEqualTo("{\"status\":\"" + status
                            + "\",\"contentType\":\"text/plain; charset=utf-8\",\"requestId\":\"r-7\"}");
        }
    }
}
