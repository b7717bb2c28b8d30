package io.hiroba.bench.agents;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service with OpenAI's chat API that answers at once: with a tool first if it is offered one, and then with a sentence. */
final class InstantModel implements AutoCloseable {

    private static final String USAGE = "\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":20}";
    private static final byte[] SENTENCE = answer("{\"content\":\"It opens at nine, and closes at six.\"}", "stop");
    private static final byte[] TOOL = answer(
            "{\"tool_calls\":[{\"index\":0,\"id\":\"1\",\"function\":{\"name\":\"posts_search\",\"arguments\":\"{\\\"q\\\":\\\"museum\\\"}\"}}]}",
            "tool_calls");

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    InstantModel() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", InstantModel::handle);
        server.start();
    }

    private static byte[] answer(String delta, String reason) {
        return "data: {\"choices\":[{\"delta\":%s,\"finish_reason\":\"%s\"}],%s}\n\ndata: [DONE]\n\n"
                .formatted(delta, reason, USAGE)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            boolean wantsTool = asked.contains("\"tools\"") && !asked.contains("\"role\":\"tool\"");
            var answer = wantsTool ? TOOL : SENTENCE;
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
