package io.hiroba.testkit;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A little HTTP service that answers as a test wants it to, and keeps what it was asked. */
public final class TestHttpService implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    /** A request that came. */
    public record Asked(String method, String path, Headers headers, String body) {

        public String header(String name) {
            var value = headers.getFirst(name);
            return value == null ? "" : value;
        }
    }

    /** Answers; what it throws breaks the connection. */
    @FunctionalInterface
    public interface Answering {
        void answer(Asked asked, HttpExchange exchange) throws IOException, InterruptedException;
    }

    private TestHttpService(HttpServer server) {
        this.server = server;
    }

    public static TestHttpService start(Answering answering) {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            var service = new TestHttpService(server);
            server.setExecutor(service.threads);
            server.createContext("/", exchange -> service.handle(exchange, answering));
            server.start();
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void handle(HttpExchange exchange, Answering answering) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        var one = new Asked(
                exchange.getRequestMethod(), exchange.getRequestURI().getRawPath(), exchange.getRequestHeaders(), body);
        asked.add(one);
        try (exchange) {
            answering.answer(one, exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A whole answer with a body. */
    public static void reply(HttpExchange exchange, int status, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** All that it was asked so far. */
    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
