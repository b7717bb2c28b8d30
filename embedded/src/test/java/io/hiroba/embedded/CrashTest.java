package io.hiroba.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class CrashTest {
    @TempDir
    Path dir;

    @Test
    void everyAcknowledgedInsertSurvivesAKilledServer() throws Exception {
        var acknowledged = new AtomicInteger();
        try (var postgres = Databases.startDurable(dir.resolve("pg"))) {
            Databases.execute(postgres, "CREATE TABLE entries (id int PRIMARY KEY)");
            Thread writer = Thread.ofPlatform().start(() -> write(postgres, acknowledged));
            await().atMost(Duration.ofSeconds(60)).until(() -> acknowledged.get() > 200);
            kill(postgres.pid());
            writer.join();
        }
        try (var postgres = Databases.startDurable(dir.resolve("pg"))) {
            assertThat(postgres.adopted()).isFalse();
            assertThat(Databases.query(postgres, "SELECT count(*) FROM entries WHERE id <= " + acknowledged.get()))
                    .isEqualTo(Integer.toString(acknowledged.get()));
        }
    }

    @Test
    void aChildThatOutlivesItsKilledServerDoesNotBlockTheNextStart() throws Exception {
        Thread busy;
        try (var postgres = Databases.start(dir.resolve("pg"))) {
            busy = Thread.ofPlatform().start(() -> count(postgres));
            await().atMost(Duration.ofSeconds(30)).until(() -> counting(postgres));
            kill(postgres.pid());
        }
        try (var next = Databases.start(dir.resolve("pg"))) {
            assertThat(Databases.query(next, "SELECT 1")).isEqualTo("1");
        }
        busy.join();
    }

    private static boolean counting(EmbeddedPostgres postgres) throws SQLException {
        return Databases.query(postgres, """
                SELECT count(*) FROM pg_stat_activity
                WHERE query LIKE '%generate_series%' AND pid <> pg_backend_pid() AND state = 'active'
                """).equals("1");
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        await().atMost(Duration.ofSeconds(10)).until(() -> !Processes.alive(pid));
    }

    private static void write(EmbeddedPostgres postgres, AtomicInteger acknowledged) {
        try (var connection = Databases.connect(postgres);
                var insert = connection.prepareStatement("INSERT INTO entries (id) VALUES (?)")) {
            while (true) {
                insert.setInt(1, acknowledged.get() + 1);
                insert.executeUpdate();
                acknowledged.incrementAndGet();
            }
        } catch (SQLException killed) {
            assertThat(killed.getSQLState()).isNotEqualTo("23505");
        }
    }

    private static void count(EmbeddedPostgres postgres) {
        try (var connection = Databases.connect(postgres);
                var statement = connection.createStatement()) {
            statement.execute("SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 1000000) b");
        } catch (SQLException killed) {
            assertThat(killed.getSQLState()).startsWith("08");
        }
    }
}
