package io.hiroba.knowledge.search;

import com.sun.net.httpserver.HttpExchange;
import io.hiroba.knowledge.search.ChatConfig.ModelConfig;
import io.hiroba.knowledge.search.ChatConfig.Provider;
import io.hiroba.platform.config.SecretText;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.TestHttpService;
import io.hiroba.testkit.TestHttpService.Asked;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** A service that speaks OpenAI's chat API and answers as it is told. */
final class FakeChat implements AutoCloseable {

    private static final long PACE = 20_000_000;
    static final String KEY = "secret-key-of-the-model";

    /** What it does with a request. */
    @FunctionalInterface
    interface Answering {
        void answer(HttpExchange exchange) throws IOException, InterruptedException;
    }

    final CountDownLatch gone = new CountDownLatch(1);
    private final TestHttpService service = TestHttpService.start((asked, exchange) -> answer(exchange));
    private volatile Answering answering = exchange -> TestHttpService.reply(exchange, 500, "");

    private void answer(HttpExchange exchange) throws IOException, InterruptedException {
        answering.answer(exchange);
    }

    String url() {
        return service.url() + "/v1/";
    }

    /** The model that it is, with {@code price} for what it reads and writes. */
    ModelConfig config(Provider provider, String model, Duration patience, double price) {
        return new ModelConfig(url(), provider, model, SecretText.of(KEY), patience, price, price, List.of());
    }

    /** Says these words, each an event of its own, and ends. */
    FakeChat saying(String... words) {
        answering = exchange -> {
            begin(exchange);
            for (var word : words) {
                say(exchange, word);
            }
            write(exchange, "data: [DONE]\n\n");
        };
        return this;
    }

    /** Says this by Anthropic's API. */
    FakeChat sayingAsAnthropic(String text, long tokensIn, long tokensOut) {
        return doing(exchange -> {
            begin(exchange);
            for (var event : List.of(
                    Map.of("type", "message_start", "message", Map.of("usage", Map.of("input_tokens", tokensIn))),
                    Map.of("type", "content_block_delta", "delta", Map.of("type", "text_delta", "text", text)),
                    Map.of("type", "message_delta", "usage", Map.of("output_tokens", tokensOut)),
                    Map.of("type", "message_stop"))) {
                write(exchange, "event: x\ndata: " + Json.text(event) + "\n\n");
            }
        });
    }

    FakeChat doing(Answering next) {
        answering = next;
        return this;
    }

    /** Says a word and then talks on until nobody listens. */
    FakeChat sayingForEver(String word) {
        return doing(exchange -> {
            begin(exchange);
            try {
                while (true) {
                    say(exchange, word);
                    LockSupport.parkNanos(PACE);
                }
            } catch (IOException e) {
                gone.countDown();
            }
        });
    }

    static void begin(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        write(exchange, ": hello\r\n\r\n");
    }

    static void say(HttpExchange exchange, String word) throws IOException {
        var delta = Map.of("choices", List.of(Map.of("delta", Map.of("content", word))));
        write(exchange, "data: " + Json.text(delta) + "\n\n");
    }

    static void write(HttpExchange exchange, String text) throws IOException {
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    List<Asked> asked() {
        return service.asked();
    }

    /** The messages of the newest request. */
    JsonNode messages() {
        return Json.mapper().readTree(asked().getLast().body()).path("messages");
    }

    @Override
    public void close() {
        service.close();
    }
}
