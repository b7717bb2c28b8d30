package io.hiroba.platform.http;

import io.hiroba.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/** A server on a free port with a database of its own, and a client that speaks to it. */
final class LiveServer implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    final TestDatabase database = TestDatabase.create();
    final HttpServer server;

    LiveServer(HttpConfig config, UnaryOperator<HttpServerBuilder> parts) {
        server = parts.apply(HttpServer.builder(config, database.db())).build().start();
    }

    static LiveServer with(Routes routes) {
        return new LiveServer(HttpConfig.onFreePort(), builder -> builder.routes(routes));
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(request(path));
    }

    HttpResponse<String> post(String path, String body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    static JsonNode json(HttpResponse<String> response) {
        return Json.mapper().readTree(response.body());
    }

    static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Override
    public void close() {
        server.close();
        database.close();
    }
}
