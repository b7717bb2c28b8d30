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

/** A server that gives the answers it was told to, and remembers what it was asked. */
final class FakeServer implements AutoCloseable {

    private final HttpServer server;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    private record Answer(int status, String body) {}

    /** A request as it arrived; {@code authorization} is empty if there was none. */
    record Request(String line, String authorization, String body) {}

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

    private void handle(HttpExchange exchange) throws IOException {
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        var authorization = exchange.getRequestHeaders().getFirst("Authorization");
        requests.add(new Request(
                line,
                authorization == null ? "" : authorization,
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
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
