package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.embedded.EmbeddedReport;
import io.hiroba.embedded.Progress;
import io.hiroba.platform.StartException;
import io.hiroba.platform.db.DatabaseCheck;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Migrations;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Messages;
import io.hiroba.platform.i18n.Text;
import io.hiroba.testkit.TcpProxy;
import io.hiroba.testkit.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path data;

    private int run(Map<String, String> environment, String... args) {
        return new Main(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        environment)
                .run(List.of(args));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theConfigurationIsPrintedWithItsOriginsAndWithoutItsSecrets() {
        int status = run(
                Map.of(
                        "HIROBA_ADMIN_EMAIL",
                        "a@b.c",
                        "HIROBA_ADMIN_PASSWORD",
                        "hunter2hunter2",
                        "HIROBA_DATABASE_URL",
                        "postgresql://a:b3c4d5@h/d"),
                "config",
                "--port=9090");
        assertThat(status).isZero();
        assertThat(out())
                .contains("port: 9090  # --port")
                .doesNotContain("hunter2")
                .doesNotContain("b3c4d5");
    }

    @Test
    void everyMistakeInTheConfigurationIsNamedAtOnce() {
        int status = run(Map.of("HIROBA_DATABSE_URL", "x"), "serve", "--prot=1", "--http.port=70000");
        assertThat(status).isEqualTo(2);
        assertThat(err())
                .contains("did you mean `HIROBA_DATABASE_URL`?")
                .contains("--prot")
                .contains("port must be between 0 and 65535");
    }

    @Test
    void tooFewConnectionsAreRefusedBeforeAnythingIsMade() {
        for (var command : List.of("config", "serve")) {
            err.reset();
            assertThat(run(Map.of(), command, "--data=" + data, "--database.pool-size=5"))
                    .isEqualTo(2);
            assertThat(err())
                    .contains("`database.pool-size` must be at least 9, not 5")
                    .hasLineCount(1);
        }
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void aFullDiskIsToldAsSuch() {
        var failure = new StartException(Text.of("server.start.lost-database", "reason", "terminated"));
        assertThat(NodeDatabase.full(data, 5_000_000, failure))
                .isInstanceOfSatisfying(
                        StartException.class,
                        told -> assertThat(told.sentence().in(Language.ENGLISH))
                                .startsWith("There is no room on the disk of " + data)
                                .contains("5.0 MB"));
        assertThat(NodeDatabase.full(data, 5_000_000_000L, failure)).isSameAs(failure);
        var full = new SQLException("could not extend file", "53100");
        assertThat(DatabaseCheck.lost(new IllegalStateException(full))
                        .orElseThrow()
                        .in(Language.ENGLISH))
                .startsWith("The database has no room left on its disk (could not extend file)");
    }

    @Test
    void aConfigurationFileThatWasAskedForMustBeThere() {
        assertThat(run(Map.of(), "config", "--config", data.resolve("none.yaml").toString()))
                .isEqualTo(2);
        assertThat(err()).contains("there is no file");
    }

    @Test
    void anUnknownCommandIsNamedWithThoseThereAre() {
        assertThat(run(Map.of(), "dance")).isEqualTo(2);
        assertThat(err()).contains("`dance`").contains("serve, config, doctor, models");
    }

    @Test
    void whatItSaysItselfIsInTheLanguageOfTheShell() {
        assertThat(run(Map.of("LANG", "zh_CN.UTF-8"), "dance")).isEqualTo(2);
        assertThat(err()).isEqualTo("没有命令 `dance`。可用的命令：serve、config、doctor、models、backup、restore、upgrade-database。\n");
        try (var database = TestDatabase.create()) {
            var config = database.config();
            var variables = Map.of(
                    "HIROBA_LANGUAGE", "ja",
                    "LC_ALL", "C.UTF-8",
                    "HIROBA_DATABASE_URL", config.url(),
                    "HIROBA_DATABASE_USER", config.user(),
                    "HIROBA_DATABASE_PASSWORD", config.password());
            assertThat(run(variables, "doctor")).isZero();
        }
        assertThat(out())
                .startsWith("  ✓ データベース 設定されたPostgreSQLは応答しており、十分に新しく、ICUとpgvectorがあります\n")
                .contains("  ✓ PostgreSQL   17.", "最も古いトランザクション", "ノードとデータベースの時計の差 0 秒")
                .doesNotContain("→");
    }

    @Test
    void doctorTellsOfBackups() {
        run(Map.of(), "doctor", "--data=" + data);
        assertThat(out()).contains("  ✓ Backup       Not scheduled: see `backup.folder`");
        run(Map.of(), "doctor", "--data=" + data, "--backup.folder=" + data.resolve("backups"));
        assertThat(out()).contains("  – Backup       None yet\n      → Late. Look whether " + data.resolve("backups"));
    }

    @Test
    void whyItDoesNotStartIsInTheLanguageOfTheShell() {
        assertThat(run(Map.of("LANG", "ja_JP.UTF-8"), "doctor", "--database.url=mysql://localhost/square"))
                .isEqualTo(1);
        assertThat(err()).startsWith("データベースのURLは、").hasLineCount(1);
        assertThat(run(
                        Map.of("LANG", "zh_CN.UTF-8"),
                        "doctor",
                        "--database.url=postgresql://127.0.0.1:1/square",
                        "--database.user=ann"))
                .isEqualTo(1);
        assertThat(err()).endsWith("postgresql://127.0.0.1:1/square 上没有 PostgreSQL 响应：请检查主机和端口，并确认服务器正在运行。\n");
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void everythingThatIsFoundAndDoneHasItsWords(Language language) {
        var words = Messages.in(language).patterns("server.");
        assertThat(words.keySet())
                .containsAll(keys("server.doctor.", EmbeddedReport.Finding.values()))
                .containsAll(keys("server.part.", EmbeddedReport.Part.values()))
                .containsAll(keys("server.step.", Progress.Step.values()));
    }

    private static List<String> keys(String family, Enum<?>[] all) {
        return Stream.of(all)
                .map(each -> family + each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
    }

    @Test
    void nothingRunsOnAnUnfinishedRestoreAndNothingIsMadeInIt() throws IOException {
        Files.createFile(data.resolve("restore.lock"));
        for (var command : List.of(
                List.of("serve"), List.of("upgrade-database"), List.of("backup", "--", "--to", data + "/backups"))) {
            var args = new ArrayList<>(command);
            args.add(1, "--data=" + data);
            err.reset();
            assertThat(run(Map.of(), args.toArray(String[]::new))).isEqualTo(1);
            assertThat(err())
                    .contains("unfinished restore", "run the restore command again")
                    .hasLineCount(1);
        }
        assertThat(data.toFile().list()).containsExactly("restore.lock");
        Files.delete(data.resolve("restore.lock"));
        Files.createFile(Files.createDirectory(data.resolve(".partial")).resolve("restore.lock"));
        assertThat(run(Map.of(), "serve", "--data=" + data)).isEqualTo(1);
    }

    @Test
    void anAdminsPasswordThatIsRefusedStopsTheStartBeforeAnythingIsMade() {
        var password = Map.of("HIROBA_ADMIN_PASSWORD", "password");
        assertThat(run(password, "serve", "--data=" + data, "--http.port=0")).isEqualTo(1);
        assertThat(err()).contains("`admin.password` is too common").hasLineCount(1);
        assertThat(data.resolve("postgres")).doesNotExist();
        err.reset();
        assertThat(run(Map.of("HIROBA_ADMIN_PASSWORD", "short"), "serve", "--data=" + data))
                .isEqualTo(2);
        assertThat(err()).contains("admin").hasLineCount(1);
        try (var empty = TestDatabase.createEmpty()) {
            var config = empty.config();
            err.reset();
            assertThat(run(
                            password,
                            "serve",
                            "--data=" + data,
                            "--http.port=0",
                            "--database.url=" + config.url(),
                            "--database.user=" + config.user(),
                            "--database.password=" + config.password()))
                    .isEqualTo(1);
            assertThat(err()).contains("`admin.password` is too common").hasLineCount(1);
            assertThat(Migrations.isFirst(config)).isTrue();
        }
    }

    @Test
    void doctorMakesNothingInADatabase() throws SQLException {
        try (var empty = TestDatabase.createEmpty();
                var connection = Db.connect(empty.superuser());
                var statement = connection.createStatement()) {
            statement.execute("DROP EXTENSION IF EXISTS vector");
            var config = empty.config();
            assertThat(run(
                            Map.of(),
                            "doctor",
                            "--database.url=" + config.url(),
                            "--database.user=" + config.user(),
                            "--database.password=" + config.password()))
                    .isZero();
            assertThat(out()).contains("the configured PostgreSQL answers", "  ✓ Writes       Taken");
            try (var row = statement.executeQuery("SELECT count(*) FROM pg_extension WHERE extname = 'vector'")) {
                row.next();
                assertThat(row.getInt(1)).isZero();
            }
        }
    }

    @Test
    void aPortThatIsTakenIsOneSentence() throws IOException {
        try (var database = TestDatabase.create();
                var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var config = database.config();
            int status = run(
                    Map.of(),
                    "serve",
                    "--data=" + data,
                    "--port=" + socket.getLocalPort(),
                    "--grpc.enabled=false",
                    "--database.url=" + config.url(),
                    "--database.user=" + config.user(),
                    "--database.password=" + config.password());
            assertThat(status).isEqualTo(1);
            assertThat(err())
                    .contains("port " + socket.getLocalPort())
                    .contains("--port")
                    .doesNotContain("Exception");
            long admins = database.db()
                    .read(reads -> reads.query("SELECT count(*) FROM accounts.users")
                            .mapTo(Long.class)
                            .one());
            assertThat(admins)
                    .as("nobody was made whose password was never shown")
                    .isZero();
        }
    }

    /** The check before the start makes three connections, the migration the next one, and the pools of the node those after it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 12})
    void aDatabaseThatGoesAwayDuringTheStartIsOneSentence(int connections) {
        try (var database = TestDatabase.create();
                var proxy = new TcpProxy(database.config().url(), number -> number <= connections)) {
            int status = run(
                    Map.of(),
                    "serve",
                    "--data=" + data,
                    "--http.port=0",
                    "--grpc.enabled=false",
                    "--database.url=" + proxy.jdbcUrl(),
                    "--database.user=" + database.config().user(),
                    "--database.password=" + database.config().password());
            assertThat(status).isEqualTo(1);
        }
        assertThat(err())
                .contains(
                        connections < 3
                                ? "No PostgreSQL answers at postgresql://127.0.0.1:"
                                : "The database failed while Hiroba was starting (")
                .endsWith(connections < 3 ? "that the server runs.\n" : "then start Hiroba again.\n")
                .hasLineCount(1);
    }

    @Test
    void aWorkflowThatIsNoUseStopsTheStartWithItsFileAndLine() throws IOException {
        var folder = Files.createDirectory(data.resolve("workflows"));
        Files.writeString(folder.resolve("order.yaml"), "name: order\nsteps:\n  - {name: a, service: s, mehtod: m}\n");
        try (var database = TestDatabase.create()) {
            var config = database.config();
            int status = run(
                    Map.of(),
                    "serve",
                    "--data=" + data,
                    "--http.port=0",
                    "--database.url=" + config.url(),
                    "--database.user=" + config.user(),
                    "--database.password=" + config.password(),
                    "--saga.workflows=" + folder);
            assertThat(status).isEqualTo(1);
            assertThat(err()).contains("order.yaml (saga.workflows)", "line 3: `steps[0].method` is missing");
        }
    }

    @Test
    void aModelThatIsNotInstalledStopsTheStartInOneSentence() {
        assertThat(run(Map.of(), "models", "--data=" + data, "--", "list")).isZero();
        assertThat(out()).isEqualTo("No model is installed in %s.\n".formatted(data.resolve("models")));
        assertThat(run(Map.of(), "models", "--data=" + data)).isEqualTo(2);
        assertThat(err()).startsWith("Usage: models list").hasLineCount(1);
        try (var database = TestDatabase.create()) {
            var config = database.config();
            err.reset();
            int status = run(
                    Map.of(),
                    "serve",
                    "--data=" + data,
                    "--http.port=0",
                    "--grpc.enabled=false",
                    "--database.url=" + config.url(),
                    "--database.user=" + config.user(),
                    "--database.password=" + config.password(),
                    "--knowledge.embedding.provider=onnx",
                    "--knowledge.embedding.model=multilingual-e5-small");
            assertThat(status).isEqualTo(1);
            assertThat(err())
                    .startsWith("The model multilingual-e5-small is not installed in " + data)
                    .hasLineCount(1);
        }
    }
}
