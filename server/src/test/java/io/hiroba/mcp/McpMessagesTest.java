package io.hiroba.mcp;

import static io.hiroba.mcp.McpCalls.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The endpoint of the Model Context Protocol by hand: who may call it, messages that are none, and the progress of calls. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class McpMessagesTest {

    private static final String PING = "{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}";

    private Square square;
    private Person ann;

    @BeforeAll
    void open() {
        square = new Square("--mcp.allowed-origins=https://inspector.example");
        ann = square.person("Ann");
    }

    @AfterAll
    void close() {
        square.close();
    }

    /** A client whose token lets it read posts. */
    private ApiClient reader() {
        var made = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        "{'email': '%s', 'password': '%s', 'name': 'agent', 'scopes': ['posts:read']}"
                                .formatted(ann.email(), ann.password()));
        return square.anonymous().token(made.text("token"));
    }

    /** Starts a saga that takes two seconds. */
    private String slowSaga() {
        square.admin
                .api()
                .post(
                        "/api/v1/workflows",
                        "{'name':'slow','steps':[{'name':'one','sleep':'1s'},{'name':'two','sleep':'1s'}]}");
        return square.admin
                .api()
                .post("/api/v1/sagas", "{'workflowName':'slow'}")
                .text("id");
    }

    private String adminToken() {
        return square.anonymous()
                .post(
                        "/api/v1/tokens",
                        "{'email': '%s', 'password': '%s', 'name': 'agent'}"
                                .formatted(square.admin.email(), square.admin.password()))
                .text("token");
    }

    @Test
    void aCallTellsItsProgressToAClientThatAsksForIt() {
        var id = slowSaga();
        var told = new CopyOnWriteArrayList<ProgressNotification>();
        try (var client = McpCalls.client(square.server.url(), adminToken(), told::add)) {
            client.initialize();
            var watched = content(client.callTool(
                    new CallToolRequest("sagas_watch", Map.of("id", id), Map.of("progressToken", "watch-1"))));
            assertThat(watched.path("status").asString()).isEqualTo("COMPLETED");
        }
        assertThat(told)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.progressToken()).isEqualTo("watch-1"))
                .allSatisfy(each -> assertThat(each.total()).isEqualTo(2));
        assertThat(told.stream().map(ProgressNotification::progress)).isSorted().doesNotHaveDuplicates();
        assertThat(told.getLast().progress()).isEqualTo(2);
        assertThat(told.getLast().message()).isEqualTo("COMPLETED");
    }

    @Test
    void progressComesAsAStreamThatEndsWithTheResponseAndOnlyWhereItIsAskedFor() {
        var call = "{'jsonrpc':'2.0','id':9,'method':'tools/call','params':{'name':'%s','arguments':%s%s}}";
        var meta = ",'_meta':{'progressToken':7}";
        var watch = "{'id':'%s','seconds':1}".formatted(slowSaga());
        var admin = square.admin.api();
        try (var stream = admin.with("Accept", "application/json, text/event-stream")
                .ask("/mcp", call.formatted("sagas_watch", watch, meta))) {
            Awaitility.await().until(stream::isEnded);
            var messages = stream.messages("message");
            assertThat(messages.size()).isGreaterThanOrEqualTo(2);
            var first = messages.getFirst().json();
            assertThat(first.path("method").asString()).isEqualTo("notifications/progress");
            assertThat(first.at("/params/progressToken").asInt()).isEqualTo(7);
            assertThat(first.at("/params/message").asString()).contains("one");
            assertThat(messages).allSatisfy(each -> assertThat(each.id()).isEmpty());
            var last = messages.getLast().json();
            assertThat(last.path("id").asInt()).isEqualTo(9);
            // Its time was over first.
            assertThat(last.at("/result/structuredContent/status").asString()).isEqualTo("RUNNING");
        }
        var streams = admin.with("Accept", "application/json, text/event-stream");
        for (var reply : List.of(
                admin.post("/mcp", call.formatted("people_me", "{}", meta)),
                streams.post("/mcp", call.formatted("people_me", "{}", "")),
                streams.post(
                        "/mcp",
                        "{'jsonrpc':'2.0','id':9,'method':'tools/list','params':{'_meta':{'progressToken':7}}}"))) {
            assertThat(reply.header("Content-Type")).startsWith("application/json");
            assertThat(reply.json().path("result").isObject()).isTrue();
        }
        assertThat(admin.post("/mcp", call.formatted("sagas_watch", "{'id':'x','seconds':301}", ""))
                        .body())
                .contains("seconds must be a number from 1 to 300");
        assertThat(ann.api()
                        .with("Accept", "text/event-stream")
                        .post("/mcp", call.formatted("sagas_watch", watch, meta))
                        .body())
                .contains("event: message")
                .contains("403");
        assertThat(square.anonymous()
                        .with("Accept", "text/event-stream")
                        .post("/mcp", call.formatted("people_me", "{}", meta))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void theScriptsOfOtherSitesMayCallIfTheyAreConfigured() {
        var known = ann.api().with("Origin", "https://inspector.example");
        assertThat(known.send("OPTIONS", "/mcp", "").header("Access-Control-Allow-Origin"))
                .isEqualTo("https://inspector.example");
        var answer = known.post("/mcp", PING);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("https://inspector.example");
        assertThat(ann.api()
                        .with("Origin", square.server.url())
                        .post("/mcp", PING)
                        .status())
                .isEqualTo(200);
        for (var origin : List.of("https://evil.example", "null", "https://inspector.example.evil.example")) {
            var foreign = ann.api().with("Origin", origin);
            var refused = foreign.post("/mcp", PING);
            assertThat(refused.status()).as(origin).isEqualTo(403);
            assertThat(refused.header("Access-Control-Allow-Origin")).isEmpty();
            assertThat(foreign.send("OPTIONS", "/mcp", "").status()).isEqualTo(403);
        }
        assertThatThrownBy(() -> new McpConfig(List.of("inspector.example"))).hasMessageContaining("allowed-origins");
    }

    @Test
    void aToolThatThereIsNotIsNamed() {
        var api = reader();
        for (var tool : List.of("posts_create", "rm_rf")) {
            var call = "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': '%s'}}".formatted(tool);
            var error = api.post("/mcp", call).json().path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32602);
            assertThat(error.path("message").asString())
                    .isEqualTo("There is no tool %s, or this token's scopes do not allow it".formatted(tool));
        }
    }

    @Test
    void onlyATokenOpensIt() {
        var list = "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list'}";
        var nobody = square.anonymous().post("/mcp", list);
        assertThat(nobody.outcome()).startsWith("401");
        assertThat(nobody.header("WWW-Authenticate"))
                .contains(square.server.url() + "/.well-known/oauth-protected-resource/mcp");
        var resource = square.anonymous().get("/.well-known/oauth-protected-resource/mcp");
        assertThat(resource.text("resource")).isEqualTo(square.server.url() + "/mcp");
        assertThat(resource.json().at("/authorization_servers/0").asString()).isEqualTo(square.server.url());
        assertThat(resource.json().path("scopes_supported").toString())
                .contains("posts:write", "sagas:start")
                .doesNotContain("admin", "webhooks", "agents");
        var session = square.anonymous()
                .post("/api/v1/session", "{'email': '%s', 'password': '%s'}".formatted(ann.email(), ann.password()));
        assertThat(square.anonymous()
                        .cookie(session.cookie())
                        .post("/mcp", list)
                        .status())
                .as("a cookie is not enough: any site may call")
                .isEqualTo(401);
        assertThat(square.anonymous().token("hrb_wrong").post("/mcp", list).status())
                .isEqualTo(401);
        assertThat(ann.api().post("/mcp", list).status()).isEqualTo(200);
    }

    /** A message without an id that could be answered is answered with none, as JSON-RPC says. */
    private static void refused(ApiClient.Reply reply, int code) {
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.json().at("/error/code").asInt()).as(reply.body()).isEqualTo(code);
        assertThat(reply.json().has("id")).isTrue();
        assertThat(reply.json().path("id").isNull()).isTrue();
    }

    @Test
    void messagesThatAreNoneAreRefused() {
        var api = reader();
        for (var body : List.of("nonsense", "", "{'jsonrpc': '2.0', 'id': 1, 'id': 2, 'method': 'ping'}")) {
            refused(api.post("/mcp", body), -32700);
        }
        for (var body : List.of(
                "null",
                " null ",
                "[]",
                "[{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}]",
                "7",
                "{}",
                "{'jsonrpc': '2.0'}",
                "{'jsonrpc': '1.0', 'id': 1, 'method': 'ping'}",
                "{'id': 1, 'method': 'ping'}",
                "{'jsonrpc': '2.0', 'id': [7], 'method': 'ping'}",
                "{'jsonrpc': '2.0', 'id': 1, 'method': null}")) {
            refused(api.post("/mcp", body), -32600);
        }
        assertThat(api.post("/mcp", "{'jsonrpc': '2.0', 'id': 1, 'method': 'ping', 'params': 1e2147483648}")
                        .status())
                .isEqualTo(400);
        for (var parameters : List.of("7", "[]", "{'name': 7}", "{'name': 'posts_list', 'arguments': []}", "{}")) {
            var call = "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': %s}".formatted(parameters);
            assertThat(api.post("/mcp", call).json().at("/error/code").asInt())
                    .as(parameters)
                    .isEqualTo(-32602);
        }
        for (var method : List.of("initialize", "tools/call", "prompts/get", "resources/read", "completion/complete")) {
            var call = "{'jsonrpc': '2.0', 'id': 1, 'method': '%s'}".formatted(method);
            assertThat(api.post("/mcp", call).json().at("/error/code").asInt())
                    .as(method)
                    .isEqualTo(-32602);
        }
        for (var parameters : List.of(
                "{}",
                "7",
                "{'protocolVersion': 7, 'capabilities': {}, 'clientInfo': {'name': 'x', 'version': '1'}}",
                "{'protocolVersion': '2025-11-25', 'clientInfo': {'name': 'x', 'version': '1'}}",
                "{'protocolVersion': '2025-11-25', 'capabilities': {}}",
                "{'protocolVersion': '2025-11-25', 'capabilities': [], 'clientInfo': 'x'}")) {
            var reply = api.post(
                    "/mcp", "{'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': %s}".formatted(parameters));
            assertThat(reply.json().at("/error/message").asString())
                    .as(parameters)
                    .isEqualTo("The parameters are not those of the method");
        }
        for (var parameters : List.of(
                "{'ref': 7, 'argument': {}}",
                "{'ref': {'type': 'ref/resource', 'uri': 'hiroba://post/{id}'}, 'argument': {}}",
                "{'ref': {'type': 'ref/resource', 'uri': 'x'}, 'argument': {'name': 'id', 'value': 7}}",
                "{'ref': {'type': 'ref/other', 'uri': 'x'}, 'argument': {'name': 'id', 'value': ''}}",
                "{'ref': {'type': 'ref/prompt', 'uri': 'x'}, 'argument': {'name': 'id', 'value': ''}}",
                "{'ref': {'type': 'ref/resource', 'name': 'x'}, 'argument': {'name': 'id', 'value': ''}}")) {
            var call =
                    "{'jsonrpc': '2.0', 'id': 1, 'method': 'completion/complete', 'params': %s}".formatted(parameters);
            var reply = api.post("/mcp", call);
            assertThat(reply.json().at("/error/code").asInt())
                    .as(parameters + reply.body())
                    .isEqualTo(-32602);
        }
        assertThat(api.post("/mcp", "{'jsonrpc': '2.0', 'id': 1, 'method': 'no/such'}")
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32601);
        assertThat(api.post("/mcp", "{'jsonrpc': '2.0', 'method': 'notifications/initialized'}")
                        .status())
                .isEqualTo(202);
        assertThat(api.with("MCP-Protocol-Version", "1999-01-01")
                        .post("/mcp", "{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}")
                        .status())
                .isEqualTo(400);
        // It has batches, which are refused: an older client is offered the newest version instead.
        assertThat(api.with("MCP-Protocol-Version", "2025-03-26")
                        .post("/mcp", "{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}")
                        .status())
                .isEqualTo(400);
        var older =
                "{'protocolVersion': '2025-03-26', 'capabilities': {}, 'clientInfo': {'name': 'x', 'version': '1'}}";
        assertThat(api.post(
                                "/mcp",
                                "{'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': %s}".formatted(older))
                        .json()
                        .at("/result/protocolVersion")
                        .asString())
                .isEqualTo("2025-11-25");
        assertThat(api.get("/mcp").status()).isEqualTo(405);
    }
}
