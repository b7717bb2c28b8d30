package io.hiroba.testkit;

import io.hiroba.platform.http.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Speaks to a live server as one caller: with the same headers in every request. */
public final class ApiClient {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final int port;
    private final List<String> headers;

    private ApiClient(int port, List<String> headers) {
        this.port = port;
        this.headers = headers;
    }

    public static ApiClient anonymous(int port) {
        return new ApiClient(port, List.of());
    }

    public ApiClient with(String name, String value) {
        var more = new ArrayList<>(headers);
        more.addAll(List.of(name, value));
        return new ApiClient(port, more);
    }

    public ApiClient token(String token) {
        return with("Authorization", "Bearer " + token);
    }

    public ApiClient cookie(String secret) {
        return with("Cookie", (secret.startsWith("hrh_") ? "__Host-hiroba_session=" : "hiroba_session=") + secret);
    }

    public Reply get(String path) {
        return send("GET", path, "");
    }

    public Reply post(String path, String json) {
        return send("POST", path, json);
    }

    public Reply put(String path, String json) {
        return send("PUT", path, json);
    }

    public Reply delete(String path) {
        return send("DELETE", path, "");
    }

    /** Opens an event stream. */
    public TestStream stream(String path) {
        return TestStream.open(CLIENT, request(path).GET().build());
    }

    /** Posts, and reads the answer as an event stream. */
    public TestStream ask(String path, String json) {
        return TestStream.open(
                CLIENT,
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json.replace('\'', '"')))
                        .build());
    }

    private HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        return headers.isEmpty() ? request : request.headers(headers.toArray(String[]::new));
    }

    /** Sends single quotes as double ones, which keeps JSON in tests readable. */
    public Reply send(String method, String path, String json) {
        return sendAs("application/json", method, path, json.replace('\'', '"'));
    }

    /** Sends {@code body} as it is, in the given media type. */
    public Reply sendAs(String mediaType, String method, String path, String body) {
        var request =
                request(path).method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", mediaType);
        }
        try {
            return new Reply(CLIENT.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** An answer of the API. */
    public record Reply(HttpResponse<String> response) {

        public int status() {
            return response.statusCode();
        }

        public String body() {
            return response.body();
        }

        public JsonNode json() {
            return Json.mapper().readTree(body());
        }

        public String text(String field) {
            return json().path(field).asString("");
        }

        /** The status and, of a problem, its code: {@code 403 accounts.admin-only}. */
        public String outcome() {
            return status() < 400 ? Integer.toString(status()) : status() + " " + text("code");
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        /** The session's secret in the cookie that was set. */
        public String cookie() {
            return Arrays.stream(header("Set-Cookie").split("[=;]", -1))
                    .skip(1)
                    .findFirst()
                    .orElse("");
        }
    }
}
