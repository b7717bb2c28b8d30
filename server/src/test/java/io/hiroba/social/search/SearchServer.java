package io.hiroba.social.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A square on which people look for what was written. */
final class SearchServer implements AutoCloseable {

    private final Square square = new Square("--social.posts-per-hour=0");

    /** Somebody who writes and searches. */
    record Person(String id, ApiClient api) {

        String post(String content, String... tags) {
            var body = Json.text(Map.of("content", content, "tags", List.of(tags)));
            // The client writes single quotes as double ones, which content must survive.
            var reply = api.post("/api/v1/posts", body.replace("'", "\\u0027"));
            assertThat(reply.outcome()).isEqualTo("201");
            return reply.text("id");
        }

        void edit(String post, String content) {
            var body = Map.of("content", content, "tags", List.of(), "allowLikes", true, "allowReplies", true);
            assertThat(api.put("/api/v1/posts/" + post, Json.text(body)).outcome())
                    .isEqualTo("200");
        }

        void delete(String post) {
            assertThat(api.delete("/api/v1/posts/" + post).outcome()).isEqualTo("204");
        }

        Reply search(String query, String more) {
            return api.get("/api/v1/posts/search?q=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + more);
        }

        /** The ids of what is found. */
        List<String> find(String query) {
            var reply = search(query, "");
            assertThat(reply.outcome()).as(query).isEqualTo("200");
            return ids(reply);
        }

        void finds(String query, String... posts) {
            await().atMost(Duration.ofSeconds(15))
                    .untilAsserted(() -> assertThat(find(query)).as(query).containsExactlyInAnyOrder(posts));
        }
    }

    static List<String> ids(Reply reply) {
        var ids = new ArrayList<String>();
        reply.json().path("items").forEach(item -> ids.add(item.path("id").asString()));
        return ids;
    }

    Person person(String nickname) {
        return of(square.person(nickname));
    }

    Person admin() {
        return of(square.admin);
    }

    ApiClient anonymous() {
        return square.anonymous();
    }

    private static Person of(Square.Person person) {
        return new Person(person.id(), person.api());
    }

    @Override
    public void close() {
        square.close();
    }
}
