package io.hiroba.platform.http;

import static io.hiroba.platform.http.LiveServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.config.RoutesConfig;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CursorTest {

    private static LiveServer live;
    private static Cursors cursors;

    @BeforeAll
    static void start() {
        live = LiveServer.with(CursorTest::routes);
        cursors = new Cursors(new SecretStore(live.database.db()));
    }

    @AfterAll
    static void stop() {
        live.close();
    }

    private static void routes(RoutesConfig routes) {
        routes.get("/numbers", ctx -> {
            var list = new KeysetList<Long, Long>(
                    cursors, "numbers", 10, 20, cursor -> cursor.number(0), number -> Cursor.of(number.toString()));
            ctx.json(list.page(
                    ctx,
                    (after, limit) -> LongStream.rangeClosed(after.orElse(0L) + 1, 25)
                            .limit(limit)
                            .boxed()
                            .toList()));
        });
    }

    private static void isRefused(HttpResponse<String> response, String code) {
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).get("code").asString()).isEqualTo(code);
    }

    @Test
    void followingTheCursorsGivesEveryItemOnce() {
        List<Long> seen = new ArrayList<>();
        var path = "/numbers?limit=10";
        while (true) {
            var page = json(live.get(path));
            page.get("items").forEach(item -> seen.add(item.asLong()));
            if (page.get("next").isNull()) {
                break;
            }
            path = "/numbers?limit=10&after=" + page.get("next").asString();
        }
        assertThat(seen).isEqualTo(LongStream.rangeClosed(1, 25).boxed().toList());
    }

    @Test
    void everyChangedCharacterIsNoticed() {
        var cursor = cursors.write("numbers", Cursor.of("5"));
        for (int i = 0; i < cursor.length(); i++) {
            var changed = new StringBuilder(cursor);
            changed.setCharAt(i, cursor.charAt(i) == 'A' ? 'B' : 'A');
            // The last character may hold unused bits: what decodes to the same bytes is the same cursor.
            if (i < cursor.length() - 1) {
                isRefused(live.get("/numbers?after=" + changed), "http.bad-cursor");
            }
        }
        isRefused(live.get("/numbers?after=x"), "http.bad-cursor");
        isRefused(live.get("/numbers?after=%7B%7D"), "http.bad-cursor");
    }

    @Test
    void anotherListsCursorIsRefused() {
        isRefused(live.get("/numbers?after=" + cursors.write("letters", Cursor.of("5"))), "http.bad-cursor");
        isRefused(live.get("/numbers?after=" + cursors.write("numbers", Cursor.of("five"))), "http.bad-cursor");
        isRefused(live.get("/numbers?after=" + cursors.write("numbers", new Cursor(List.of()))), "http.bad-cursor");
    }

    @Test
    void anotherNodeReadsTheSameCursors() {
        var other = new Cursors(new SecretStore(live.database.db()));
        var page = live.get("/numbers?limit=1&after=" + other.write("numbers", Cursor.of("7")));
        assertThat(json(page).get("items").get(0).asLong()).isEqualTo(8);
    }

    @Test
    void aLimitOutOfRangeIsRefused() {
        for (var limit : List.of("0", "21", "-1", "ten", "99999999999", "")) {
            isRefused(live.get("/numbers?limit=" + limit), "http.invalid");
        }
    }
}
