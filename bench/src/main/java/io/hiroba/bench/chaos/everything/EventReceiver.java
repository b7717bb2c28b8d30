package io.hiroba.bench.chaos.everything;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** A receiver of webhooks that refuses some calls. The same event may come again, by its id; two events of one saga may not. */
final class EventReceiver implements AutoCloseable {

    private static final Pattern ENTRY = Pattern.compile("\"correlationId\":\"([^\"]+)\"");

    /** Of so many calls one is refused. */
    private static final int REFUSED = 4;

    private final Map<String, String> entries = new ConcurrentHashMap<>();
    private final SplittableRandom random;
    private final HttpServer server;

    EventReceiver(SplittableRandom random) {
        this.random = random;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::receive);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (isRefused()) {
                exchange.sendResponseHeaders(HttpURLConnection.HTTP_UNAVAILABLE, -1);
                return;
            }
            var entry = ENTRY.matcher(body);
            if (entry.find()) {
                entries.put(exchange.getRequestHeaders().getFirst("webhook-id"), entry.group(1));
            }
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_NO_CONTENT, -1);
        }
    }

    private synchronized boolean isRefused() {
        return random.nextInt(REFUSED) == 0;
    }

    /** The entries of the events that came, each as often as events of it did. */
    List<String> entries() {
        return List.copyOf(entries.values());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
