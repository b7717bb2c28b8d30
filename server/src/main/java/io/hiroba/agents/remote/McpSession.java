package io.hiroba.agents.remote;

import io.hiroba.agents.remote.RemoteFailure.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.http.HttpMethod;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A session with a server that speaks the Model Context Protocol over streamable HTTP. All that it takes is bounded: its time, the bytes of
 * an answer, and what the server asks in between. An interrupt ends the request that is under way, and the server is told so.
 */
final class McpSession implements AutoCloseable {

    private static final String VERSION = "2025-06-18";
    private static final Set<String> VERSIONS = Set.of("2025-03-26", VERSION, "2025-11-25");

    /** The parameters with which a session begins. */
    static final String INITIALIZE = """
            {"protocolVersion":"%s","capabilities":{},"clientInfo":{"name":"hiroba","version":"1"}}""".formatted(VERSION);

    private static final int MAX_BYTES = 2 << 20;
    private static final int MAX_PAGES = 10;
    private static final int MAX_QUESTIONS = 10;
    private static final Duration FAREWELL_TIMEOUT = Duration.ofSeconds(2);
    private static final Pattern SESSION_ID = Pattern.compile("[!-~]{1,500}");

    private final HttpClient client;
    private final RemoteAddress address;
    private final long deadline;
    private long lastId;
    private String version = "";
    private String session = "";

    /**
     * A server to be asked.
     *
     * @param header the name of the header that has the credential; null without one
     */
    record RemoteAddress(String url, @Nullable String header, String credential) {

        @Override
        public String toString() {
            return url;
        }
    }

    /** @param timeout of the whole session */
    McpSession(HttpClient client, RemoteAddress address, Duration timeout) {
        this.client = client;
        this.address = address;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    /** Agrees on a version of the protocol. */
    void open() throws RemoteFailure, InterruptedException {
        var told = request("initialize", INITIALIZE);
        var agreed = told.path("protocolVersion").asString("");
        if (!VERSIONS.contains(agreed)) {
            throw new RemoteFailure(Kind.VERSION);
        }
        version = agreed;
        post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 0);
    }

    /** The first tool for which {@code found} has something, of all pages of them. */
    <T> Optional<T> findTool(Function<JsonNode, Optional<T>> found) throws RemoteFailure, InterruptedException {
        var cursor = "";
        for (int page = 0; page < MAX_PAGES; page++) {
            var listed = request(
                    "tools/list",
                    cursor.isEmpty()
                            ? "{}"
                            : "{\"cursor\":%s}".formatted(RemoteDefinition.JSON.writeValueAsString(cursor)));
            for (var tool : listed.path("tools")) {
                var result = found.apply(tool);
                if (result.isPresent()) {
                    return result;
                }
            }
            cursor = listed.path("nextCursor").asString("");
            if (cursor.isEmpty()) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /**
     * Calls a tool.
     *
     * @param arguments one JSON object, which is sent as it is
     */
    JsonNode call(String tool, String arguments) throws RemoteFailure, InterruptedException {
        return request(
                "tools/call",
                "{\"name\":%s,\"arguments\":%s}".formatted(RemoteDefinition.JSON.writeValueAsString(tool), arguments));
    }

    private JsonNode request(String method, String params) throws RemoteFailure, InterruptedException {
        long id = ++lastId;
        var body = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(id, method, params);
        try {
            var answer = post(body, id);
            if (answer == null) {
                throw new RemoteFailure(Kind.NOT_MCP);
            }
            return answer;
        } catch (RemoteFailure failure) {
            if (failure.kind() == Kind.TIMEOUT) {
                cancelled(id);
            }
            throw failure;
        } catch (InterruptedException e) {
            cancelled(id);
            throw e;
        }
    }

    /** A server does not take the end of a connection for the end of a request. */
    private void cancelled(long id) {
        if (!version.isEmpty()) {
            tell("""
                    {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}""".formatted(id));
        }
    }

    /** The result of a request; null where none is waited for, which {@code id} 0 means, or none came. */
    private @Nullable JsonNode post(String body, long id) throws RemoteFailure, InterruptedException {
        var left = Duration.ofNanos(deadline - System.nanoTime());
        if (left.toMillis() <= 0) {
            throw new RemoteFailure(Kind.TIMEOUT);
        }
        var listener = new InputStreamResponseListener();
        var request = prepared(body, left);
        try (listener) {
            request.send(listener);
            var response = listener.get(left.toMillis(), TimeUnit.MILLISECONDS);
            if (response.getStatus() < 200 || response.getStatus() > 299) {
                throw RemoteFailure.ofStatus(response.getStatus());
            }
            return id == 0 ? null : result(response, listener, id);
        } catch (InterruptedIOException e) {
            throw new InterruptedException();
        } catch (ExecutionException | TimeoutException | IOException e) {
            throw RemoteFailure.of(e);
        } catch (JacksonException e) {
            throw new RemoteFailure(Kind.NOT_MCP, "", e);
        } finally {
            // Nothing if it has ended.
            var _ = request.abort(new CancellationException());
        }
    }

    private Request prepared(String body, Duration timeout) {
        return client.newRequest(URI.create(address.url()))
                .method(HttpMethod.POST)
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .body(new StringRequestContent("application/json", body, StandardCharsets.UTF_8))
                .headers(headers -> {
                    headers.put("Accept", "application/json, text/event-stream");
                    if (!version.isEmpty()) {
                        headers.put("MCP-Protocol-Version", version);
                    }
                    if (!session.isEmpty()) {
                        headers.put("Mcp-Session-Id", session);
                    }
                    if (address.header() != null) {
                        headers.put(address.header(), address.credential());
                    }
                });
    }

    private @Nullable JsonNode result(Response response, InputStreamResponseListener listener, long id)
            throws RemoteFailure, IOException {
        var type =
                Optional.ofNullable(response.getHeaders().get("Content-Type")).orElse("");
        var given = response.getHeaders().get("Mcp-Session-Id");
        if (version.isEmpty() && given != null) {
            if (!SESSION_ID.matcher(given).matches()) {
                throw new RemoteFailure(Kind.NOT_MCP);
            }
            session = given;
        }
        var in = new BoundedInput(listener.getInputStream(), MAX_BYTES);
        if (type.startsWith("application/json")) {
            return result(RemoteDefinition.JSON.readTree(new String(in.readAllBytes(), StandardCharsets.UTF_8)), id);
        }
        if (!type.startsWith("text/event-stream")) {
            throw new RemoteFailure(Kind.NOT_MCP);
        }
        return streamed(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)), id);
    }

    /** Reads events until one of them answers the request. */
    private @Nullable JsonNode streamed(BufferedReader lines, long id) throws RemoteFailure, IOException {
        var data = new StringBuilder();
        int questions = 0;
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("data:")) {
                data.append(line.startsWith("data: ") ? line.substring(6) : line.substring(5))
                        .append('\n');
            } else if (line.isEmpty() && !data.isEmpty()) {
                var message = RemoteDefinition.JSON.readTree(data.toString());
                data.setLength(0);
                var result = result(message, id);
                if (result != null) {
                    return result;
                }
                if (isQuestion(message) && ++questions <= MAX_QUESTIONS) {
                    answer(message);
                }
            }
        }
        // The answer may have been on its way.
        throw new RemoteFailure(Kind.CONNECTION);
    }

    private static boolean isQuestion(JsonNode message) {
        var id = message.path("id");
        return message.has("method") && (id.isString() || id.isIntegralNumber());
    }

    /** Nothing is offered to servers: neither models nor files nor questions to people. */
    private void answer(JsonNode question) {
        var outcome = question.path("method").asString("").equals("ping")
                ? "\"result\":{}"
                : "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}";
        tell("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}".formatted(question.path("id"), outcome));
    }

    /** The result in a message, or in one of several; null if it answers something else. */
    private static @Nullable JsonNode result(JsonNode message, long id) throws RemoteFailure {
        if (message.isArray()) {
            for (var each : message) {
                var result = each.isObject() ? result(each, id) : null;
                if (result != null) {
                    return result;
                }
            }
            return null;
        }
        if (message.has("method") || !message.path("id").asString("").equals(Long.toString(id))) {
            return null;
        }
        var error = message.path("error");
        if (error.isObject()) {
            throw new RemoteFailure(Kind.ERROR, error.path("message").asString(""), null);
        }
        var result = message.path("result");
        return result.isObject() ? result : null;
    }

    /** Sends what needs no answer, without waiting. */
    private void tell(String body) {
        prepared(body, FAREWELL_TIMEOUT).send(ignored -> {});
    }

    @Override
    public void close() {
        if (!session.isEmpty()) {
            prepared("", FAREWELL_TIMEOUT).method(HttpMethod.DELETE).body(null).send(ignored -> {});
        }
    }
}
