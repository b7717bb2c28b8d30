package io.hiroba.knowledge.embedding;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hiroba.testkit.FakeProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service that speaks OpenAI's API for embeddings, with the vectors of {@link FakeProvider}. It can be told to fail. */
final class FakeEmbeddingService implements AutoCloseable {

    /** What was asked, and by whom. */
    record Asked(String path, String authorization, JsonNode body) {
        List<String> texts() {
            var texts = new ArrayList<String>();
            body.path("input").forEach(text -> texts.add(text.asString()));
            return texts;
        }
    }

    /** What is answered; nothing at all for status 0. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Answer(int status, String body, String... header) {
        static Answer of(int status) {
            return new Answer(status, "{\"error\":{\"message\":\"secret-key and the text\"}}");
        }
    }

    @FunctionalInterface
    interface Behaviour {
        Answer to(Asked asked) throws Exception;
    }

    final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private volatile Behaviour behaviour = FakeEmbeddingService::vectors;

    FakeEmbeddingService() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    void behave(Behaviour next) {
        behaviour = next;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var headers = exchange.getRequestHeaders();
            var question = new Asked(
                    exchange.getRequestURI().getPath(),
                    String.valueOf(headers.getFirst("Authorization")),
                    JsonMapper.shared().readTree(exchange.getRequestBody()));
            asked.add(question);
            var answer = behaviour.to(question);
            if (answer.status() == 0) {
                return;
            }
            for (int i = 0; i < answer.header().length; i += 2) {
                exchange.getResponseHeaders().add(answer.header()[i], answer.header()[i + 1]);
            }
            var body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    /** What a service that works answers: the vectors, the last one first. */
    static Answer vectors(Asked asked) {
        var texts = asked.texts();
        var items = new ArrayList<String>();
        for (int i = texts.size() - 1; i >= 0; i--) {
            items.add("{\"object\":\"embedding\",\"index\":%d,\"embedding\":%s}"
                    .formatted(i, Arrays.toString(FakeProvider.vector(texts.get(i)))));
        }
        return new Answer(
                200,
                "{\"object\":\"list\",\"data\":[%s],\"usage\":{\"prompt_tokens\":9}}"
                        .formatted(String.join(",", items)));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
