package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Square.Person;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A square with something on each of its main pages, the same every time, made through the API and the pages' forms. */
public final class ShownSquare implements AutoCloseable {

    private static final String WORKFLOW = """
            {"name": "order", "steps": [
              {"name": "reserve", "service": "shop", "method": "reserve", "compensate": "release", "retry": {"maxAttempts": 1}},
              {"name": "approval", "waitForSignal": "approve"},
              {"name": "charge", "service": "shop", "method": "charge", "retry": {"maxAttempts": 1}}]}
            """;

    private static final String TEA = """
            # Green tea

            Steep green tea at 70 degrees. Water that boils makes it bitter.

            ## Storage

            Keep the leaves dark and dry, away from coffee.
            """;

    private static final List<String> POSTS = List.of(
            "The plum trees by the pond are in bloom. **Come and see them** before the wind does.\n\n#garden",
            "Rehearsal moves to seven. Bring the parts of the second movement.\n\n#choir",
            "A list for Saturday:\n\n- rakes\n- two barrows\n- soup for twelve");

    public final Square square;
    private final TestHttpService shop;

    /** Reads all pages: an operator of sagas, the owner of the project and of the sources. */
    public final Person reader;

    /** The addresses of the main pages by their names, in order. */
    public final Map<String, String> pages = new LinkedHashMap<>();

    public ShownSquare(String... flags) {
        square = new Square(flags);
        shop = TestHttpService.start((asked, exchange) -> TestHttpService.reply(exchange, 200, "{\"ok\": true}"));
        reader = square.person("Hana");
        var kenji = square.person("Kenji");
        var posts = socialise(kenji);
        var project = project();
        var source = source();
        var saga = sagas();
        pages.put("home", "/");
        pages.put("post", "/posts/" + posts.getFirst());
        pages.put("profile", "/users/" + reader.id());
        pages.put("notifications", "/notifications");
        pages.put("inbox", "/inbox");
        pages.put("inbox-settings", "/inbox/settings");
        pages.put("records-grid", project + "/product?sort=name");
        pages.put("record-form", project + "/product/new");
        pages.put("chart", project + "/product/chart?by=status");
        pages.put("knowledge-search", "/knowledge?q=tea&mode=keyword");
        pages.put("source", source);
        pages.put("chat", chat());
        pages.put("sagas", "/sagas");
        pages.put("saga", "/sagas/" + saga);
        pages.put("workflow", "/workflows/order");
        pages.put("messages", messages(kenji));
        pages.put("agent", agent());
        pages.put("settings", "/settings");
        pages.put("style", "/style");
    }

    private List<String> socialise(Person kenji) {
        reader.follow(kenji);
        kenji.follow(reader);
        var posts = POSTS.stream().map(reader::post).toList();
        kenji.post("Has anybody seen the key to the boat house?");
        kenji.reply(posts.getFirst(), "After work, with the children.");
        posts.forEach(kenji::like);
        for (var post : posts) {
            assertThat(reader.api()
                            .post("/api/v1/inbox/mark", "{'resourceType': 'post', 'resource': '%s'}".formatted(post))
                            .status())
                    .isLessThan(300);
        }
        awaitOn("/notifications", "notice like", "notice reply", "notice follow");
        awaitOn("/inbox", "class=\"item ");
        return posts;
    }

    private String project() {
        var project = "/records/" + made("/api/v1/projects", Map.of("name", "Shop"));
        send(
                project + "/-/new-schema",
                "name=product",
                "a0.name=name",
                "a0.type=text",
                "a0.required=true",
                "a1.name=price",
                "a1.type=numeric",
                "a2.name=status",
                "a2.type=text",
                "a2.enum=draft\nactive",
                "a3.name=made",
                "a3.type=date",
                "a4.name=fragile",
                "a4.type=bool");
        for (int i = 0; i < 6; i++) {
            send(
                    project + "/product/new",
                    "v.name=Cup " + i,
                    "v.price=" + (3 + i),
                    "v.status=" + (i % 3 == 0 ? "draft" : "active"),
                    "v.made=2026-02-0" + (i + 1),
                    "v.fragile=true");
        }
        return project;
    }

    private String source() {
        return send("/knowledge/sources/text", "title=How to brew tea", "content=" + TEA);
    }

    private String chat() {
        var path =
                send("/knowledge/chat", "q=How hot is the water for green tea?").replaceFirst("#.*", "");
        return send(path + "/regenerate").replaceFirst("#.*", "");
    }

    private String messages(Person kenji) {
        var thread = made("/api/v1/messages/threads", Map.of("members", List.of(kenji.id())));
        made(
                "/api/v1/messages/threads/" + thread + "/messages",
                Map.of("content", "I have the key. Shall I leave it **here**?"));
        return "/messages/" + thread;
    }

    private String agent() {
        assertThat(square.admin
                        .api()
                        .post("/api/v1/agents", Json.text(Map.of("nickname", "Kiki", "model", "librarian")))
                        .outcome())
                .isEqualTo("201");
        return "/agents";
    }

    /** Adds the page of webhooks, whose secrets only this server can read. */
    public void addWebhooks() {
        made("/api/v1/webhooks", Map.of("url", "https://example.org/heard", "events", List.of("record.*")));
        pages.put("webhooks", "/settings/webhooks");
    }

    private String made(String path, Map<String, ?> body) {
        var reply = reader.api().post(path, Json.text(body));
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        return reply.text("id");
    }

    private String sagas() {
        var admin = square.admin.api();
        assertThat(admin.put("/api/v1/saga-services/shop", Json.text(Map.of("endpoint", shop.url())))
                        .status())
                .isLessThan(300);
        assertThat(admin.put("/api/v1/saga-roles/" + reader.id(), "{'role': 'operator'}")
                        .status())
                .isLessThan(300);
        assertThat(admin.post("/api/v1/workflows", WORKFLOW).status()).isLessThan(300);
        String id = "";
        for (var order : List.of("order-1", "order-2", "order-3")) {
            var begun = reader.api()
                    .post(
                            "/api/v1/sagas",
                            Json.text(Map.of(
                                    "workflowName",
                                    "order",
                                    "correlationId",
                                    order,
                                    "payload",
                                    Map.of("order", order))));
            assertThat(begun.status()).as(begun.body()).isEqualTo(201);
            id = begun.text("id");
        }
        awaitOn("/sagas/" + id, "status waiting");
        return id;
    }

    /** Waits until a page has these pieces of HTML. */
    private void awaitOn(String path, String... pieces) {
        await().untilAsserted(() -> assertThat(
                        reader.api().with("Accept", "text/html").get(path).body())
                .contains(pieces));
    }

    /** Sends a form of fields such as {@code name=Lamp}; the answer is where it leads. */
    private String send(String path, String... fields) {
        var body = List.of(fields).stream()
                .map(field -> field.split("=", 2))
                .map(field -> encoded(field[0]) + "=" + encoded(field[1]))
                .collect(Collectors.joining("&"));
        var reply = reader.api()
                .with("Accept", "text/html")
                .sendAs("application/x-www-form-urlencoded", "POST", path, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(303);
        return reply.header("Location");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        square.close();
        shop.close();
    }
}
