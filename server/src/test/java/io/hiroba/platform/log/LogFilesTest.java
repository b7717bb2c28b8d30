package io.hiroba.platform.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.LogLimits;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The form of logs, and the room that they take however much is logged. */
@Tag("slow")
class LogFilesTest {

    private static final ByteSize SIZE = ByteSize.parse("64KB");

    @TempDir
    private Path folder;

    private static LogConfig config(LogConfig.Format format, LogConfig.Level level) {
        return new LogConfig(format, level, SIZE, 2);
    }

    private LoggerContext context(LogConfig config) {
        var context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        LogConfigurator.configure(context, config, Optional.of(folder));
        return context;
    }

    private List<String> names(Path place, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theServersLogIsALineOfJsonForEachEventIfSetSo() throws IOException {
        var context = context(config(LogConfig.Format.JSON, LogConfig.Level.WARN));
        var log = context.getLogger("io.hiroba.Some");
        log.info("not logged");
        context.getMDCAdapter().put("requestId", "r-1");
        log.warn("two\nlines and a \"quote\" of {}", 7, new IllegalStateException("why"));
        context.getLogger("access").info("{\"method\":\"GET\"}");
        context.stop();

        var lines = Files.readAllLines(folder.resolve("server.log"));
        assertThat(lines).hasSize(1);
        var line = Json.mapper().readTree(lines.getFirst());
        assertThat(Instant.parse(line.get("time").asString())).isBefore(Instant.now());
        assertThat(line.get("level").asString()).isEqualTo("WARN");
        assertThat(line.get("logger").asString()).isEqualTo("io.hiroba.Some");
        assertThat(line.get("message").asString()).isEqualTo("two\nlines and a \"quote\" of 7");
        assertThat(line.get("requestId").asString()).isEqualTo("r-1");
        assertThat(line.get("error").asString())
                .contains("IllegalStateException: why", "at io.hiroba.platform.log.LogFilesTest");
        assertThat(folder.resolve("access.log")).hasContent("{\"method\":\"GET\"}");
    }

    @Test
    void whatFailsBecauseTheDatabaseIsAwayIsNotLoggedOneByOne() throws IOException {
        var context = context(config(LogConfig.Format.TEXT, LogConfig.Level.INFO));
        var log = context.getLogger("io.hiroba.Some");
        log.warn("{} failed", "work", new IllegalStateException(new SQLException("gone", "08006")));
        log.warn("{} failed", "more", new IllegalStateException(new SQLException("no such table", "42P01")));
        context.stop();
        assertThat(folder.resolve("server.log"))
                .content()
                .contains("more failed", "at io.hiroba.platform.log.LogFilesTest")
                .doesNotContain("work failed");
    }

    @Test
    void theServersLogHasSoManyFilesAtMost() {
        var context = context(config(LogConfig.Format.TEXT, LogConfig.Level.INFO));
        var log = context.getLogger("io.hiroba.Some");
        log.info("the first line");
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            for (int line = 0; line < 700; line++) {
                log.info("x".repeat(100));
            }
            return Files.exists(folder.resolve("server.1.log"))
                    && !Files.readString(folder.resolve("server.1.log")).contains("the first line");
        });
        context.stop();
        await().untilAsserted(() -> assertThat(names(folder, "server")).containsExactly("server.1.log", "server.log"));
    }

    @Test
    void theFileOfTheStartIsEmptiedButForWhatTheLauncherReads() throws IOException {
        var file = folder.resolve("start.log");
        var lines = "READY http://127.0.0.1:8080\nDEMO full\n";
        Files.writeString(file, "· preparing\n" + lines + "[a line of the JVM]\n");
        var config = config(LogConfig.Format.TEXT, LogConfig.Level.INFO);
        LogFiles.trimStart(file, config);
        assertThat(file).content().startsWith("· preparing");

        Files.writeString(file, "· preparing\n" + lines + "[a line of the JVM]\n".repeat(10_000));
        LogFiles.trimStart(file, config);
        assertThat(file).hasContent(lines.strip());
        LogFiles.trimStart(folder.resolve("none"), config);
    }

    @Test
    void theDatabasesLogIsHeldToItsRoomWhileItRuns() throws Exception {
        var data = folder.resolve("postgres");
        var limits = new LogLimits(SIZE.bytes(), 2);
        var log = data.resolve("data/log");
        try (var postgres = EmbeddedPostgres.start(
                        new EmbeddedConfig(data, EmbeddedConfig.defaultCacheDir(), false, limits), step -> {});
                var connection = DriverManager.getConnection(
                        postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                statement.execute("DO $$ BEGIN RAISE LOG '%', repeat('x', 100000); END $$");
                return names(log, "postgresql-").size() > 3;
            });
            Files.writeString(data.resolve("start.log"), "x".repeat(100_000));
            postgres.trimLogs();
            assertThat(names(log, "postgresql-")).hasSizeLessThanOrEqualTo(3);
            assertThat(data.resolve("start.log")).isEmptyFile();
            statement.execute("DO $$ BEGIN RAISE LOG 'the last line'; END $$");
            await().until(() -> names(log, "postgresql-").stream().anyMatch(name -> contains(log.resolve(name))));
        }
    }

    private static boolean contains(Path file) {
        try {
            return Files.readString(file).contains("the last line");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void roomThatWouldHoldNothingIsRefused() {
        assertThatThrownBy(() -> new LogConfig(LogConfig.Format.TEXT, LogConfig.Level.INFO, ByteSize.parse("1KB"), 5))
                .hasMessageContaining("64KB");
        assertThatThrownBy(() -> new LogConfig(LogConfig.Format.TEXT, LogConfig.Level.INFO, SIZE, 1))
                .hasMessageContaining("between 2 and 20");
    }
}
