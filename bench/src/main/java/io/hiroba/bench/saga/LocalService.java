package io.hiroba.bench.saga;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** An HTTP service on this machine whose methods do nothing, with a plain client. It tells who waits when a saga's last step is called. */
final class LocalService implements AutoCloseable {

    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<Long, CountDownLatch> lastSteps = new ConcurrentHashMap<>();

    LocalService(String answer) {
        var bytes = answer.getBytes(StandardCharsets.UTF_8);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                if (exchange.getRequestURI().getPath().equals("/step2")) {
                    var waiting = lastSteps.remove(Long.valueOf(body.replaceAll("\\D", "")));
                    if (waiting != null) {
                        waiting.countDown();
                    }
                }
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Starts a saga of the order and waits until its last step is called. */
    void awaitLastStep(long order, Runnable start) {
        var waiting = new CountDownLatch(1);
        lastSteps.put(order, waiting);
        start.run();
        try {
            if (!waiting.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the saga of order " + order + " does not end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String call(int step) {
        var request = HttpRequest.newBuilder(URI.create(url() + "/step" + step))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"order\": 7}"))
                .build();
        try {
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        client.close();
    }
}
