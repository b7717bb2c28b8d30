package io.hiroba.agents;

import com.sun.net.httpserver.HttpExchange;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.TestHttpService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A chat model that writes what a test tells it to, piece by piece, to the newest of those who call it. */
final class WritingModel implements AutoCloseable {

    private static final long PACE_MS = 20;
    private static final String END = "end";
    private static final String TOOL = "tool ";

    /** A call of the model. */
    private static final class Call {
        private final BlockingQueue<String> pieces = new LinkedBlockingQueue<>();
    }

    private final List<Call> calls = new CopyOnWriteArrayList<>();

    /** The first part of the address of each call, which tells the nodes apart. */
    final List<String> callers = new CopyOnWriteArrayList<>();

    /** The callers who went away in the middle of an answer. */
    final Queue<String> gone = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    private final TestHttpService service = TestHttpService.start((asked, exchange) -> {
        var caller = asked.path().split("/", -1)[1];
        var call = new Call();
        callers.add(caller);
        calls.add(call);
        try {
            answer(call, exchange);
        } catch (IOException e) {
            gone.add(caller);
        }
    });

    private void answer(Call call, HttpExchange exchange) throws IOException, InterruptedException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        while (!closed) {
            var piece = call.pieces.poll(PACE_MS, TimeUnit.MILLISECONDS);
            if (piece == null) {
                // By this it notices that the caller has gone.
                write(exchange, ": still here\n\n");
            } else if (piece.equals(END)) {
                write(exchange, "data: " + event(Map.of(), "stop") + "\n\ndata: [DONE]\n\n");
                return;
            } else if (piece.startsWith(TOOL)) {
                var function = Map.of("name", piece.substring(TOOL.length()), "arguments", "{}");
                var delta = Map.of("tool_calls", List.of(Map.of("index", 0, "id", "1", "function", function)));
                write(exchange, "data: " + event(delta, "tool_calls") + "\n\ndata: [DONE]\n\n");
                return;
            } else {
                var delta = Map.of("choices", List.of(Map.of("delta", Map.of("content", piece.substring(1)))));
                write(exchange, "data: " + Json.text(delta) + "\n\n");
            }
        }
    }

    private static String event(Map<String, ?> delta, String reason) {
        return Json.text(Map.of(
                "choices",
                List.of(Map.of("delta", delta, "finish_reason", reason)),
                "usage",
                Map.of("prompt_tokens", 10, "completion_tokens", 10)));
    }

    private static void write(HttpExchange exchange, String text) throws IOException {
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    /** Its address for the node of this name. */
    String url(String node) {
        return service.url() + "/" + node + "/v1";
    }

    void writes(String text) {
        calls.getLast().pieces.add("=" + text);
    }

    void ends() {
        calls.getLast().pieces.add(END);
    }

    void asksFor(String tool) {
        calls.getLast().pieces.add(TOOL + tool);
    }

    /** All that it was told in the newest call. */
    String told() {
        return service.asked().getLast().body();
    }

    int calls() {
        return calls.size();
    }

    @Override
    public void close() {
        closed = true;
        service.close();
    }
}
