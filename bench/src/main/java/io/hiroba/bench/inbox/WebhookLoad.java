package io.hiroba.bench.inbox;

import io.hiroba.App;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.bench.InterleavedBenchmark.Result;
import io.hiroba.bench.LoadClients;
import io.hiroba.platform.db.Db;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The benchmark of GitLab webhooks: how many calls a second are stored over HTTP, and how many are processed. */
final class WebhookLoad {

    private static final int CLIENTS = 4;
    private static final int BACKLOG = 1_000;
    private static final long PAUSE_NANOS = 5_000_000;

    private final BenchDatabase database;
    private final Db db;
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong issues = new AtomicLong();

    WebhookLoad(BenchDatabase database) {
        this.database = database;
        this.db = database.db();
    }

    void run(double seconds) {
        try (var app = database.serve()) {
            var hook = connect(app);
            new InterleavedBenchmark("calls of a webhook, kept", "calls/s")
                    .inThreeRounds()
                    .with("one insert, by hand", () -> LoadClients.rate(CLIENTS, seconds, n -> insert()))
                    .with("ours, over HTTP", () -> LoadClients.rate(CLIENTS, seconds, n -> call(hook)))
                    .run();
            handle(hook);
        }
    }

    /** The URL and secret of a webhook. */
    private record Hook(URI url, String secret) {}

    private Hook connect(App app) {
        var token = ask(
                        app.address().resolve("/api/v1/tokens"),
                        null,
                        "{\"email\":\"bench@square.example\",\"password\":\"a long password\",\"name\":\"bench\"}")
                .path("token")
                .asString();
        var made = ask(
                app.address().resolve("/api/v1/inbox/connections"), token, "{\"kind\":\"gitlab\",\"name\":\"bench\"}");
        var path = URI.create(made.path("url").asString()).getPath();
        return new Hook(app.address().resolve(path), made.path("secret").asString());
    }

    private JsonNode ask(URI url, @Nullable String token, String body) {
        var request = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return JsonMapper.shared().readTree(send(request.build()));
    }

    private String send(HttpRequest request) {
        try {
            var response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw new IllegalStateException(response.statusCode() + " " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void call(Hook hook) {
        send(HttpRequest.newBuilder(hook.url())
                .header("Content-Type", "application/json")
                .header("X-Gitlab-Event", "Issue Hook")
                .header("X-Gitlab-Event-UUID", UUID.randomUUID().toString())
                .header("X-Gitlab-Token", hook.secret())
                .POST(BodyPublishers.ofString(payload()))
                .build());
    }

    private String payload() {
        long n = issues.incrementAndGet();
        return """
                {"object_kind": "issue", "event_type": "issue",
                 "user": {"id": 1, "name": "Somebody", "username": "somebody"},
                 "project": {"id": 7, "name": "Shed", "path_with_namespace": "garden/shed", "web_url": "https://gitlab.example/g"},
                 "object_attributes": {"id": %1$d, "iid": %1$d, "title": "What leaks in number %1$d", "state": "opened",
                   "action": "open", "type": "Issue", "description": "It leaks.", "url": "https://gitlab.example/g/%1$d",
                   "created_at": "2026-05-01T12:00:00Z", "updated_at": "2026-05-01T12:00:00Z"},
                 "assignees": [{"id": 2, "name": "Ann", "username": "ann"}, {"id": 3, "name": "Bo", "username": "bo"}]}
                """.formatted(n);
    }

    private void insert() {
        try (var connection = db.dataSource().getConnection();
                var insert = connection.prepareStatement("""
                        INSERT INTO inbox.deliveries (id, connection_id, delivery_key, event, payload, state, handled_at)
                        VALUES (?, 2, ?, 'Issue Hook', ?, 'handled', now())
                        """)) {
            insert.setLong(1, -issues.incrementAndGet());
            insert.setString(2, UUID.randomUUID().toString());
            insert.setBytes(3, payload().getBytes(StandardCharsets.UTF_8));
            insert.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Measures how fast a backlog is processed; each delivery creates pending items of two people. */
    private void handle(Hook hook) {
        drain();
        long begun = System.nanoTime();
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < BACKLOG; i++) {
                threads.execute(() -> call(hook));
            }
        }
        drain();
        double rate = BACKLOG / ((System.nanoTime() - begun) / 1e9);
        new Result("calls of a webhook, kept and handled", "ours, over HTTP", rate, "calls/s", 1).print();
    }

    private void drain() {
        while (db.read(reads -> reads.query("SELECT EXISTS (SELECT FROM inbox.deliveries WHERE state = 'waiting')")
                .mapTo(Boolean.class)
                .one())) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
