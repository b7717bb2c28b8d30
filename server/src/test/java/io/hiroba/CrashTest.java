package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.social.media.picture.TestPictures;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
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
        return start(data);
    }

    private ChildJvm start(Path folder) {
        var server = ChildJvm.start(
                Main.class,
                "-Dhiroba.log.dir=" + folder.resolve("log"),
                "serve",
                "--port=" + port,
                "--data=" + folder,
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
        killPostgres(data);
    }

    private static void killPostgres(Path folder) throws IOException {
        var file = folder.resolve("postgres/data/postmaster.pid");
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

    private HttpResponse<byte[]> get(String path, String token) throws IOException, InterruptedException {
        return client.send(
                request(path).header("Authorization", "Bearer " + token).build(), BodyHandlers.ofByteArray());
    }

    private int run(String... args) {
        return new Main(System.out, System.err, Map.of()).run(List.of(args));
    }

    @Test
    void aBackupThatIsMadeWhileItServesIsRestoredAndServes(@TempDir Path places) throws Exception {
        var posts = new ConcurrentLinkedQueue<String>();
        String token;
        String picture;
        try (var server = start()) {
            token = token();
            var image = client.send(
                    request("/api/v1/images")
                            .setHeader("Content-Type", "image/jpeg")
                            .header("Authorization", "Bearer " + token)
                            .POST(BodyPublishers.ofByteArray(TestPictures.jpeg(60, 30)))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(image.statusCode()).as(image.body()).isEqualTo(201);
            picture = JSON.readTree(image.body()).get("path").asString();
            var isDone = new AtomicBoolean();
            var writer = Thread.ofPlatform().start(() -> {
                while (!isDone.get()) {
                    try {
                        var made = post("/api/v1/posts", token, "{\"content\": \"one of many\"}");
                        if (made.statusCode() == 429) {
                            Thread.sleep(1000);
                            continue;
                        }
                        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
                        posts.add(JSON.readTree(made.body()).get("id").asString());
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            await().until(() -> posts.size() > 5);
            var before = List.copyOf(posts);
            assertThat(run(
                            "backup",
                            "--data=" + data,
                            "--",
                            "--to",
                            places.resolve("backups").toString()))
                    .isZero();
            isDone.set(true);
            writer.join();
            posts.retainAll(before);
            assertThat(server.alive()).isTrue();
        }
        killPostgres();
        var restored = places.resolve("restored");
        assertThat(run(
                        "restore",
                        "--data=" + restored,
                        "--",
                        "--from",
                        places.resolve("backups").toString()))
                .isZero();
        try (var server = start(restored)) {
            assertThat(server.alive()).isTrue();
            for (var post : posts) {
                assertThat(get("/api/v1/posts/" + post, token).statusCode()).isEqualTo(200);
            }
            assertThat(get(picture, token).headers().firstValue("Content-Type")).contains("image/jpeg");
            server.stop();
            assertThat(Files.readAllLines(restored.resolve("log/server.log")).stream()
                            .flatMap(line -> Stream.of(" is starting", " is ready at", " is stopping", " has stopped")
                                    .filter(line::contains)))
                    .as("the life of the server in its log")
                    .containsExactly(" is starting", " is ready at", " is stopping", " has stopped");
        } finally {
            killPostgres(restored);
        }
    }
}
