package io.hiroba.bench.social;

import io.hiroba.bench.HttpBench.Request;
import io.hiroba.bench.ServerProcess;
import java.util.List;
import java.util.Map;

/** Requests for posts over HTTP: lists of one person's posts, one post, and writing. */
public final class SocialRequests {

    private static final int POSTS = 500;

    private SocialRequests() {}

    /** Writes posts on the server and returns the requests for them. */
    public static List<Request> prepare(ServerProcess server) {
        System.err.printf("· writing %d posts on %s%n", POSTS, server.name());
        var id = "";
        for (int i = 0; i < POSTS; i++) {
            id = server.post(
                            "/api/v1/posts",
                            Map.of("content", "Post **%d** of many".formatted(i), "tags", List.of("t" + i % 10)))
                    .path("id")
                    .asString();
        }
        var post = "/api/v1/posts/" + id;
        return List.of(
                new Request("newest posts", (http, number) -> http.get("/api/v1/posts")),
                new Request("posts with a tag", (http, number) -> http.get("/api/v1/posts?tag=t3")),
                new Request("home feed", (http, number) -> http.get("/api/v1/feed")),
                new Request("one post", (http, number) -> http.get(post)),
                new Request(
                        "write one post",
                        (http, number) ->
                                http.send("POST", "/api/v1/posts", "{\"content\":\"Post %d\"}".formatted(number))));
    }
}
