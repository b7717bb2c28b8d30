package io.hiroba.bench.chaos;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** An HTTP client of users whose requests or responses may get lost. */
public final class ChaosHttpClient {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    /** A response; status 0 means that none came and the request may have taken effect. */
    public record Reply(int status, String body) {

        public boolean isDone() {
            return status >= 200 && status < 300;
        }

        public boolean isUnknown() {
            return status == 0 || status >= 500;
        }
    }

    Reply send(URI node, ChaosUser by, String method, String path, String json) {
        return send(node, by, method, path, json, Map.of());
    }

    /**
     * Sends a request and waits for its response.
     *
     * @param body in JSON, or of another type if the headers say so, and of bytes then
     */
    public Reply send(URI node, ChaosUser by, String method, String path, String body, Map<String, String> headers) {
        var charset = headers.containsKey("Content-Type") ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
        var request = HttpRequest.newBuilder(node.resolve(path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + by.token())
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body, charset));
        headers.forEach(request::setHeader);
        try {
            var response = client.send(request.build(), BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.body());
        } catch (IOException e) {
            return new Reply(0, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply(0, "interrupted");
        }
    }
}
