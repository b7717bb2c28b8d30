package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bridge for assistants that speak the Model Context Protocol over standard input and output. */
class McpCommandTest {

    private static final String LIST = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\"}\n";

    private final FakeServer server;
    private final CliRunner client;

    McpCommandTest(@TempDir Path home) throws IOException {
        server = new FakeServer();
        client = new CliRunner(home).with("HIROBA_URL", server.url()).with("HIROBA_TOKEN", "t");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aMessageIsPassedOnAndItsAnswerIsOneLine() {
        server.answering("POST /mcp", 200, "{\"jsonrpc\":\"2.0\",\"id\":7,\n \"result\":{\"tools\":[]}}");
        var outcome = client.typing(LIST).run("mcp");
        assertThat(outcome.out().lines()).containsExactly("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"tools\":[]}}");
        assertThat(server.lastRequest().body()).isEqualTo(LIST.strip());
        assertThat(server.lastRequest().authorization()).isEqualTo("Bearer t");
    }

    @Test
    void numbersKeepTheirDigits() {
        var answer = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"price\":12345678901234567890.12,\"rate\":0.10,"
                + "\"count\":123456789012345678901234567890}}";
        server.answering("POST /mcp", 200, answer);
        assertThat(client.typing(LIST).run("mcp").out().lines()).containsExactly(answer);
    }

    @Test
    void theProgressOfACallIsPassedOnBeforeItsAnswer() {
        var progress = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1}}";
        var answer = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}";
        server.answering(
                "POST /mcp",
                200,
                "retry: 2000\n\nevent: message\ndata: %s\n\n:\n\nevent: message\ndata: %s\n\n"
                        .formatted(progress, answer));
        var call =
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"_meta\":{\"progressToken\":1}}}\n";
        assertThat(client.typing(call).run("mcp").out().lines()).containsExactly(progress, answer);
    }

    @Test
    void aNotificationHasNoAnswer() {
        server.answering("POST /mcp", 202, "");
        assertThat(client.typing("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")
                        .run("mcp")
                        .out())
                .isEmpty();
    }

    @Test
    void aRefusalIsAnErrorOfItsRequest() {
        server.answering("POST /mcp", 401, "{\"title\":\"Not signed in\",\"detail\":\"Log in first.\",\"code\":\"x\"}");
        var outcome = client.typing(LIST + "\n" + LIST).run("mcp");
        assertThat(outcome.out().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("\"id\":7", "-32603", "Log in first."));
    }

    @Test
    void aLineThatIsNoJsonIsAnsweredAsSuch() {
        server.answering("POST /mcp", 200, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}");
        assertThat(client.typing("{\"jsonrpc\":\n" + LIST).run("mcp").out().lines())
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).contains("\"id\":null", "-32700"))
                .anySatisfy(line -> assertThat(line).contains("\"id\":7", "result"));
    }

    @Test
    void withoutATokenItSaysSo(@TempDir Path elsewhere) {
        var outcome = new CliRunner(elsewhere)
                .with("HIROBA_URL", server.url())
                .typing(LIST)
                .run("mcp");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err()).isNotEmpty();
    }
}
