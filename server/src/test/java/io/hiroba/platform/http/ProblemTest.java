package io.hiroba.platform.http;

import static io.hiroba.platform.http.LiveServer.header;
import static io.hiroba.platform.http.LiveServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.RefusedValueException;
import io.javalin.config.RoutesConfig;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ProblemTest {

    record Item(
            String name,
            int count,
            List<String> tags,
            @Nullable String note,
            @Nullable Inner inner) {}

    record Inner(Instant at) {}

    record Offer(Price price) {}

    /** A type that refuses some values. */
    record Price(int value) {

        Price {
            if (value > 999) {
                throw new RefusedValueException(Text.of("http.field.digits", "max", 3));
            }
        }

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Price of(int value) {
            return new Price(value);
        }
    }

    private static LiveServer live;

    @BeforeAll
    static void start() {
        live = LiveServer.with(ProblemTest::routes);
    }

    @AfterAll
    static void stop() {
        live.close();
    }

    private static void routes(RoutesConfig routes) {
        routes.post("/api/v1/items", ctx -> ctx.json(Body.json(ctx, Item.class)));
        routes.post("/api/v1/offers", ctx -> ctx.json(Body.json(ctx, Offer.class)));
        routes.post("/api/v1/plain", ctx -> ctx.json(ctx.bodyAsClass(Item.class)));
        routes.get("/api/v1/items/{id}", ctx -> {
            throw HttpProblem.invalid("id", Text.verbatim("is not one"));
        });
        routes.get("/named/{name}", ctx -> ctx.result(ctx.pathParam("name")));
        routes.get("/api/v1/defect", ctx -> {
            throw new IllegalStateException("secret inside");
        });
        routes.get("/api/v1/error", ctx -> {
            throw new AssertionError("secret inside");
        });
        routes.get("/api/v1/time", ctx -> ctx.json(new Inner(Instant.parse("2026-01-02T03:04:05Z"))));
        routes.get(
                "/api/v1/text",
                ctx -> live.database
                        .db()
                        .read(reads -> reads.query("SELECT :text")
                                .bind("text", "a\0b")
                                .mapTo(String.class)
                                .one()));
    }

    private static void isProblem(HttpResponse<String> response, int status, String code) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(header(response, "Content-Type")).startsWith("application/problem+json");
        var problem = json(response);
        assertThat(problem.get("code").asString()).isEqualTo(code);
        assertThat(problem.get("type").asString()).isEqualTo("urn:hiroba:problem:" + code);
        assertThat(problem.get("status").asInt()).isEqualTo(status);
        assertThat(problem.get("requestId").asString()).isEqualTo(header(response, "X-Request-Id"));
    }

    private static void names(HttpResponse<String> response, String field) {
        assertThat(json(response).get("errors").get(0).get("field").asString()).isEqualTo(field);
    }

    @Test
    void aProblemKeepsItsCodeAndFields() {
        var response = live.get("/api/v1/items/7");
        isProblem(response, 400, "http.invalid");
        names(response, "id");
    }

    @Test
    void aValueThatItsTypeRefusesIsAProblemOfItsFieldInTheLanguageOfTheRequest() {
        var request = live.request("/api/v1/offers")
                .header("Content-Type", "application/json")
                .header("Accept-Language", "ja")
                .POST(BodyPublishers.ofString("{\"price\":1000}"));
        var response = live.send(request);
        isProblem(response, 400, "http.invalid");
        names(response, "price");
        assertThat(json(response).get("detail").asString()).isEqualTo("`price`：3桁以内の数字を指定してください。");
    }

    @Test
    void aDefectTellsNothingOfItself() {
        var response = live.get("/api/v1/defect");
        isProblem(response, 500, "http.internal");
        assertThat(response.body()).doesNotContain("secret", "IllegalState");
    }

    @Test
    void anErrorOfTheJvmIsAProblemToo() {
        var response = live.get("/api/v1/error");
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(json(response).get("code").asString()).isEqualTo("http.internal");
        assertThat(response.body()).doesNotContain("secret");
    }

    @Test
    void anEncodedSlashIsAPartOfItsSegment() {
        assertThat(live.get("/named/a%2Fb").body()).isEqualTo("a/b");
        isProblem(live.get("/named%2Fa"), 404, "http.not-found");
        isProblem(live.get("/named/a/b"), 404, "http.not-found");
    }

    @Test
    void unknownAddressesAndMethodsAreProblems() {
        isProblem(live.get("/nowhere"), 404, "http.not-found");
        var response = live.send(live.request("/api/v1/items").DELETE());
        isProblem(response, 405, "http.method-not-allowed");
        assertThat(header(response, "Allow")).isEqualTo("POST");
    }

    @Test
    void aGoodBodyIsReadAndNullsAreWritten() {
        var response = live.post("/api/v1/items", "{\"name\":\"a\",\"count\":1,\"tags\":[\"x\"],\"note\":null}");
        assertThat(response.body())
                .isEqualTo("{\"name\":\"a\",\"count\":1,\"tags\":[\"x\"],\"note\":null,\"inner\":null}");
    }

    @Test
    void timesAreWrittenWithMilliseconds() {
        assertThat(live.get("/api/v1/time").body()).isEqualTo("{\"at\":\"2026-01-02T03:04:05.000Z\"}");
    }

    @Test
    void whatIsNotJsonIsRefusedWithItsLine() {
        var response = live.post("/api/v1/items", "{\n\"name\": ,}");
        isProblem(response, 400, "http.malformed-json");
        assertThat(json(response).get("detail").asString()).contains("Line 2");
        isProblem(live.post("/api/v1/items", ""), 400, "http.malformed-json");
        isProblem(live.post("/api/v1/items", "null"), 400, "http.malformed-json");
        isProblem(live.post("/api/v1/items", "[]"), 400, "http.malformed-json");
        isProblem(live.post("/api/v1/items", "{} {}"), 400, "http.missing-field");
        isProblem(live.post("/api/v1/items", "[".repeat(5000)), 400, "http.malformed-json");
    }

    @Test
    void aWrongTypeNamesTheField() {
        var number = live.post("/api/v1/items", "{\"name\":\"a\",\"count\":\"one\",\"tags\":[]}");
        isProblem(number, 400, "http.malformed-json");
        names(number, "count");
        var large = live.post("/api/v1/items", "{\"name\":\"a\",\"count\":99999999999,\"tags\":[]}");
        isProblem(large, 400, "http.malformed-json");
        names(large, "count");
        assertThat(json(large).get("detail").asString()).contains("is a number that is too large or too small");
        var text = live.post("/api/v1/items", "{\"name\":5,\"count\":1,\"tags\":[]}");
        isProblem(text, 400, "http.malformed-json");
        names(text, "name");
        var time = live.post("/api/v1/items", "{\"name\":\"a\",\"count\":1,\"tags\":[],\"inner\":{\"at\":\"noon\"}}");
        isProblem(time, 400, "http.malformed-json");
        names(time, "inner.at");
    }

    @Test
    void missingAndNullFieldsAreNamed() {
        var missing = live.post("/api/v1/items", "{\"count\":1,\"tags\":[]}");
        isProblem(missing, 400, "http.missing-field");
        names(missing, "name");
        var absent = live.post("/api/v1/plain", "{\"name\":null,\"count\":1,\"tags\":[]}");
        isProblem(absent, 400, "http.missing-field");
        names(absent, "name");
        var primitive = live.post("/api/v1/plain", "{\"name\":\"a\",\"tags\":[]}");
        isProblem(primitive, 400, "http.missing-field");
        names(primitive, "count");
        var nested = live.post("/api/v1/items", "{\"name\":\"a\",\"count\":1,\"tags\":[],\"inner\":{}}");
        isProblem(nested, 400, "http.missing-field");
        names(nested, "inner.at");
    }

    @Test
    void allFieldsAtFaultAreNamedAtOnce() {
        var response = live.post(
                "/api/v1/items",
                "{\"count\":\"one\",\"tags\":[5],\"isAdmin\":true,\"inner\":{\"at\":\"noon\"},\"note\":1}");
        isProblem(response, 400, json(response).get("code").asString());
        assertThat(json(response)
                        .get("errors")
                        .valueStream()
                        .map(error -> error.get("field").asString() + " "
                                + error.get("message").asString()))
                .containsExactlyInAnyOrder(
                        "name is required",
                        "count must be a number",
                        "tags[0] must be a text",
                        "note must be a text",
                        "inner.at must be a time such as 2026-01-31T12:00:00.000Z",
                        "isAdmin is unknown");
    }

    @Test
    void unknownFieldsAreRefused() {
        var response = live.post("/api/v1/items", "{\"name\":\"a\",\"count\":1,\"tags\":[],\"isAdmin\":true}");
        isProblem(response, 400, "http.unknown-field");
        names(response, "isAdmin");
    }

    @Test
    void textThatCannotBeStoredIsRefused() {
        isProblem(live.post("/api/v1/items", "{\"name\":\"a\\u0000\",\"count\":1,\"tags\":[]}"), 400, "http.bad-text");
        isProblem(live.post("/api/v1/items", "{\"name\":\"\\ud800\",\"count\":1,\"tags\":[]}"), 400, "http.bad-text");
        isProblem(live.get("/api/v1/items/a?x=%00"), 400, "http.bad-text");
        isProblem(live.get("/api/v1/text"), 400, "http.bad-text");
        var fine = live.post("/api/v1/items", "{\"name\":\"\\\\u0000 \\ud83d\\ude00\",\"count\":1,\"tags\":[]}");
        assertThat(fine.statusCode()).isEqualTo(200);
        isProblem(
                live.send(live.request("/api/v1/items")
                        .POST(BodyPublishers.ofByteArray(new byte[] {'"', (byte) 0xff, '"'}))),
                400,
                "http.bad-text");
    }

    @Test
    void anotherContentTypeIsRefused() {
        isProblem(
                live.send(live.request("/api/v1/items")
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString("{}"))),
                415,
                "http.unsupported-media-type");
    }

    @Test
    void browsersGetThePageAndTheApiDoesNot() {
        try (var pages = new LiveServer(
                HttpConfig.onFreePort(),
                builder -> builder.errorPage((ctx, problem) -> ctx.html("<h1>" + problem.status() + "</h1>")))) {
            HttpRequest.Builder page = pages.request("/nowhere").header("Accept", "text/html,*/*");
            assertThat(pages.send(page).body()).isEqualTo("<h1>404</h1>");
            HttpRequest.Builder api = pages.request("/api/v1/nowhere").header("Accept", "text/html,*/*");
            isProblem(pages.send(api), 404, "http.not-found");
        }
    }

    @Test
    void aRouteMayThrowAFeaturesOwnProblem() {
        class Full extends Problem {
            private static final long serialVersionUID = 1L;

            Full() {
                super(Kind.CONFLICT, "box.full", Text.verbatim("The box is full."));
            }
        }
        try (var box = LiveServer.with(routes -> routes.get("/box", ctx -> {
            throw new Full();
        }))) {
            isProblem(box.get("/box"), 409, "box.full");
        }
    }

    @Test
    void anErrorPageThatFailsItselfLeavesTheProblem() {
        try (var broken = new LiveServer(
                HttpConfig.onFreePort(),
                builder -> builder.errorPage((ctx, problem) -> {
                    throw new IllegalStateException("secret inside");
                }))) {
            isProblem(broken.send(broken.request("/nowhere").header("Accept", "text/html")), 404, "http.not-found");
        }
    }
}
