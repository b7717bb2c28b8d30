package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A server's HTTP interface: JSON in, JSON out, and a {@link Failure} for anything but success. */
final class Api {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(60);

    private final ServerAddress server;
    private final Optional<String> token;

    /** Redirects are not followed: the token must not be sent to another host. */
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();

    Api(ServerAddress server, Optional<String> token) {
        this.server = server;
        this.token = token;
    }

    ServerAddress server() {
        return server;
    }

    JsonNode get(String path) {
        return send("GET", path, BodyPublishers.noBody(), Optional.empty());
    }

    JsonNode post(String path, Map<String, ?> body) {
        return send("POST", path, BodyPublishers.ofString(CliJson.write(body)), Optional.empty());
    }

    /** Posts a text as it is; an empty one is no body. */
    JsonNode post(String path, String mediaType, String text) {
        var request = request("POST", path, BodyPublishers.ofString(text));
        if (!text.isEmpty()) {
            request.header("Content-Type", mediaType);
        }
        return answer(exchange(request.build()));
    }

    /**
     * Passes each line of the stream at {@code path} to {@code isLast} until that returns true; false if the stream
     * ended before.
     */
    boolean follow(String path, Predicate<String> isLast) {
        var request = request("GET", path, BodyPublishers.noBody()).setHeader("Accept", "text/event-stream");
        try {
            var response = http.send(request.build(), BodyHandlers.ofLines());
            try (var lines = response.body()) {
                return response.statusCode() == 200 && lines.anyMatch(isLast);
            }
        } catch (IOException | UncheckedIOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.unreachable(server.uri());
        }
    }

    /** Posts and passes each line of the event stream in the response on as it arrives. */
    void listen(String path, Map<String, ?> body, Consumer<String> hear) {
        listen(path, CliJson.write(body), "text/event-stream", hear);
    }

    /** As above, of JSON; where the response may be another, that is passed on line by line too. */
    void listen(String path, String body, String accept, Consumer<String> hear) {
        var request = request("POST", path, BodyPublishers.ofString(body))
                .setHeader("Accept", accept)
                .header("Content-Type", "application/json");
        try {
            var response = http.send(request.build(), BodyHandlers.ofLines());
            try (var lines = response.body()) {
                if (response.statusCode() != 200) {
                    throw refusal(lines.collect(Collectors.joining("\n")), response.statusCode());
                }
                lines.forEach(hear);
            }
        } catch (IOException e) {
            throw Failure.unreachable(server.uri());
        } catch (UncheckedIOException e) {
            throw Failure.of(Cli.UNREACHABLE, "cli.broken-off", text("failure.broken-off-at", server.uri()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.unreachable(server.uri());
        }
    }

    /** Posts a file as a form, without retries, and reports the progress. */
    JsonNode upload(String path, Map<String, String> fields, Path file, FileForm.Progress progress) {
        var form = new FileForm(fields, file, progress);
        var request = request("POST", path, form.body())
                .header("Content-Type", form.contentType())
                .header("Idempotency-Key", UUID.randomUUID().toString());
        return answer(exchange(request.build()));
    }

    /**
     * As {@link #post}, idempotent by {@code key}: when the connection breaks before the response, the request is
     * repeated, and the server returns the first result.
     */
    JsonNode create(String path, String key, Map<String, ?> body) {
        var publisher = BodyPublishers.ofString(CliJson.write(body));
        try {
            return send("POST", path, publisher, Optional.of(key));
        } catch (Failure e) {
            if (e.exitCode() != Cli.UNREACHABLE) {
                throw e;
            }
            return send("POST", path, publisher, Optional.of(key));
        }
    }

    JsonNode put(String path, Map<String, ?> body) {
        return send("PUT", path, BodyPublishers.ofString(CliJson.write(body)), Optional.empty());
    }

    JsonNode patch(String path, Map<String, ?> body) {
        return send("PATCH", path, BodyPublishers.ofString(CliJson.write(body)), Optional.empty());
    }

    /** The response header {@code name} at {@code path}. */
    String header(String path, String name) {
        var response = exchange(request("HEAD", path, BodyPublishers.noBody()).build());
        if (response.statusCode() >= 300) {
            throw Failure.notHiroba(server.uri(), response.statusCode());
        }
        return response.headers().firstValue(name).orElse("");
    }

    /** Appends {@code part} at {@code offset} to the file at {@code path}. */
    void append(String path, long offset, byte[] part) {
        var request = request("PATCH", path, BodyPublishers.ofByteArray(part))
                .header("Content-Type", "application/octet-stream")
                .header("Upload-Offset", Long.toString(offset));
        answer(exchange(request.build()));
    }

    /** Streams the response at {@code path} to {@code reader} and returns its result. */
    <T> T download(String path, BodyReader<T> reader) {
        var request = HttpRequest.newBuilder(server.resolve(path))
                .header("Accept", "*/*")
                .header("Accept-Language", CliMessages.language().tag())
                .header("User-Agent", "hiroba-cli");
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        try {
            var response = http.send(request.build(), BodyHandlers.ofInputStream());
            try (var body = response.body()) {
                if (response.statusCode() >= 300) {
                    var text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
                    throw refusal(text, response.statusCode());
                }
                return reader.read(body);
            }
        } catch (IOException e) {
            throw Failure.of(
                    Cli.UNREACHABLE,
                    "cli.broken-off",
                    text("failure.broken-off-because", server.uri(), String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.unreachable(server.uri());
        }
    }

    private Failure refusal(String body, int status) {
        return CliJson.read(body)
                .map(problem -> Failure.refused(problem, status))
                .orElseGet(() -> Failure.notHiroba(server.uri(), status));
    }

    /** Reads a response body as a stream. */
    @FunctionalInterface
    interface BodyReader<T> {
        T read(InputStream body) throws IOException;
    }

    JsonNode delete(String path) {
        return send("DELETE", path, BodyPublishers.noBody(), Optional.empty());
    }

    private JsonNode send(String method, String path, BodyPublisher body, Optional<String> key) {
        var request = request(method, path, body);
        if (body.contentLength() != 0) {
            request.header("Content-Type", "application/json");
        }
        key.ifPresent(once -> request.header("Idempotency-Key", once));
        return answer(exchange(request.build()));
    }

    private HttpRequest.Builder request(String method, String path, BodyPublisher body) {
        var request = HttpRequest.newBuilder(server.resolve(path))
                .timeout(ANSWER)
                .method(method, body)
                .header("Accept", "application/json")
                .header("Accept-Language", CliMessages.language().tag())
                .header("User-Agent", "hiroba-cli");
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    private HttpResponse<String> exchange(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw Failure.unreachable(server.uri());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.unreachable(server.uri());
        }
    }

    private JsonNode answer(HttpResponse<String> response) {
        int status = response.statusCode();
        var json = CliJson.read(response.body().isBlank() && status < 300 ? "{}" : response.body());
        if (json.isEmpty() || (status >= 300 && status < 400)) {
            throw Failure.notHiroba(server.uri(), status);
        }
        if (status >= 400) {
            throw Failure.refused(json.get(), status);
        }
        return json.get();
    }
}
