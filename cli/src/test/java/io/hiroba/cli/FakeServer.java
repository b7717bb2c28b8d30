package io.hiroba.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that gives the answers it was told to, and remembers what it was asked. */
final class FakeServer implements AutoCloseable {

    private final HttpServer server;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    private final AtomicInteger hangUps = new AtomicInteger();

    private record Answer(int status, String body) {}

    /** A request as it arrived; what is empty was not in it. */
    record Request(String line, String authorization, String key, String type, String language, String body) {}

    FakeServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    FakeServer answering(String line, int status, String body) {
        answers.put(line, new Answer(status, body));
        return this;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Request> requests() {
        return requests;
    }

    Request lastRequest() {
        return requests.getLast();
    }

    /** Lets the next request go without an answer. */
    FakeServer hangingUpOnce() {
        hangUps.set(1);
        return this;
    }

    private static String header(HttpExchange exchange, String name) {
        var value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    private void handle(HttpExchange exchange) throws IOException {
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        requests.add(new Request(
                line,
                header(exchange, "Authorization"),
                header(exchange, "Idempotency-Key"),
                header(exchange, "Content-Type"),
                header(exchange, "Accept-Language"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        if (hangUps.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            exchange.close();
            return;
        }
        var answer = answers.getOrDefault(
                line,
                new Answer(404, "{\"code\":\"http.not-found\",\"detail\":\"There is nothing at this address.\"}"));
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
