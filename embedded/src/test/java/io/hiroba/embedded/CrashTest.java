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
            assertReported(postgres);
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

    /** With a child that outlives it, as most do for a moment. */
    @Test
    void aServerThatIsKilledIsStartedAgainOnItsPort() throws Exception {
        long again;
        try (var postgres = Databases.startDurable(dir.resolve("pg"))) {
            var givenUp = new AtomicInteger();
            postgres.keepRunning(givenUp::incrementAndGet);
            Databases.execute(postgres, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)");
            Thread busy = Thread.ofPlatform().start(() -> count(postgres));
            await().atMost(Duration.ofSeconds(30)).until(() -> counting(postgres));
            long first = postgres.pid();
            int port = postgres.port();
            kill(first);
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(SQLException.class)
                    .until(() ->
                            Databases.query(postgres, "SELECT id FROM kept").equals("7"));
            again = postgres.pid();
            assertThat(again).isNotEqualTo(first);
            assertThat(postgres.port()).isEqualTo(port);
            assertThat(givenUp).hasValue(0);
            busy.join();
        }
        assertThat(Processes.alive(again)).isFalse();
    }

    @Test
    void aServerThatDoesNotStartAgainIsGivenUpOnce() {
        var attempts = new AtomicInteger();
        var givenUp = new AtomicInteger();
        var broken = new ServerWatch.Server() {
            @Override
            public boolean isClosed() {
                return givenUp.get() > 1;
            }

            @Override
            public boolean isAlive() {
                return false;
            }

            @Override
            public void restart() {
                attempts.incrementAndGet();
                throw new EmbeddedException("PostgreSQL did not start.");
            }
        };
        new ServerWatch(broken, givenUp::incrementAndGet, Duration.ofNanos(1)).run();
        assertThat(attempts).hasValue(ServerWatch.MAX_ATTEMPTS);
        assertThat(givenUp).hasValue(1);
    }

    /** As what has to be looked at: its owner lives. */
    private void assertReported(EmbeddedPostgres killed) {
        var report = EmbeddedReport.inspect(Databases.durable(dir.resolve("pg")));
        assertThat(report.usable()).isFalse();
        assertThat(report.lines().getLast().finding()).isEqualTo(EmbeddedReport.Finding.ENDED);
        assertThat(report.lines().getLast().values())
                .containsEntry("pid", Long.toString(ProcessHandle.current().pid()));
        assertThat(Processes.alive(killed.pid())).isFalse();
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
