package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.hiroba.embedded.DebianPrograms;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedException;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.InstalledProgram;
import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's example of pgBackRest: its configuration and its commands as they stand there, with the real program. */
@Tag("slow")
class PgBackRestTest {

    private static final Path GUIDE = Path.of("..", "docs", "guides", "backup.md");
    private static final DateTimeFormatter TARGET =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSSx").withZone(ZoneOffset.UTC);

    /** What a Debian machine has for a cluster, and where all of it is here. */
    private static final String MACHINE = """
            set -e
            export PATH="%2$s/bin:%3$s/bin:%4$s/bin:$PATH" PGHOST="%1$s" PGPORT=%5$d PGUSER=postgres PGDATABASE=postgres
            export PGBACKREST_CONFIG="%1$s/pgbackrest.conf" PGBACKREST_LOG_PATH="%1$s" PGBACKREST_LOCK_PATH="%1$s/lock"
            export PGBACKREST_PG1_SOCKET_PATH="%1$s" PGBACKREST_PG1_PORT=%5$d PGBACKREST_PG1_USER=postgres
            pg_ctlcluster() { pg_ctl --pgdata="%1$s/data" --log="%1$s/postgres.log" --wait "$3" >/dev/null; }
            """;

    @TempDir
    private Path folder;

    private int port;
    private Path postgres;
    private String machine = "";

    @BeforeEach
    void start() throws Exception {
        var cache = EmbeddedConfig.defaultCacheDir();
        port = InstalledProgram.freePort();
        postgres = EmbeddedPostgres.provide(cache, step -> {});
        try {
            machine = MACHINE.formatted(
                    folder,
                    postgres,
                    DebianPrograms.postgresqlClient(cache, step -> {}),
                    DebianPrograms.provide(cache, "pgbackrest", List.of("pgbackrest"), step -> {}),
                    port);
        } catch (EmbeddedException e) {
            abort("pgBackRest cannot be had here: " + e.getMessage());
        }
        run("""
                initdb --pgdata="$PGHOST/data" --username=postgres --auth=trust --encoding=UTF8 --no-sync >/dev/null
                cat >>"$PGHOST/data/postgresql.conf" <<END
                port = $PGPORT
                listen_addresses = '127.0.0.1'
                unix_socket_directories = '$PGHOST'
                fsync = off
                END
                pg_ctlcluster 17 main start
                psql -q -c 'CREATE EXTENSION vector'
                """);
    }

    @AfterEach
    void stop() throws Exception {
        if (Files.exists(folder.resolve("data/postmaster.pid"))) {
            run("pg_ctlcluster 17 main stop");
        }
    }

    @Test
    void theExampleOfTheGuideRestoresToATimeAndHirobaStartsOnIt() throws Exception {
        var guide = Files.readString(GUIDE).lines().toList();
        var configuration = block(guide, "```ini");
        assertThat(configuration).contains("repo1-path=/var/lib/pgbackrest", "pg1-path=/var/lib/postgresql/17/main");
        Files.write(
                folder.resolve("pgbackrest.conf"),
                configuration.stream()
                        .map(line -> line.replaceFirst("(repo1-path)=.*", "$1=" + folder.resolve("repository"))
                                .replaceFirst("(pg1-path)=.*", "$1=" + folder.resolve("data")))
                        .toList());
        var commands = block(guide.subList(guide.indexOf("```ini"), guide.size()), "```sh");
        int restoring = commands.indexOf("pg_ctlcluster 17 main stop");
        post("before the backup");
        run(String.join("\n", commands.subList(0, restoring)));
        post("after the backup");
        Thread.sleep(50); // on both sides of the time nothing is committed
        var time = Instant.now();
        Thread.sleep(50);
        post("after the time");

        run(String.join("\n", commands.subList(restoring, commands.size()))
                .replaceFirst("--target=\"[^\"]*\"", "--target=\"" + TARGET.format(time) + "\""));
        run("until [ \"$(psql -At -c 'SELECT pg_is_in_recovery()')\" = f ]; do sleep 0.1; done");
        assertThat(posts()).contains("before the backup", "after the backup").doesNotContain("after the time");
    }

    /** The lines of the first block of a kind. */
    private static List<String> block(List<String> guide, String kind) {
        var lines = guide.subList(guide.indexOf(kind) + 1, guide.size());
        return lines.subList(0, lines.indexOf("```"));
    }

    private void post(String text) {
        try (var node = TestServer.node(database(), folder.resolve("hiroba"), "--grpc.enabled=false")) {
            assertThat(signedIn(node.address().getPort())
                            .post("/api/v1/posts", "{'content': '%s'}".formatted(text))
                            .status())
                    .isEqualTo(HttpURLConnection.HTTP_CREATED);
        }
    }

    private String posts() {
        try (var node = TestServer.node(database(), folder.resolve("hiroba"), "--grpc.enabled=false")) {
            return signedIn(node.address().getPort()).get("/api/v1/posts").body();
        }
    }

    private static ApiClient signedIn(int port) {
        var anonymous = ApiClient.anonymous(port);
        var reply = anonymous.post(
                "/api/v1/tokens",
                "{'email': '%s', 'password': '%s', 'name': 'test'}"
                        .formatted(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD));
        return anonymous.token(reply.text("token"));
    }

    private DatabaseConfig database() {
        return DatabaseConfig.of("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres", "none");
    }

    /** Not as root, whom PostgreSQL refuses; in a user namespace root's files are one's own. */
    private void run(String script) throws IOException, InterruptedException {
        var words = new ArrayList<String>();
        if ("root".equals(System.getProperty("user.name"))) {
            words.addAll(List.of("unshare", "-U"));
        }
        words.addAll(List.of("bash", "-c", machine + script));
        var output = Files.createTempFile(folder, "said", "");
        var process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        var said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
    }
}
