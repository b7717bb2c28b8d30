package io.hiroba.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "mcp",
        description = {
            "Connect a desktop assistant by the Model Context Protocol over standard input and output.",
            "The assistant starts this command; it uses your remembered token, or HIROBA_TOKEN.",
        })
final class McpCommand extends RemoteCommand {

    private static final String PATH = "/mcp";
    private static final String DATA = "data: ";
    private static final int PARSE_ERROR = -32700;
    private static final int INTERNAL_ERROR = -32603;

    McpCommand(CliEnvironment environment) {
        super(environment);
    }

    /** Passes each line on to the server, several at once: a long call must not hold others up. */
    @Override
    void run() {
        var api = api();
        try (var calls = Executors.newVirtualThreadPerTaskExecutor();
                var lines =
                        new BufferedReader(new InputStreamReader(environment().in(), StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var message = line.strip();
                if (!message.isEmpty()) {
                    calls.execute(() -> pass(api, message));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pass(Api api, String message) {
        var request = CliJson.read(message);
        if (request.isEmpty()) {
            print(error(JsonMapper.shared().nullNode(), PARSE_ERROR, "Parse error: the line is no JSON"));
            return;
        }
        var id = request.map(json -> json.path("id")).filter(found -> !found.isMissingNode());
        try {
            if (wantsProgress(message)) {
                api.listen(PATH, message, "application/json, text/event-stream", this::hear);
                return;
            }
            var answer = api.post(PATH, "application/json", message);
            if (answer.has("jsonrpc")) {
                print(answer);
            }
        } catch (Failure failure) {
            id.ifPresent(known -> print(error(known, INTERNAL_ERROR, String.valueOf(failure.getMessage()))));
        }
    }

    private static boolean wantsProgress(String message) {
        return CliJson.read(message)
                .filter(json -> !json.at("/params/_meta/progressToken").isMissingNode())
                .isPresent();
    }

    /** Prints what a line of the answer has: a message of the stream, or the response alone. */
    private void hear(String line) {
        CliJson.read(line.startsWith(DATA) ? line.substring(DATA.length()) : line)
                .filter(json -> json.has("jsonrpc"))
                .ifPresent(this::print);
    }

    private static JsonNode error(JsonNode id, int code, String message) {
        var answer = JsonMapper.shared().createObjectNode();
        answer.put("jsonrpc", "2.0").set("id", id);
        answer.putObject("error").put("code", code).put("message", message);
        return answer;
    }

    private synchronized void print(JsonNode answer) {
        environment().out().println(answer.toString());
        environment().out().flush();
    }
}
