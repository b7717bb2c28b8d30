package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import io.javalin.config.JavalinState;
import io.javalin.http.HandlerType;
import io.javalin.router.InternalRouter;
import io.javalin.router.ParsedEndpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Finds for every path the route that Javalin finds by trying all of them in order. */
class RouteIndexTest {

    private static final List<String> ROUTES = List.of(
            "/",
            "/posts",
            "/posts/{id}",
            "/posts/new",
            "/posts/{id}/likes",
            "/posts/{id}/likes/{user}",
            "/posts/{id}.json",
            "/{name}/likes",
            "/assets/{hash}/<name>",
            "/files/<path>/edit",
            "/tags/*",
            "/docs/",
            "/{a}-{b}/x",
            "/below/{id}*");

    private static final List<String> SEGMENTS =
            List.of("", "posts", "new", "likes", "7", "7.json", "a-b", "x", "assets", "files", "edit", "tags", "docs");

    private final InternalRouter tree = router(true);
    private final InternalRouter list = router(false);

    private static InternalRouter router(boolean indexed) {
        return Javalin.create(javalin -> {
                    JavalinState state = javalin.unsafe;
                    if (indexed) {
                        RouteIndex.install(state);
                    }
                    javalin.routes.before(ctx -> {});
                    javalin.routes.before("/posts/*", ctx -> {});
                    ROUTES.forEach(path -> javalin.routes.get(path, ctx -> {}));
                    javalin.routes.post("/posts", ctx -> {});
                })
                .unsafe
                .internalRouter;
    }

    @Test
    void theSameRouteAnswersAsWithoutIt() {
        for (var first : SEGMENTS) {
            for (var second : SEGMENTS) {
                for (var third : SEGMENTS) {
                    assertSame("/" + first + "/" + second + "/" + third);
                }
                assertSame("/" + first + "/" + second);
            }
            assertSame("/" + first);
        }
    }

    @Test
    void unusualPathsFindTheSameRoute() {
        for (var path : List.of(
                "",
                "*",
                "posts",
                "//",
                "//posts",
                "/posts//",
                "/posts/7/likes/8/",
                "/posts/%2F/likes",
                "/posts/{id}",
                "/Posts",
                "/assets/1/a/b/c.js",
                "/assets/1/",
                "/files/a/b/edit",
                "/files//edit",
                "/tags/",
                "/tags/a/b",
                "/below/1/2/3",
                "/posts/7/likes/8/9",
                "/posts/ü",
                "/posts/7/likes?x=/posts")) {
            assertSame(path);
        }
    }

    @Test
    void anotherMethodFindsItsOwnRoutesOnly() {
        assertThat(tree.findFirstHttpHandlerEntry(HandlerType.POST, "/posts")).isNotNull();
        assertThat(tree.hasHttpHandlerEntry(HandlerType.POST, "/posts/7")).isFalse();
        assertThat(tree.hasHttpHandlerEntry(HandlerType.PUT, "/posts")).isFalse();
        assertThat(tree.findHttpHandlerEntries(HandlerType.GET, null)).hasSize(ROUTES.size());
    }

    private void assertSame(String path) {
        for (var method : List.of(HandlerType.GET, HandlerType.POST, HandlerType.BEFORE, HandlerType.AFTER)) {
            assertThat(tree.findHttpHandlerEntries(method, path).stream()
                            .map(RouteIndexTest::name)
                            .toList())
                    .as(method + " " + path)
                    .isEqualTo(list.findHttpHandlerEntries(method, path).stream()
                            .map(RouteIndexTest::name)
                            .toList());
            assertThat(name(tree.findFirstHttpHandlerEntry(method, path)))
                    .as(method + " " + path)
                    .isEqualTo(name(list.findFirstHttpHandlerEntry(method, path)));
            assertThat(tree.hasHttpHandlerEntry(method, path)).isEqualTo(list.hasHttpHandlerEntry(method, path));
        }
    }

    private static String name(@Nullable ParsedEndpoint found) {
        return found == null ? "none" : found.endpoint.path;
    }
}
