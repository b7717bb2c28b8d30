package io.hiroba.client.testkit;

import io.hiroba.App;
import io.hiroba.AppConfig;
import io.hiroba.client.Hiroba;
import io.hiroba.platform.config.ConfigLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A whole Hiroba with a database of its own, in the process of a test and on a free port. Each makes a database: share one among
 * the tests of a class. All that is in it is gone when it is closed.
 */
public final class EmbeddedHiroba implements AutoCloseable {

    private static final String EMAIL = "admin@hiroba.example";

    private final Path data;
    private final App app;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String token;
    private final Hiroba client;

    private EmbeddedHiroba(Path data) {
        this.data = data;
        var password = UUID.randomUUID().toString();
        var settings = ConfigLoader.of(AppConfig.class)
                .environment(Map.of())
                .arguments(List.of(
                        "--data=" + data,
                        "--http.port=0",
                        "--http.rate-limit.enabled=false",
                        "--admin.email=" + EMAIL,
                        "--admin.password=" + password))
                .load();
        app = App.start(settings, Clock.systemUTC(), step -> {});
        token = send(
                        "POST",
                        "/api/v1/tokens",
                        "application/json",
                        json(Map.of("email", EMAIL, "password", password, "name", "test")))
                .path("token")
                .asString();
        client = Hiroba.connect(url(), token);
    }

    /** Starts a server. */
    public static EmbeddedHiroba start() {
        try {
            return new EmbeddedHiroba(Files.createTempDirectory("hiroba-test"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of the server. */
    public URI url() {
        return URI.create(app.address().toString());
    }

    /** A token of an admin. */
    public String token() {
        return token;
    }

    /** A client with all rights. It is closed with the server. */
    public Hiroba client() {
        return client;
    }

    /** Registers a service whose steps workers carry out. */
    public EmbeddedHiroba workerService(String name) {
        send("PUT", "/api/v1/saga-services/" + name, "application/json", json(Map.of("endpoint", "worker:")));
        return this;
    }

    /** Registers a workflow, which is written in YAML. */
    public EmbeddedHiroba workflow(String yaml) {
        send("POST", "/api/v1/workflows", "application/yaml", yaml);
        return this;
    }

    private static String json(Object value) {
        return JsonMapper.shared().writeValueAsString(value);
    }

    private JsonNode send(String method, String path, String type, String body) {
        var request = HttpRequest.newBuilder(url().resolve(path))
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body));
        if (!path.equals("/api/v1/tokens")) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            var answer = http.send(request.build(), BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalArgumentException(answer.body());
            }
            return JsonMapper.shared().readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        client.close();
        http.close();
        app.close();
        try (var files = Files.walk(data)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
