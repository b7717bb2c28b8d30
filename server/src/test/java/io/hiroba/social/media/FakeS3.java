package io.hiroba.social.media;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A bucket service that keeps objects in memory, and none for those who do not sign. */
final class FakeS3 implements AutoCloseable {

    /** What is stored, by {@code /bucket/key}. */
    final Map<String, byte[]> objects = new ConcurrentHashMap<>();

    final Map<String, String> contentTypes = new ConcurrentHashMap<>();
    volatile boolean broken;

    private final HttpServer server;
    private final String key;

    FakeS3(String key) {
        this.key = key;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            var path = exchange.getRequestURI().getPath();
            if (broken) {
                answer(exchange, 500, "<Error><Code>InternalError</Code></Error>".getBytes(UTF_8));
            } else if (!isSigned(exchange)) {
                answer(exchange, 403, "<Error><Code>AccessDenied</Code></Error>".getBytes(UTF_8));
            } else {
                act(exchange, path, body);
            }
        }
    }

    private boolean isSigned(HttpExchange exchange) {
        var authorization = exchange.getRequestHeaders().getFirst("Authorization");
        return authorization != null
                && authorization.startsWith("AWS4-HMAC-SHA256 Credential=" + key + "/")
                && authorization.matches(".*Signature=[0-9a-f]{64}.*");
    }

    private void act(HttpExchange exchange, String path, byte[] body) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "PUT" -> {
                objects.put(path, body);
                contentTypes.put(path, exchange.getRequestHeaders().getFirst("Content-Type"));
                answer(exchange, 200, new byte[0]);
            }
            case "GET" -> {
                var object = objects.get(path);
                if (object == null) {
                    answer(exchange, 404, "<Error><Code>NoSuchKey</Code></Error>".getBytes(UTF_8));
                } else {
                    answer(exchange, 200, object);
                }
            }
            case "DELETE" -> {
                objects.remove(path);
                answer(exchange, 204, new byte[0]);
            }
            default -> answer(exchange, 405, new byte[0]);
        }
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
