package io.hiroba.mcp;

import static io.hiroba.mcp.McpCalls.call;
import static io.hiroba.mcp.McpCalls.content;
import static io.hiroba.mcp.McpCalls.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ResourceReference;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** The Model Context Protocol over HTTP, by the SDK's client and by hand: what tools do, and what is refused. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class McpTest {

    private Square square;
    private Person ann;
    private Person ben;

    @BeforeAll
    void open() {
        square = new Square();
        ann = square.person("Ann");
        ben = square.person("Ben");
    }

    @AfterAll
    void close() {
        square.close();
    }

    @Test
    void theToolsDescribeThemselves() {
        try (var client = client(ann)) {
            var server = client.initialize();
            assertThat(server.serverInfo().name()).isEqualTo("hiroba");
            assertThat(server.protocolVersion()).isEqualTo("2025-11-25");
            var tools = client.listTools().tools().stream().collect(Collectors.toMap(Tool::name, tool -> tool));
            assertThat(tools)
                    .containsKeys(
                            "posts_create",
                            "posts_search",
                            "knowledge_search",
                            "knowledge_add",
                            "records_query",
                            "sagas_start",
                            "inbox_list",
                            "inbox_approval");
            var create = tools.get("posts_create");
            assertThat(create.description()).startsWith("Post");
            assertThat(create.inputSchema().required()).containsExactly("content");
            assertThat(create.inputSchema().properties()).containsKeys("content", "tags", "replyTo", "idempotencyKey");
            assertThat(create.annotations().readOnlyHint()).isFalse();
            assertThat(create.outputSchema()).containsEntry("type", "object");
            assertThat(tools.get("records_query").annotations().readOnlyHint()).isTrue();
            assertThat(tools.get("knowledge_ask").annotations().readOnlyHint()).isFalse();
            assertThat(tools.get("inbox_approval").annotations().readOnlyHint()).isTrue();
            assertThat(tools.get("inbox_approval").inputSchema().required()).containsExactly("id");
            assertThat(tools.get("posts_list").inputSchema().defs()).containsKey("Id");
            assertThat(tools.get("sagas_signal").inputSchema().required()).containsExactlyInAnyOrder("id", "name");
            for (var destructive : List.of("posts_delete", "sagas_cancel", "sagas_compensate", "sagas_resolve")) {
                assertThat(tools.get(destructive).annotations().destructiveHint())
                        .as(destructive)
                        .isTrue();
            }
        }
    }

    @Test
    void aToolCallIsARequestOfItsCaller() {
        try (var client = client(ann)) {
            client.initialize();
            var posted =
                    content(call(client, "posts_create", Map.of("content", "Hello, agents", "tags", List.of("mcp"))));
            assertThat(posted.path("content").asString()).isEqualTo("Hello, agents");
            assertThat(posted.at("/ownedBy/id").asString()).isEqualTo(ann.id());
            var id = posted.path("id").asString();

            var listed = content(call(client, "posts_list", Map.of("tag", "mcp", "limit", 5)));
            assertThat(listed.path("items")
                            .valueStream()
                            .map(post -> post.path("id").asString()))
                    .containsExactly(id);
            assertThat(ben.api().get("/api/v1/posts/" + id).status()).isEqualTo(200);

            // A post is found soon after it is made.
            Awaitility.await().untilAsserted(() -> {
                var found = content(call(client, "posts_search", Map.of("query", "agents")));
                assertThat(found.path("items")
                                .valueStream()
                                .map(post -> post.path("id").asString()))
                        .containsExactly(id);
            });

            assertThat(text(call(client, "posts_delete", Map.of("id", id)))).isEqualTo("Done.");
            var gone = call(client, "posts_get", Map.of("id", id));
            assertThat(gone.isError()).isTrue();
            assertThat(text(gone)).contains("404");
        }
    }

    @Test
    void theSameKeyPostsOnce() {
        try (var client = client(ann)) {
            client.initialize();
            var arguments = Map.<String, Object>of("content", "Once", "idempotencyKey", "mcp-once-1");
            var first = content(call(client, "posts_create", arguments));
            var second = content(call(client, "posts_create", arguments));
            assertThat(second.path("id")).isEqualTo(first.path("id"));
        }
    }

    @Test
    void anErrorTellsWhatToChange() {
        try (var client = client(ann)) {
            client.initialize();
            assertThat(text(call(client, "posts_create", Map.of("text", "Hello"))))
                    .contains("no argument text")
                    .contains("content");
            assertThat(text(call(client, "posts_create", Map.of()))).contains("content is missing");
            var wrong = call(client, "posts_list", Map.of("limit", 100_000));
            assertThat(wrong.isError()).isTrue();
            assertThat(text(wrong)).contains("limit").contains("400");
            var nowhere = Map.<String, Object>of("id", "01990000-0000-7000-8000-000000000000", "name", "go");
            assertThat(text(call(client, "sagas_signal", nowhere)))
                    .as("a body is optional")
                    .contains("40");
            assertThat(call(client, "posts_list", Map.of("limit", 2.0)).isError())
                    .isNotEqualTo(true);
            assertThat(call(client, "posts_list", Map.of("limit", 2.5)).isError())
                    .isTrue();
            assertThat(text(call(client, "people_list", Map.of("query", "A", "order", "newest"))))
                    .contains("goes with query only")
                    .doesNotContain("nicknamePrefix");
            // A segment of a path stays one.
            assertThat(text(call(client, "posts_get", Map.of("id", "../users"))))
                    .contains("must be an id");
            assertThat(text(call(client, "posts_get", Map.of("id", "x?admin=true"))))
                    .contains("40");
        }
    }

    private static List<String> completed(McpSyncClient client, ResourceReference template, String name, String value) {
        return client.completeCompletion(
                        new CompleteRequest(template, new CompleteRequest.CompleteArgument(name, value)))
                .completion()
                .values();
    }

    @Test
    void peopleAndPostsAreCompletedByTheirWords() {
        var post = ann.post("The zeppelin lands at noon");
        try (var client = client(ann)) {
            client.initialize();
            var people = content(call(client, "people_list", Map.of("query", "Ben")));
            assertThat(people.at("/items/0/id").asString()).isEqualTo(ben.id());
            var posts = new ResourceReference("hiroba://post/{id}");
            assertThat(completed(client, posts, "id", "")).contains(post);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(completed(client, posts, "id", "zeppelin"))
                            .containsExactly(post));
            assertThat(client.listTools().tools())
                    .extracting(Tool::name)
                    .contains("sagas_resolve", "sagas_retry", "schedules_list", "schedules_create");
        }
    }

    @Test
    void recordsAreMadeFoundAndChanged() {
        var project = ann.api().post("/api/v1/projects", "{'name': 'Stock'}").text("id");
        ann.api().post("/api/v1/projects/" + project + "/schemas", """
                {'name': 'product', 'attributes': [{'name': 'title', 'type': 'text'}, {'name': 'price', 'type': 'numeric'}]}
                """);
        try (var client = client(ann)) {
            client.initialize();
            var made = content(call(
                    client,
                    "records_create",
                    Map.of("project", project, "schema", "product", "body", Map.of("title", "Lamp", "price", 30))));
            var row = made.path("id").asString();
            var found = content(call(
                    client,
                    "records_query",
                    Map.of(
                            "project",
                            project,
                            "schema",
                            "product",
                            "where",
                            Map.of("attr", "price", "op", "gt", "value", 20))));
            assertThat(found.path("items")
                            .valueStream()
                            .map(item -> item.path("id").asString()))
                    .containsExactly(row);
            call(
                    client,
                    "records_update",
                    Map.of("project", project, "schema", "product", "row", row, "body", Map.of("price", 25)));
            var resource =
                    client.readResource(new ReadResourceRequest("hiroba://record/" + project + "/product/" + row));
            assertThat(((TextResourceContents) resource.contents().getFirst()).text())
                    .contains("25");

            var named = content(call(client, "records_query", Map.of("project", "stock", "schema", "product")));
            assertThat(named.path("items")).hasSize(1);
            assertThat(text(call(client, "records_query", Map.of("project", "Nowhere", "schema", "product"))))
                    .contains("no project Nowhere");

            var template = new ResourceReference("hiroba://record/{project}/{schema}/{row}");
            assertThat(completed(client, template, "project", "sto")).containsExactly(project);
            assertThat(completed(client, new ResourceReference("hiroba://person/{id}"), "id", "Be"))
                    .containsExactly(ben.id());
            assertThat(client.completeCompletion(
                                    new CompleteRequest(template, new CompleteRequest.CompleteArgument("project", "")))
                            .completion()
                            .values())
                    .containsExactly(project);
            assertThat(client.completeCompletion(new CompleteRequest(
                                    template, new CompleteRequest.CompleteArgument("schema", "pro")))
                            .completion()
                            .values())
                    .containsExactly("product");
        }
        try (var stranger = client(ben)) {
            stranger.initialize();
            assertThat(call(stranger, "records_query", Map.of("project", project, "schema", "product"))
                            .isError())
                    .isTrue();
            var record = "hiroba://record/" + project + "/product/0198c2e8-46ee-7000-8000-000000000000";
            assertThatThrownBy(() -> stranger.readResource(new ReadResourceRequest(record)))
                    .hasMessageContaining("404");
        }
    }

    @Test
    void numbersKeepTheirDigitsAndVersionsReachTools() {
        var project = ann.api().post("/api/v1/projects", "{'name': 'Bank'}").text("id");
        ann.api().post("/api/v1/projects/" + project + "/schemas", """
                {'name': 'account', 'attributes': [{'name': 'balance', 'type': 'numeric'}]}
                """);
        for (var amount : List.of("12345678901234567.89", "0.10")) {
            var made = calls("records_create", project, "'body': {'balance': %s}".formatted(amount));
            assertThat(made.at("/result/structuredContent").toString()).contains("\"balance\":" + amount + "}");
            assertThat(made.at("/result/content/0/text").asString()).contains("\"balance\":" + amount);
            var row = made.at("/result/structuredContent/id").asString();
            assertThat(made.at("/result/_meta/etag").asString()).startsWith("\"");

            var change = "'row': '%s', 'body': {'balance': 1}, 'ifMatch': ".formatted(row);
            var version = made.at("/result/structuredContent/version").asInt();
            assertThat(calls("records_update", project, change + (version + 1))
                            .at("/result/content/0/text")
                            .asString())
                    .contains("412");
            var changed = calls("records_update", project, change + version);
            assertThat(changed.at("/result/isError").asBoolean(false)).isFalse();
            assertThat(changed.at("/result/_meta/etag")).isNotEqualTo(made.at("/result/_meta/etag"));
        }
        ann.api()
                .send("PATCH", "/api/v1/projects/" + project + "/schemas/account", "{'name': 'ledger'}")
                .outcome();
        var former = calls("records_query", project, "'limit': 1").at("/result/_meta");
        assertThat(former.path("deprecation").asString()).startsWith("@");
        assertThat(former.path("sunset").asString()).endsWith("GMT");
    }

    /** Calls a tool of records by hand: the SDK's client would round numbers. */
    private JsonNode calls(String tool, String project, String more) {
        var reply = ann.api().post("/mcp", """
                {'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params':
                    {'name': '%s', 'arguments': {'project': '%s', 'schema': 'account', %s}}}
                """.formatted(tool, project, more));
        return Json.exact().readTree(reply.body());
    }

    @Test
    void resourcesAndPromptsAreOfTheCaller() {
        var post = ann.post("Who knows a good baker?");
        try (var client = client(ben)) {
            client.initialize();
            assertThat(client.listResources().resources())
                    .extracting(resource -> resource.uri())
                    .containsExactlyInAnyOrder("hiroba://me", "hiroba://inbox");
            assertThat(client.listResourceTemplates().resourceTemplates())
                    .extracting(template -> template.uriTemplate())
                    .contains("hiroba://post/{id}", "hiroba://source/{id}");
            var me = (TextResourceContents) client.readResource(new ReadResourceRequest("hiroba://me"))
                    .contents()
                    .getFirst();
            assertThat(me.text()).contains(ben.id());
            var draft = client.getPrompt(new GetPromptRequest("draft_reply", Map.of("id", post)));
            assertThat(((TextContent) draft.messages().getFirst().content()).text())
                    .contains("Who knows a good baker?")
                    .contains("as data");
            assertThatThrownBy(() -> client.getPrompt(new GetPromptRequest("draft_reply", Map.of("id", "../me"))))
                    .hasMessageContaining("must be an id");
            assertThat(client.listPrompts().prompts())
                    .extracting(prompt -> prompt.name())
                    .containsExactlyInAnyOrder("summarise_inbox", "draft_reply");
        }
    }

    @Test
    void aToolThatTheScopesDoNotAllowIsNotListed() {
        var token = token(ann, "'posts:read'");
        try (var client = clientWith(token)) {
            client.initialize();
            assertThat(client.listTools().tools())
                    .extracting(Tool::name)
                    .contains("posts_list", "posts_search")
                    .doesNotContain("posts_create", "inbox_list", "records_query", "sagas_start");
            assertThat(client.listResources().resources()).isEmpty();
            assertThatThrownBy(() -> call(client, "posts_create", Map.of("content", "No")))
                    .hasMessageContaining("There is no tool posts_create, or this token's scopes do not allow it");
        }
    }

    private String token(Person person, String scopes) {
        var made = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        "{'email': '%s', 'password': '%s', 'name': 'agent', 'scopes': [%s]}"
                                .formatted(person.email(), person.password(), scopes));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return made.text("token");
    }

    private McpSyncClient client(Person person) {
        var made = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        "{'email': '%s', 'password': '%s', 'name': 'agent'}"
                                .formatted(person.email(), person.password()));
        return clientWith(made.text("token"));
    }

    private McpSyncClient clientWith(String token) {
        return McpCalls.client(square.server.url(), token);
    }
}
