package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.ChildJvm;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A whole Hiroba on its embedded database, as an operator runs it, killed at the worst moment. */
@Tag("slow")
class CrashTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    private Path data;

    private final HttpClient client = HttpClient.newHttpClient();
    private int port;

    @BeforeEach
    void takeAFreePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
    }

    @AfterEach
    void stopPostgres() throws IOException {
        client.close();
        killPostgres();
    }

    private ChildJvm start() {
        var server = ChildJvm.start(
                Main.class,
                "serve",
                "--port=" + port,
                "--data=" + data,
                "--accounts.hashing.memory-kib=1024",
                "--admin.email=admin@square.example",
                "--admin.password=correct horse battery");
        await().atMost(Duration.ofMinutes(3)).until(this::ready);
        return server;
    }

    private boolean ready() throws InterruptedException {
        try {
            return client.send(request("/readyz").build(), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(30));
    }

    private HttpResponse<String> post(String path, String token, String body) throws IOException, InterruptedException {
        var request = request(path).POST(BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private String token() throws IOException, InterruptedException {
        var answer = post("/api/v1/tokens", "", """
                {"email": "admin@square.example", "password": "correct horse battery", "name": "test"}
                """);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return JSON.readTree(answer.body()).get("token").asString();
    }

    private void killPostgres() throws IOException {
        var file = data.resolve("postgres/data/postmaster.pid");
        if (Files.exists(file)) {
            ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst().strip()))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void killedAloneOrWithItsDatabaseItComesBackWithEverythingItHadAcknowledged() throws Exception {
        String token;
        try (var server = start()) {
            token = token();
            for (int n = 0; n < 10; n++) {
                var made = post("/api/v1/users", token, """
                        {"email": "user%d@square.example", "nickname": "User %d", "password": "long enough %d"}
                        """.formatted(n, n, n));
                assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
            }
            server.kill();
            killPostgres();
        }
        try (var server = start()) {
            assertThat(server.alive()).isTrue();
            for (int n = 0; n < 10; n++) {
                var session = post("/api/v1/session", "", """
                        {"email": "user%d@square.example", "password": "long enough %d"}
                        """.formatted(n, n));
                assertThat(session.statusCode()).as(session.body()).isLessThan(300);
            }
            assertThat(post("/api/v1/me/actions", token, "{\"payload\": {\"did\": \"come back\"}}")
                            .statusCode())
                    .as("the old token is still good")
                    .isLessThan(300);
            token = token();
            server.kill();
        }
        try (var server = start()) {
            assertThat(server.alive()).as("it finds its database still running").isTrue();
            var me = client.send(
                    request("/api/v1/me")
                            .header("Authorization", "Bearer " + token)
                            .build(),
                    BodyHandlers.ofString());
            assertThat(JSON.readTree(me.body()).get("email").asString()).isEqualTo("admin@square.example");
        }
    }
}
