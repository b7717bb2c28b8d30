package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.backup.BackupTroubles.Trouble;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.platform.events.EventLog;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a server whose disk is nearly full. */
@Tag("slow")
class BackupRoomTest {

    private static final long RESERVE = 500_000_000;

    @TempDir
    private static Path places;

    private static Path data;
    private static EmbeddedPostgres postgres;

    /** That of an app, which the one that is backed up here is not. */
    private static TestDatabase database;

    @BeforeAll
    static void start() throws IOException {
        database = TestDatabase.create();
        data = places.resolve("data");
        postgres = EmbeddedPostgres.start(
                new EmbeddedConfig(data.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), false), step -> {});
        Files.writeString(data.resolve("keys"), "a key");
    }

    @AfterAll
    static void stop() {
        postgres.close();
        database.close();
    }

    private static DiskReserve reserve(AtomicLong free) {
        return new DiskReserve(RESERVE, folder -> free.get());
    }

    private static BackupConfig config(Path to) {
        return TestBackups.config(to, "");
    }

    private static BackupSources sources() {
        return new BackupSources(data, Map.of(), Optional.empty(), Optional.empty(), false, Optional.empty());
    }

    private static BackupTroubles troubles() {
        return new BackupTroubles(database.db(), new EventLog(), InstantSource.system());
    }

    private static List<FullBackup> list(Path to) throws IOException {
        return new BackupFolder(to).list();
    }

    private static List<String> names(Path folder) {
        return List.of(Objects.requireNonNull(folder.toFile().list()));
    }

    private static String one(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(
                        postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void aTrialWithoutRoomLeavesTheDiskAlone() throws Exception {
        var to = places.resolve("narrow");
        var clock = new SettableClock(Instant.now());
        var free = new AtomicLong(Long.MAX_VALUE);
        var schedule = new BackupSchedule(config(to), sources(), clock, troubles(), reserve(free));
        schedule.runIfDue();
        var manifest = list(to).getLast().manifest();
        assertThat(manifest.room()).isGreaterThan(manifest.bytes());
        clock.advance(Duration.ofDays(2));
        free.set(RESERVE + manifest.room() - 1);
        schedule.verifyIfDue();
        assertThat(troubles().isThere(Trouble.UNVERIFIED)).isTrue();
        assertThat(names(to)).noneMatch(name -> name.contains(".trial"));

        clock.advance(Duration.ofDays(1));
        free.set(RESERVE + manifest.room());
        schedule.verifyIfDue();
        assertThat(schedule.verifiedAt()).contains(clock.instant());
        assertThat(new BackupChecks(config(to), sources(), clock)
                        .verified(Optional.empty(), schedule.firstBackup(), false)
                        .isFine())
                .as("three days are too early to say")
                .isTrue();
        clock.advance(Duration.ofDays(2));
        assertThat(new BackupChecks(config(to), sources(), clock)
                        .verified(Optional.empty(), schedule.firstBackup(), false)
                        .isFine())
                .as("never on trial")
                .isFalse();
    }

    @Test
    void aFullDiskKeepsNothingThatIsPastItsTimeAndTheLogOfTheDatabaseDoesNotTakeTheRest() throws Exception {
        var to = places.resolve("full");
        var clock = new SettableClock(Instant.now());
        var free = new AtomicLong(Long.MAX_VALUE);
        var schedule = new BackupSchedule(config(to), sources(), clock, troubles(), reserve(free));
        schedule.archive();
        schedule.runIfDue();
        clock.advance(Duration.ofDays(2));
        schedule.runIfDue();
        schedule.archive();
        var newest = list(to).getLast();
        var archived = schedule.archivedUntil().orElseThrow();
        assertThat(list(to)).hasSize(2);

        free.set(RESERVE - 1);
        clock.advance(Duration.ofDays(40));
        schedule.runIfDue();
        assertThat(list(to)).as("the newest stays").containsExactly(newest);
        assertThat(names(to)).noneMatch(name -> name.endsWith(".partial"));
        schedule.archive();
        assertThat(schedule.archivedUntil()).contains(archived);
        assertThat(one("SELECT count(*) FROM pg_replication_slots")).isEqualTo("1");

        free.set(RESERVE / 2 - 1);
        schedule.archive();
        assertThat(one("SELECT count(*) FROM pg_replication_slots"))
                .as("the log is not kept")
                .isEqualTo("0");
        free.set(Long.MAX_VALUE);
        clock.advance(Duration.ofHours(1));
        schedule.runIfDue();
        schedule.archive();
        assertThat(list(to)).hasSize(1).doesNotContain(newest);
        assertThat(schedule.archivedUntil().orElseThrow()).isAfter(archived);
    }
}
