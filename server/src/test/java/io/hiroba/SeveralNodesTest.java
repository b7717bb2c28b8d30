package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.hiroba.platform.StartException;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Replica;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestServer;
import io.hiroba.testkit.TestStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of an external database: its failover, and what they have to share beside it. */
@Tag("slow")
class SeveralNodesTest {

    @TempDir
    private Path folder;

    @Test
    void aNodeFollowsThePrimaryToTheServerThatIsPromoted() throws Exception {
        try (var servers = new Replica()) {
            var config = DatabaseConfig.of(servers.url("preferSecondary"), servers.user(), servers.password());
            try (var node = TestServer.node(config, folder)) {
                var api = ApiClient.anonymous(node.address().getPort());
                assertThat(readiness(api)).isEqualTo(200);
                servers.stopPrimary();
                await().until(() -> readiness(api) == 503);
                // Two seconds each by what is waited for; a busy machine may take longer.
                assertTimeout(Duration.ofSeconds(15), () -> {
                    for (int request = 0; request < 3; request++) {
                        var refused = logIn(api);
                        assertThat(refused.status()).isEqualTo(503);
                        assertThat(refused.header("Retry-After")).isEqualTo("5");
                    }
                });
                servers.promote();
                await().atMost(Duration.ofSeconds(60)).until(() -> logIn(api).status() == 201);
                assertThat(readiness(api)).isEqualTo(200);
            }
        }
    }

    @Test
    void doctorTellsOfAStandbyAndGoesOn() throws Exception {
        var out = new ByteArrayOutputStream();
        try (var servers = new Replica()) {
            var main = new Main(new PrintStream(out, true, StandardCharsets.UTF_8), System.err, Map.of());
            var status = main.run(List.of(
                    "doctor",
                    "--database.url=" + servers.standby(),
                    "--database.user=" + servers.user(),
                    "--database.password=" + servers.password()));
            assertThat(status).isZero();
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("Refused: this PostgreSQL is a standby", "promote this one", "Clocks of node and database");
    }

    private static int readiness(ApiClient api) {
        return api.get("/readyz").status();
    }

    private static ApiClient.Reply logIn(ApiClient api) {
        return api.post(
                "/api/v1/session",
                "{\"email\": \"%s\", \"password\": \"%s\"}"
                        .formatted(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD));
    }

    @Test
    void streamsOnAnyNodeEndWithTheSessionOrTokenThatOpenedThem() {
        try (var database = TestDatabase.create();
                var here = TestServer.node(database.config(), folder);
                var there = TestServer.node(database.config(), folder)) {
            var first = ApiClient.anonymous(here.address().getPort());
            var second = ApiClient.anonymous(there.address().getPort());

            var session = logIn(first).cookie();
            var admin = first.cookie(logIn(first).cookie());
            try (var local = first.cookie(session).stream("/api/v1/stream");
                    var remote = second.cookie(session).stream("/api/v1/stream");
                    var another = second.cookie(logIn(second).cookie()).stream("/api/v1/stream")) {
                assertEnds(local, remote, () -> first.cookie(session).delete("/api/v1/session"));
                assertThat(another.isEnded()).isFalse();
            }

            var credentials = "{'email':'member@square.example','nickname':'M','password':'%s'}";
            var member = admin.post("/api/v1/users", credentials.formatted("correct horse"))
                    .text("id");
            var token = token(first, "correct horse");
            try (var local = first.token(token.text("token")).stream("/api/v1/stream");
                    var remote = second.token(token.text("token")).stream("/api/v1/stream")) {
                assertEnds(local, remote, () -> first.token(token.text("token")).delete(token.header("Location")));
            }
            var next = token(first, "correct horse").text("token");
            try (var local = first.token(next).stream("/api/v1/stream");
                    var remote = second.token(next).stream("/api/v1/stream")) {
                assertEnds(
                        local,
                        remote,
                        () -> admin.put("/api/v1/users/" + member + "/password", "{'newPassword':'battery staple'}"));
            }
            var last = token(first, "battery staple").text("token");
            try (var local = first.token(last).stream("/api/v1/stream");
                    var remote = second.token(last).stream("/api/v1/stream")) {
                assertEnds(local, remote, () -> admin.post("/api/v1/users/" + member + "/suspend", "{}"));
                assertThat(second.token(last).get("/api/v1/me").status()).isEqualTo(401);
                assertThat(admin.post("/api/v1/users/" + member + "/restore", "")
                                .status())
                        .isEqualTo(204);
                assertThat(second.token(last).get("/api/v1/me").status()).isEqualTo(200);
            }
            try (var local = first.token(last).stream("/api/v1/stream");
                    var remote = second.token(last).stream("/api/v1/stream")) {
                assertEnds(local, remote, () -> admin.delete("/api/v1/users/" + member));
            }
        }
    }

    private static ApiClient.Reply token(ApiClient api, String password) {
        return api.post(
                "/api/v1/tokens",
                "{'email':'member@square.example','password':'%s','name':'test'}".formatted(password));
    }

    /** Within a second by what is waited for; a busy machine may take longer. */
    private static void assertEnds(TestStream local, TestStream remote, Supplier<ApiClient.Reply> revocation) {
        assertThat(local.isEnded() || remote.isEnded()).isFalse();
        assertThat(revocation.get().status()).isBetween(200, 204);
        await().atMost(Duration.ofSeconds(5)).until(() -> local.isEnded() && remote.isEnded());
    }

    @Test
    void aNodeWithAFolderForPicturesOfItsOwnDoesNotStart() throws Exception {
        var own = Files.createDirectory(folder.resolve("own"));
        try (var database = TestDatabase.create();
                var first = TestServer.node(database.config(), folder)) {
            assertThat(first.admin()).isNotNull();
            var keys = "--secrets.key-file=" + folder.resolve("keys");
            assertThatThrownBy(() -> TestServer.node(database.config(), own, keys))
                    .isInstanceOf(StartException.class)
                    .hasMessageStartingWith("The pictures of this database are kept elsewhere than in " + own)
                    .hasMessageContaining("media.folder");
            try (var second =
                    TestServer.node(database.config(), own, "--media.folder=" + folder.resolve("media"), keys)) {
                assertThat(readiness(ApiClient.anonymous(second.address().getPort())))
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aNodeWithoutTheKeysOfTheSecretsDoesNotStart() throws Exception {
        var own = Files.createDirectory(folder.resolve("own"));
        var pictures = "--media.folder=" + folder.resolve("media");
        try (var database = TestDatabase.create();
                var first = TestServer.node(database.config(), folder)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("keys"))))
                    .isEqualTo("rw-------");
            assertThatThrownBy(() -> TestServer.node(database.config(), own, pictures))
                    .isInstanceOf(StartException.class)
                    .hasMessageStartingWith("The key file " + own.resolve("keys") + " lacks the key ")
                    .hasMessageContaining("secrets.key-file");
            assertThat(own.resolve("keys")).doesNotExist();

            Files.copy(folder.resolve("keys"), own.resolve("keys"));
            try (var second = TestServer.node(database.config(), own, pictures)) {
                var api = ApiClient.anonymous(second.address().getPort());
                var admin = api.cookie(logIn(api).cookie());
                var rotation = "/api/v1/admin/keys/rotate";
                assertThat(admin.post(rotation, "").outcome()).isEqualTo("409 accounts.rotation-of-several-nodes");
                for (var node : List.of(folder, own)) {
                    Files.writeString(
                            node.resolve("keys"),
                            "c2Vjb25kIGtleSBvZiBib3RoLCBvZiAzMiBieXRlcyE=\n",
                            StandardOpenOption.APPEND);
                }
                assertThat(admin.post(rotation, "").outcome()).isEqualTo("202");
                await().until(() ->
                        admin.get("/api/v1/admin/keys").json().path("items").size() == 1);
                assertThat(first.admin()).isNotNull();
            }
        }
    }
}
