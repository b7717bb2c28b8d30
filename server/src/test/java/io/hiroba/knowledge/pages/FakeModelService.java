package io.hiroba.knowledge.pages;

import com.sun.net.httpserver.HttpExchange;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.FakeProvider;
import io.hiroba.testkit.TestHttpService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A service that speaks OpenAI's API without having a model: texts that share words have vectors that are near, and answers
 * are what the test says, piece by piece.
 */
final class FakeModelService implements AutoCloseable {

    /** Ends an answer. */
    static final String END = "[DONE]";

    /** What is said to the next question, in pieces. */
    final BlockingQueue<String> says = new LinkedBlockingQueue<>();

    /** No vectors are made of texts with this word; none means that all get one. */
    volatile @Nullable String refused;

    /** Whether vectors are kept back for now, but for those of so many calls. */
    volatile boolean slow;

    final AtomicInteger allowed = new AtomicInteger();

    private final TestHttpService http = TestHttpService.start((asked, exchange) -> {
        var body = Json.mapper().readTree(asked.body());
        if (asked.path().endsWith("/embeddings")) {
            embed(body, exchange);
        } else {
            say(exchange);
        }
    });

    String[] flags(String... more) {
        var flags = new ArrayList<>(List.of(
                "--accounts.limits.log-ins-per-minute=10000",
                "--knowledge.embedding.provider=openai",
                "--knowledge.embedding.base-url=" + http.url(),
                "--knowledge.embedding.dimensions=" + FakeProvider.DIMENSIONS,
                "--knowledge.embedding.max-retry=0"));
        flags.addAll(List.of(more));
        return flags.toArray(String[]::new);
    }

    String url() {
        return http.url();
    }

    private void embed(JsonNode body, HttpExchange exchange) throws IOException {
        var texts = new ArrayList<String>();
        body.path("input").forEach(text -> texts.add(text.asString()));
        var bad = refused;
        if (slow && allowed.getAndUpdate(calls -> Math.max(0, calls - 1)) == 0) {
            exchange.getResponseHeaders().add("Retry-After", "1");
            TestHttpService.reply(exchange, 429, "{}");
        } else if (bad != null && texts.stream().anyMatch(text -> text.contains(bad))) {
            TestHttpService.reply(exchange, 400, "{}");
        } else {
            var data = new ArrayList<Map<String, Object>>();
            for (int i = 0; i < texts.size(); i++) {
                data.add(Map.of("index", i, "embedding", FakeProvider.vector(texts.get(i))));
            }
            TestHttpService.reply(exchange, 200, Json.text(Map.of("data", data)));
        }
    }

    private void say(HttpExchange exchange) throws IOException, InterruptedException {
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        var out = exchange.getResponseBody();
        for (String piece = says.take(); ; piece = says.take()) {
            var data = piece.equals(END)
                    ? END
                    : Json.text(Map.of("choices", List.of(Map.of("delta", Map.of("content", piece)))));
            out.write(("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            if (piece.equals(END)) {
                return;
            }
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
