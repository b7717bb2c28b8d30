package io.hiroba.platform.http;

import static io.hiroba.platform.http.LiveServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.config.RoutesConfig;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryParamsTest {

    private enum Colour {
        RED,
        BLUE
    }

    private static LiveServer live;

    @BeforeAll
    static void start() {
        live = LiveServer.with(QueryParamsTest::routes);
    }

    @AfterAll
    static void stop() {
        live.close();
    }

    private static void routes(RoutesConfig routes) {
        // As in the OpenAPI document, which says what parameters they have.
        for (var path : List.of(
                "/api/v1/posts/search",
                "/api/v1/sagas",
                "/api/v1/sagas/{id}",
                "/api/v1/users/{id}",
                "/api/v1/me",
                "/api/v1/projects/{project}/records/{schema}",
                "/users")) {
            routes.get(path, ctx -> ctx.json("found"));
        }
        routes.post("/api/v1/posts", ctx -> ctx.json("posted"));
        routes.patch("/api/v1/agents/{id}/memory/{post}/messages/{index}", ctx -> ctx.json("corrected"));
        routes.get("/read", ctx -> {
            var params = QueryParams.of(ctx);
            ctx.json(Map.of(
                    "text", String.valueOf(params.text("text")),
                    "flag", params.flag("flag"),
                    "on", params.flag("on", true),
                    "colour", String.valueOf(params.constant("colour", Colour.class)),
                    "count", params.integer("count", 7, 1, 10),
                    "time", params.time("time", Instant.EPOCH.plusSeconds(1)).toString()));
        });
    }

    @Test
    void whatIsGivenIsRead() {
        var read = json(live.get("/read?text=a&flag=true&on=false&colour=BLUE&count=10&time=2026-01-31T12:00:00.000Z"));
        assertThat(read.toString())
                .contains("\"text\":\"a\"", "\"flag\":true", "\"on\":false", "\"colour\":\"BLUE\"", "\"count\":10")
                .contains("\"time\":\"2026-01-31T12:00:00Z\"");
    }

    @Test
    void whatIsMissingOrEmptyHasItsDefault() {
        for (var query : new String[] {"", "?text=&flag=&on=&colour=&count=&time="}) {
            assertThat(json(live.get("/read" + query)).toString())
                    .contains(
                            "\"text\":\"null\"", "\"flag\":false", "\"on\":true", "\"colour\":\"null\"", "\"count\":7")
                    .contains("\"time\":\"1970-01-01T00:00:01Z\"");
        }
    }

    @Test
    void aParameterThatTheDocumentDoesNotHaveIsRefusedByName() {
        assertThat(live.get("/api/v1/posts/search?q=tea&limit=1&after=").statusCode())
                .isEqualTo(200);
        var refused = live.get("/api/v1/posts/search?q=tea&order=newest");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).get("code").asString()).isEqualTo("http.unknown-parameter");
        assertThat(json(refused).get("detail").asString())
                .isEqualTo("`order` is not a parameter of this request. It takes: q, limit, after.");
        assertThat(json(refused).get("errors").get(0).get("field").asString()).isEqualTo("order");
        assertThat(live.get("/api/v1/me?x").body()).contains("http.unknown-parameter", "which takes none");
        assertThat(live.post("/api/v1/posts?draft=true", "{}").statusCode()).isEqualTo(400);
    }

    @Test
    void aParameterThatIsGivenTwiceIsRefusedUnlessItIsAList() {
        var refused = live.get("/api/v1/posts/search?q=tea&limit=2&limit=1");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).get("code").asString()).isEqualTo("http.repeated-parameter");
        assertThat(json(refused).get("detail").asString()).isEqualTo("`limit` may be given only once.");
        assertThat(live.get("/api/v1/sagas?attribute=a%3D1&attribute=b%3D2").statusCode())
                .isEqualTo(200);
        assertThat(live.get("/users?a=1&a=2").statusCode()).isEqualTo(200);
    }

    @Test
    void whereAttributesAreParametersAndOnPagesAnyMayCome() {
        assertThat(live.get("/api/v1/projects/198C2E846EE00000/records/product?price.gte=10&order=-price")
                        .statusCode())
                .isEqualTo(200);
        assertThat(live.get("/users?utm_source=mail").statusCode()).isEqualTo(200);
        assertThat(live.get("/api/v1/me?").statusCode()).isEqualTo(200);
        assertThat(live.get("/api/v1/nothing?x=1").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "users/x, id, id.malformed, must be an id of 16 hex digits such as 198C2E846EE00000",
        "users/F98C2E846EE00000, id, id.malformed, must be an id of 16 hex digits such as 198C2E846EE00000",
        "sagas?schedule=7, schedule, id.malformed, must be an id of 16 hex digits such as 198C2E846EE00000",
        "projects/7/records/product, project, id.malformed, must be an id of 16 hex digits such as 198C2E846EE00000",
        "sagas/7, id, id.malformed, must be a UUID such as 0198c2e8-46ee-7000-8000-000000000000",
        "sagas?parent=7, parent, id.malformed, must be a UUID such as 0198c2e8-46ee-7000-8000-000000000000"
    })
    void whatCannotBeAnIdIsRefusedByNameWithWhatIsExpected(String path, String field, String code, String expected) {
        var refused = live.get("/api/v1/" + path);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).get("code").asString()).isEqualTo(code);
        assertThat(json(refused).get("detail").asString()).isEqualTo("`" + field + "` " + expected + ".");
        assertThat(json(refused).get("errors").get(0).get("field").asString()).isEqualTo(field);
    }

    @Test
    void idsInLowerCaseAndMissingOnesAreTaken() {
        assertThat(live.get("/api/v1/users/198c2e846ee00000").statusCode()).isEqualTo(200);
        assertThat(live.get("/api/v1/sagas?schedule=&parent=").statusCode()).isEqualTo(200);
        assertThat(live.get("/api/v1/sagas/0198C2E8-46EE-7000-8000-000000000000")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aNumberInThePathIsRefusedByName() {
        var messages = "/api/v1/agents/198C2E846EE00000/memory/198C2E846EE00000/messages/";
        assertThat(live.send(live.request(messages + "7").method("PATCH", BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(200);
        var refused = live.send(live.request(messages + "x").method("PATCH", BodyPublishers.noBody()));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).get("detail").asString()).isEqualTo("`index` must be a number of at most 9 digits.");
    }

    @ParameterizedTest
    @CsvSource({
        "flag=yes, flag",
        "flag=TRUE, flag",
        "colour=red, colour",
        "count=0, count",
        "count=11, count",
        "count=1e3, count",
        "count=99999999999, count",
        "time=yesterday, time",
        "time=0001-01-01T00:00:00Z, time"
    })
    void whatMakesNoSenseIsRefusedByName(String query, String parameter) {
        var response = live.get("/read?" + query);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).get("errors").get(0).get("field").asString()).isEqualTo(parameter);
    }
}
