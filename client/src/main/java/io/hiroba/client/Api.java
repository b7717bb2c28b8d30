package io.hiroba.client;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests to the server. */
final class Api implements AutoCloseable {

    static final JsonMapper JSON = JsonMapper.shared();

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final URI server;
    private final String token;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    Api(URI server, String token) {
        this.server = URI.create(server.toString().replaceAll("/+$", ""));
        this.token = token;
    }

    static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    JsonNode get(String path) {
        return send(request(path).GET());
    }

    JsonNode post(String path, @Nullable Object body, Map<String, String> headers) {
        var request = request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)));
        headers.forEach(request::header);
        return send(request);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server + path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json");
    }

    private JsonNode send(HttpRequest.Builder request) {
        HttpResponse<String> answer;
        try {
            answer = client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new HirobaException("The server cannot be reached", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HirobaException("The request was interrupted", e);
        }
        var body = json(answer.body());
        if (answer.statusCode() >= 300) {
            var detail = body.path("detail").asString("The server answered " + answer.statusCode());
            throw new HirobaException(answer.statusCode(), body.path("code").asString(""), detail);
        }
        return body;
    }

    private static JsonNode json(String text) {
        try {
            return text.isBlank() ? JSON.missingNode() : JSON.readTree(text);
        } catch (JacksonException e) {
            return JSON.missingNode();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
