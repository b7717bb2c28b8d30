package io.hiroba.platform.http;

import static io.hiroba.platform.http.LiveServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.config.RoutesConfig;
import java.time.Instant;
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
