package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.Wal;
import io.hiroba.embedded.WalStream;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.events.EventLog;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that a server makes by itself, its archived log, and how long both are kept. */
@Tag("slow")
class BackupScheduleTest {

    @TempDir
    private static Path places;

    private static Path data;
    private static EmbeddedPostgres postgres;
    private static Ledger ledger;

    /** That of an app, which the one that is backed up here is not. */
    private static TestDatabase database;

    @BeforeAll
    static void write() throws Exception {
        database = TestDatabase.create();
        data = places.resolve("data");
        postgres = EmbeddedPostgres.start(database(false), step -> {});
        ledger = Ledger.start(data, connect(postgres));
    }

    @AfterAll
    static void stop() {
        ledger.close();
        postgres.close();
        database.close();
    }

    private static EmbeddedConfig database(boolean durable) {
        return new EmbeddedConfig(data.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), durable);
    }

    private static Connection connect(EmbeddedPostgres server) throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl("postgres"), server.user(), server.password());
    }

    private static String one(String sql) throws SQLException {
        try (var connection = connect(postgres);
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static BackupSources sources() {
        return new BackupSources(data, Map.of(), Optional.empty(), Optional.empty(), false, Optional.empty());
    }

    private static BackupTroubles troubles() {
        return new BackupTroubles(database.db(), new EventLog(), InstantSource.system());
    }

    private static List<String> events() {
        return database.db().read(reads -> reads.query("""
                        SELECT payload ->> 'type' FROM platform.event_logs WHERE payload ->> 'type' LIKE 'backup-%' ORDER BY event_id
                        """).mapTo(String.class).list());
    }

    private static BackupConfig config(Path to) {
        return TestBackups.config(to, "");
    }

    private static List<FullBackup> list(Path to) throws IOException {
        return new BackupFolder(to).list();
    }

    @Test
    void aTimeInTheMiddleOfABusyMinuteIsRestoredExactlyAlsoBeforeAGap() throws Exception {
        var to = places.resolve("scheduled");
        var schedule = new BackupSchedule(config(to), sources(), InstantSource.system(), troubles());
        schedule.archive();
        schedule.runIfDue();
        schedule.archive();
        var time = ledger.busyMoment();
        schedule.archive();
        ledger.busyMoment();
        schedule.archive();
        var after = newestSegment(to);
        schedule.runIfDue();
        var full = list(to).getFirst();
        assertThat(list(to)).as("one a day").containsExactly(full);
        var covered = schedule.archivedUntil().orElseThrow();
        for (var other :
                List.of(full.manifest().started(), covered, Instant.now().plusSeconds(60))) {
            assertThatThrownBy(() -> BackupChoice.choose(to, Optional.of(other)))
                    .hasMessageContaining(other + " is not covered")
                    .hasMessageContaining("before " + covered)
                    .hasMessageContaining(full.manifest().consistent().toString())
                    .hasMessageContaining(covered.toString());
        }

        WalStream.forget(database(true));
        var lost = ledger.busyMoment();
        one("SELECT pg_switch_wal()");
        ledger.awaitRows();
        // A new slot reaches back to the last checkpoint.
        try (var connection = connect(postgres);
                var statement = connection.createStatement()) {
            statement.execute("CHECKPOINT");
        }
        schedule.archive();
        assertThat(schedule.archivedUntil())
                .as("nothing is archived after a gap")
                .contains(covered);
        schedule.runIfDue();
        assertThat(list(to)).as("a full backup at once").hasSize(2);
        schedule.archive();
        var later = ledger.busyMoment();
        schedule.archive();
        assertThat(BackupChoice.choose(to, Optional.of(later))).isEqualTo(list(to).getLast());
        assertThatThrownBy(() -> BackupChoice.choose(to, Optional.of(lost)))
                .hasMessageContaining(lost + " is not covered")
                .hasMessageContaining(covered.toString());

        // What is damaged in the log after the time does not matter to it.
        Files.write(after, new byte[7]);
        requireExact(to, time);
        requireLogChecked(to, full.manifest(), time);
    }

    private static Path newestSegment(Path to) throws IOException {
        try (var files = Files.walk(to.resolve("wal"))) {
            return files.filter(file -> file.toString().endsWith(StoredFiles.COMPRESSED))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    /** Restores into a folder that is there, as a mount point is. */
    private static void requireExact(Path to, Instant time) throws Exception {
        var target = Files.createDirectory(places.resolve("at-a-time"));
        Files.createDirectory(target.resolve("lost+found"));
        var times = new TreeMap<Long, Instant>();
        new RestoreRun(BackupSecret.NONE, text -> {})
                .restore(
                        BackupChoice.choose(to, Optional.of(time)),
                        true,
                        Optional.of(time),
                        target,
                        server -> times.putAll(Ledger.times(connect(server))));
        assertThat(times.keySet()).containsAll(ledger.acknowledgedBefore(time));
        assertThat(times.values()).allSatisfy(each -> assertThat(each).isBeforeOrEqualTo(time));
        assertThat(times.lastKey()).as("nothing is skipped").isEqualTo(times.size());
        for (var each : times.keySet()) {
            assertThat(target.resolve(Ledger.file(each))).hasContent("file " + each);
        }
        assertThat(target.toFile().list()).containsExactlyInAnyOrder("lost+found", "media", "postgres");
    }

    private static void requireLogChecked(Path to, BackupManifest manifest, Instant time) throws IOException {
        var name = Wal.EMBEDDED.name(manifest.timeline(), manifest.lastSegment() + 1);
        var segment = to.resolve("wal/%s/%s.gz".formatted(manifest.instance(), name));
        var archived = new WalArchive(to, manifest.archive(), BackupCipher.NONE);
        assertThatThrownBy(() -> archived.store(name, new ByteArrayInputStream(new byte[16 << 20])))
                .hasMessageContaining("the log of another server");
        var content = Files.readAllBytes(segment);
        Files.write(segment, Arrays.copyOf(content, content.length / 2));
        var never = places.resolve("never");
        assertThatThrownBy(() -> new RestoreRun(BackupSecret.NONE, text -> {})
                        .restore(to, Optional.of(time), Optional.empty(), never))
                .hasMessageContaining("damaged")
                .hasMessageContaining(segment.toString())
                .hasMessageContaining("Only times before ");
        assertThat(never).doesNotExist();
    }

    @Test
    void backupsAndLogsOfAllDataFoldersAreKeptForSoLong() throws Exception {
        var to = places.resolve("kept");
        var clock = new SettableClock(Instant.now());
        var schedule = new BackupSchedule(config(to), sources(), clock, troubles());
        schedule.archive();
        schedule.runIfDue();
        schedule.archive();
        var first = list(to).getFirst();
        var former = UUID.randomUUID().toString();
        var foreign = to.resolve("20200101T000000Z-full");
        copy(first.folder(), foreign);
        var json = foreign.resolve(BackupManifest.FILE);
        Files.writeString(json, Files.readString(json).replace(first.manifest().instance(), former));
        var useless = Files.createDirectories(to.resolve("wal/" + UUID.randomUUID()));
        Files.createDirectories(to.resolve("20200101T000000Z-full.trial.partial/postgres"));

        int before = events().size();
        schedule.watch(false);
        schedule.verifyIfDue();
        assertThat(events()).hasSize(before);
        clock.advance(Duration.ofDays(1).plusHours(3));
        schedule.watch(false);
        new BackupSchedule(config(to), sources(), clock, troubles()).runIfDue();
        schedule.runIfDue();
        schedule.watch(false);
        schedule.archive();
        assertThat(events().subList(before, events().size())).containsExactly("backup-late", "backup-in-time");
        assertThat(list(to)).hasSize(3);
        clock.advance(Duration.ofDays(40));
        schedule.runIfDue();
        schedule.archive();

        var last = list(to).getLast();
        assertThat(list(to))
                .as("the newest of each data folder")
                .extracting(backup -> backup.manifest().instance())
                .containsExactly(former, last.manifest().instance());
        assertThat(last).isNotEqualTo(first);
        assertThat(useless).doesNotExist();
        assertThat(to.resolve("20200101T000000Z-full.trial.partial")).doesNotExist();
        try (var log = Files.list(to.resolve("wal").resolve(last.manifest().instance()))) {
            var removed = Wal.EMBEDDED.name(
                    first.manifest().timeline(), first.manifest().lastSegment() + 1);
            assertThat(log.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".gz")))
                    .isNotEmpty()
                    .doesNotContain(removed + ".gz");
        }
    }

    @Test
    void aBackupIsRestoredOnTrialEachMonth() throws Exception {
        var to = places.resolve("verified");
        var clock = new SettableClock(Instant.now());
        var schedule = new BackupSchedule(config(to), sources(), clock, troubles());
        schedule.runIfDue();
        schedule.verifyIfDue();
        var before = events().size();
        clock.advance(Duration.ofDays(2));
        var file = list(to).getLast().folder().resolve("data/media/1/1");
        var content = Files.readString(file);
        Files.writeString(file, "changed");
        schedule.verifyIfDue();
        Files.writeString(file, content);
        schedule.verifyIfDue();
        assertThat(schedule.verifiedAt()).as("once a day").isEmpty();
        clock.advance(Duration.ofDays(1));
        schedule.verifyIfDue();
        var verified = clock.instant();
        assertThat(schedule.verifiedAt()).contains(verified);
        assertThat(events().subList(before, events().size()))
                .containsExactly("backup-verification-failed", "backup-verified");
        clock.advance(Duration.ofDays(29));
        schedule.verifyIfDue();
        assertThat(schedule.verifiedAt()).as("once a month").contains(verified);
        assertThat(names(to)).noneMatch(name -> name.contains(".trial"));
    }

    private static List<String> names(Path folder) {
        return List.of(Objects.requireNonNull(folder.toFile().list()));
    }

    private static void copy(Path folder, Path copy) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : (Iterable<Path>) files::iterator) {
                Files.copy(file, copy.resolve(folder.relativize(file).toString()));
            }
        }
    }

    @Test
    void anEncryptedBackupIsRestoredToATimeWithItsPassphraseOnly() throws Exception {
        var to = places.resolve("encrypted");
        new BackupSchedule(config(to), sources(), InstantSource.system(), troubles()).runIfDue();
        var passphrase = "a long passphrase of a test";
        var schedule =
                new BackupSchedule(TestBackups.config(to, passphrase), sources(), InstantSource.system(), troubles());
        schedule.archive();
        schedule.runIfDue();
        assertThat(list(to)).as("the log follows a backup with the same key").hasSize(2);
        schedule.archive();
        var time = ledger.busyMoment();
        schedule.archive();

        var secret = new BackupSecret(passphrase);
        var full = list(to).getLast();
        assertThat(Files.readString(full.folder().resolve("data/media/1/1"), StandardCharsets.ISO_8859_1))
                .doesNotContain("file 1");
        var never = places.resolve("never");
        assertThatThrownBy(() -> new RestoreRun(BackupSecret.NONE, text -> {})
                        .restore(to, Optional.of(time), Optional.empty(), never))
                .hasMessageContaining("is encrypted: name the file with its passphrase by --key-file");
        assertThatThrownBy(() -> new RestoreRun(new BackupSecret("another passphrase"), text -> {})
                        .restore(to, Optional.of(time), Optional.empty(), never))
                .hasMessageContaining("another passphrase");
        var rows = new TreeMap<Long, Instant>();
        var target = places.resolve("decrypted");
        new RestoreRun(secret, text -> {})
                .restore(
                        BackupChoice.choose(to, Optional.of(time)),
                        true,
                        Optional.of(time),
                        target,
                        server -> rows.putAll(Ledger.times(connect(server))));
        assertThat(rows.keySet()).containsAll(ledger.acknowledgedBefore(time));
        assertThat(rows.values()).allSatisfy(each -> assertThat(each).isBeforeOrEqualTo(time));
        for (var each : rows.keySet()) {
            assertThat(target.resolve(Ledger.file(each))).hasContent("file " + each);
        }
        requireSwapRefused(to, full, secret, time);
    }

    /** Also with checksums that fit. */
    private static void requireSwapRefused(Path to, FullBackup full, BackupSecret secret, Instant time)
            throws IOException {
        var sums = full.folder().resolve(StoredFiles.SUMS);
        var one = full.folder().resolve("data/media/1/1");
        var other = full.folder().resolve("data/media/2/2");
        var content = Files.readAllBytes(one);
        Files.write(one, Files.readAllBytes(other));
        Files.write(other, content);
        var named = StoredFiles.sums(full.folder());
        Files.writeString(
                sums,
                Files.readString(sums)
                        .replace(
                                named.get("data/media/1/1") + "  data/media/1/1",
                                named.get("data/media/2/2") + "  data/media/1/1")
                        .replace(
                                named.get("data/media/2/2") + "  data/media/2/2",
                                named.get("data/media/1/1") + "  data/media/2/2"));
        var never = places.resolve("never");
        assertThatThrownBy(() ->
                        new RestoreRun(secret, text -> {}).restore(to, Optional.of(time), Optional.empty(), never))
                .hasMessageContaining("damaged")
                .hasMessageContaining(StoredFiles.CODE);
    }

    @Test
    void aServerTellsTheAgeOfItsBackupsAsTheAlertsExpect() throws Exception {
        var meters = new SimpleMeterRegistry();
        var module = new BackupModule(
                config(places.resolve("told")),
                sources(),
                database.db(),
                new EventLog(),
                InstantSource.system(),
                meters);
        try (var resources = new ResourceStack()) {
            module.start(resources);
            assertThat(places.resolve("told")).as("not before the node serves").doesNotExist();
            module.startSchedule(resources);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> meters.get("hiroba.backup.age").gauge().value() >= 0);
        }
        assertThat(meters.get("hiroba.backup.size").gauge().value()).isPositive();
        var rules = Files.readString(Path.of("..", "ops", "prometheus", "hiroba.rules.yml"));
        assertThat(meters.getMeters().stream()
                        .map(meter -> meter.getId().getName().replace('.', '_') + "_"
                                + meter.getId().getBaseUnit())
                        .filter(name -> !name.equals("hiroba_backup_size_bytes")))
                .hasSize(3)
                .allSatisfy(name -> assertThat(rules).contains(name));
    }
}
