package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.Folders;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.i18n.Language;
import io.hiroba.testkit.FakeS3;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups in a bucket of a service that speaks as S3 does. */
@Tag("slow")
class BackupBucketTest {

    private static final String PASSPHRASE = "correct horse battery staple";

    @TempDir
    private static Path places;

    private static Path data;
    private static EmbeddedPostgres postgres;
    private static Ledger ledger;
    private static TestDatabase database;
    private static FakeS3 s3;

    @BeforeAll
    static void write() throws Exception {
        database = TestDatabase.create();
        s3 = new FakeS3("hiroba-key");
        data = places.resolve("data");
        postgres = EmbeddedPostgres.start(
                new EmbeddedConfig(data.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), false), step -> {});
        ledger = Ledger.start(data, connect(postgres));
        ledger.awaitRows();
        ledger.pause(true);
    }

    /** Backups of another test may be of a time to come. */
    @BeforeEach
    void removeBackups() throws IOException {
        Folders.delete(data.resolve(BackupConfig.STAGING));
    }

    @AfterAll
    static void stop() {
        ledger.close();
        postgres.close();
        s3.close();
        database.close();
    }

    private static BackupS3Config bucket(String prefix) {
        return new BackupS3Config(
                "square", prefix, "eu-central-1", s3.endpoint(), "hiroba-key", "s", true, Duration.ofDays(30));
    }

    private static BackupConfig config(String prefix, String passphrase) {
        return TestBackups.config(Path.of(""), Duration.ofDays(30), passphrase, bucket(prefix));
    }

    private static BackupSources sources() {
        return new BackupSources(
                data,
                Map.of(),
                Optional.empty(),
                Optional.of(data.resolve(BackupConfig.STAGING)),
                false,
                Optional.empty());
    }

    private static Connection connect(EmbeddedPostgres server) throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl("postgres"), server.user(), server.password());
    }

    private static BackupSchedule schedule(BackupConfig config, InstantSource clock) {
        return new BackupSchedule(config, sources(), clock, new BackupTroubles(database.db(), new EventLog(), clock));
    }

    private static BackupFolder staging() {
        return new BackupFolder(data.resolve(BackupConfig.STAGING));
    }

    private static List<String> objects(String start) {
        return s3.objects.keySet().stream()
                .filter(name -> name.startsWith("/square/" + start))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", PASSPHRASE})
    void aTimeInTheMiddleOfABusyMinuteIsRestoredExactlyFromABucket(String passphrase) throws Exception {
        var prefix = passphrase.isEmpty() ? "plain" : "sealed/square";
        var config = config(prefix, passphrase);
        var schedule = schedule(config, InstantSource.system());
        var target = places.resolve("restored-" + passphrase.length());
        try (var copies = new BackupCopies(config, sources(), InstantSource.system())) {
            schedule.archive();
            schedule.runIfDue();
            schedule.archive();
            copies.run();
            ledger.pause(false);
            var time = ledger.busyMoment();
            ledger.pause(true);
            schedule.archive();
            copies.run();
            assertThat(copies.logUntil()).isEqualTo(schedule.archivedUntil());
            assertThat(copies.newest()).isPresent();
            assertThat(copies.isLate()).isFalse();

            var secret = new BackupSecret(passphrase);
            var times = new TreeMap<Long, Instant>();
            try (var bucket = new BackupBucket(config.s3())) {
                var download =
                        new BackupDownload(bucket, places.resolve("download-" + passphrase.length()), text -> {});
                var chosen = download.fetch(Optional.empty(), Optional.of(time), Optional.empty());
                new RestoreRun(secret, text -> {})
                        .restore(
                                chosen,
                                true,
                                Optional.of(time),
                                target,
                                server -> times.putAll(Ledger.times(connect(server))));
                download.remove();
                assertThat(chosen.folder()).doesNotExist();
            }
            assertThat(times.keySet()).containsAll(ledger.acknowledgedBefore(time));
            assertThat(times.values()).allSatisfy(each -> assertThat(each).isBeforeOrEqualTo(time));
            assertThat(times.lastKey()).as("nothing is skipped").isEqualTo(times.size());
            for (var each : times.keySet()) {
                assertThat(target.resolve(Ledger.file(each))).hasContent("file " + each);
            }
            assertThat(target.resolve(BackupConfig.STAGING))
                    .as("backups are not backed up")
                    .doesNotExist();
        }
    }

    @Test
    void anInterruptedCopyGoesOnWithoutSendingAnythingAgain() throws Exception {
        var folder = new BackupFolder(places.resolve("interrupted"));
        var backup =
                new BackupWriter(sources(), folder, BackupSecret.NONE, InstantSource.system(), text -> {}).write(0);
        try (var bucket = new BackupBucket(bucket("interrupted"), 64 << 10)) {
            var instance = backup.manifest().instance();
            int before = s3.puts.get();
            s3.putsLeft = 40;
            assertThatThrownBy(() -> new BackupUpload(bucket, folder, instance, text -> {}, 0).copyBackups(Instant.MIN))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("s3://square/interrupted");
            assertThat(objects("interrupted")).noneMatch(name -> name.endsWith(BucketIndex.FILE));
            s3.putsLeft = Integer.MAX_VALUE;
            assertThat(new BackupUpload(bucket, folder, instance, text -> {}, 0).copyBackups(Instant.MIN))
                    .isEqualTo(1);
            var sent = s3.puts.get() - before;
            assertThat(new BackupUpload(bucket, folder, instance, text -> {}, 0).copyBackups(Instant.MIN))
                    .as("it is there")
                    .isZero();
            assertThat(s3.puts.get() - before).isEqualTo(sent);
            assertThat(s3.uploads).as("every upload in parts was completed").isEmpty();

            var blobs = objects("interrupted/" + instance + "/blobs/");
            long parts = blobs.stream()
                    .mapToLong(name -> s3.objects.get(name).length)
                    .map(size -> size > 128 << 10 ? Math.ceilDiv(size, 64 << 10) : 1)
                    .sum();
            assertThat(sent).as("each part once, and the two descriptions").isEqualTo((int) parts + 2);
        }
    }

    @Test
    void backupsAreKeptForSoLongAndContentsAsLongAsOneHasThem() throws Exception {
        var clock = new SettableClock(Instant.now());
        var config = config("kept", "");
        var schedule = schedule(config, clock);
        try (var copies = new BackupCopies(config, sources(), clock)) {
            schedule.archive();
            schedule.runIfDue();
            schedule.archive();
            copies.run();
            var first = staging().list().getLast();
            clock.advance(Duration.ofDays(2));
            schedule.runIfDue();
            schedule.archive();
            copies.run();
            var instance = first.manifest().instance();
            var second = staging().list();
            assertThat(second).as("only the newest stays here").hasSize(1).doesNotContain(first);
            assertThat(objects("kept")).contains("/square/kept/%s/%s/index.json".formatted(instance, first.name()));
            assertThat(objects("kept/" + instance + "/blobs/"))
                    .containsExactlyElementsOf(contents(
                            config, instance, first.name(), second.getFirst().name()));
            clock.advance(Duration.ofDays(40));
            schedule.runIfDue();
            schedule.archive();
            copies.run();

            var last = staging().list().getLast();
            assertThat(objects("kept"))
                    .noneMatch(name -> name.contains(first.name()))
                    .anyMatch(name -> name.contains(last.name()));
            assertThat(objects("kept/" + instance + "/blobs/"))
                    .containsExactlyElementsOf(contents(config, instance, last.name()));
            s3.broken = true;
            for (int day = 1; day <= 2; day++) {
                clock.advance(Duration.ofDays(1));
                schedule.runIfDue();
            }
            var waiting = staging().list();
            assertThat(waiting)
                    .as("of those that wait only the newest stays here")
                    .hasSize(1)
                    .doesNotContain(last);
            assertThatThrownBy(copies::run).hasMessageContaining("s3://square/kept");
            assertThat(copies.isLate()).isTrue();
            s3.broken = false;
            copies.run();
            assertThat(copies.isLate()).isFalse();
            assertThat(objects("kept"))
                    .anyMatch(name -> name.contains(waiting.getFirst().name()));

            // An upgrade of the database gives the folder another name.
            Files.delete(data.resolve(BackupWriter.INSTANCE_FILE));
            clock.advance(Duration.ofMinutes(1));
            schedule.runIfDue();
            schedule.archive();
            copies.run();
            assertThat(objects("kept/" + BackupWriter.instance(data)))
                    .anyMatch(name -> name.endsWith(BucketIndex.FILE));
        }
    }

    @Test
    void aTimeBeforeAnEarlierRestorationIsReachedFromTheFormerDataFolder() throws Exception {
        var config = config("restored", "");
        var schedule = schedule(config, InstantSource.system());
        try (var copies = new BackupCopies(config, sources(), InstantSource.system());
                var bucket = new BackupBucket(config.s3())) {
            schedule.archive();
            schedule.runIfDue();
            schedule.archive();
            ledger.pause(false);
            var time = ledger.busyMoment();
            ledger.pause(true);
            schedule.archive();
            copies.run();
            var former = BackupWriter.instance(data);
            Files.delete(data.resolve(BackupWriter.INSTANCE_FILE));
            var after = schedule(config, InstantSource.system());
            after.runIfDue();
            copies.run();
            var download = new BackupDownload(bucket, places.resolve("download-restored"), text -> {});
            assertThat(download.fetch(Optional.empty(), Optional.of(time), Optional.empty())
                            .manifest()
                            .instance())
                    .isEqualTo(former);
            assertThat(download.fetch(Optional.empty(), Optional.empty(), Optional.empty())
                            .manifest()
                            .instance())
                    .isEqualTo(BackupWriter.instance(data));
            assertThat(download.fetch(Optional.empty(), Optional.empty(), Optional.of(former.substring(0, 8)))
                            .manifest()
                            .instance())
                    .isEqualTo(former);
        }
    }

    private static TreeSet<String> contents(BackupConfig config, String instance, String... backups)
            throws IOException {
        var names = new TreeSet<String>();
        try (var bucket = new BackupBucket(config.s3())) {
            for (var backup : backups) {
                BackupUpload.index(bucket, instance, backup)
                        .files()
                        .forEach(entry -> names.add("/square/kept/%s/blobs/%s".formatted(instance, entry.sha256())));
            }
        }
        return names;
    }

    @Test
    void theCommandsTakeABucketForAFolder() throws Exception {
        assertThat(run(true, "--to", "s3://square/commands")).contains("0 ");
        assertThat(run(true, "list", "--from", "s3://square/commands")).contains("not verified");
        var listed = objects("commands").stream()
                .filter(name -> name.endsWith(BucketIndex.FILE))
                .findFirst()
                .orElseThrow();
        var name = listed.split("/")[4];
        assertThat(run(true, "verify", "--restore", "--from", "s3://square/commands"))
                .contains("0 ", name + " was restored on trial");
        assertThat(run(true, "list", "--from", "s3://square/commands")).doesNotContain("not verified");
        assertThat(data.resolve("backups/download")).doesNotExist();

        assertThat(run(false, "--from", "s3://square/commands"))
                .startsWith("1 ")
                .contains("not empty");
        assertThat(run(true, "list", "--from", "s3://square/nothing"))
                .contains("There is no backup in s3://square/nothing");
        assertThat(run(true, "--to", "s3://square/../up")).startsWith("2 ");
        assertThat(run(true, "--to", "s3://Square")).startsWith("2 ");

        var blob = objects("commands").stream()
                .filter(each -> each.contains("/blobs/"))
                .findFirst()
                .orElseThrow();
        requireRestoredInside(blob);
        s3.objects.put(blob, new byte[] {1});
        assertThat(run(true, "verify", "--restore", "--from", "s3://square/commands/" + name))
                .startsWith("1 ")
                .contains("damaged", blob.substring(blob.lastIndexOf('/')));
        s3.broken = true;
        try {
            assertThat(run(true, "list", "--from", "s3://square/commands")).startsWith("1 ");
        } finally {
            s3.broken = false;
        }
    }

    /** Into a folder that is there and may be all that can be written, also after an interruption. */
    private static void requireRestoredInside(String blob) throws IOException {
        var target = Files.createDirectories(places.resolve("mounted/target"));
        assertThat(run(at(target), false, "--from", "s3://square/nothing"))
                .startsWith("1 ")
                .contains("There is no backup");
        assertThat(target.toFile().list()).as("nothing was begun").isEmpty();
        var content = s3.objects.put(blob, new byte[] {1});
        assertThat(run(at(target), false, "--from", "s3://square/commands")).startsWith("1 ");
        assertThat(target.toFile().list()).containsExactly(RestoreRun.PARTIAL);
        assertThat(RestoreRun.isUnfinished(target)).isTrue();
        s3.objects.put(blob, content);
        assertThat(run(at(target), false, "--from", "s3://square/commands"))
                .contains("0 ", "Everything is restored in " + target);
        assertThat(target.toFile().list()).contains("postgres", "media").doesNotContain(RestoreRun.PARTIAL);
        assertThat(target.resolve(RestoreRun.DOWNLOAD)).doesNotExist();
        assertThat(places.resolve("mounted").toFile().list()).containsExactly("target");
    }

    private static BackupSources at(Path folder) {
        return new BackupSources(folder, Map.of(), Optional.empty(), Optional.empty(), false, Optional.empty());
    }

    @Test
    void picturesInABucketAreInNoBackupAndThatIsSaid() {
        var own = sources();
        var sources = new BackupSources(
                own.data(), own.elsewhere(), own.configFile(), own.backups(), false, Optional.of("s3://pictures"));
        var to = places.resolve("without-pictures");
        assertThat(run(sources, true, "--to", to.toString()))
                .contains("0 ", "the pictures are in s3://pictures and in no backup");
        assertThat(run(at(places.resolve("restored-without-pictures")), false, "--from", to.toString()))
                .contains("0 ", "the pictures are not in this backup but in s3://pictures");
    }

    /** The exit status, and all that is said. */
    private static String run(boolean isBackup, String... words) {
        return run(sources(), isBackup, words);
    }

    private static String run(BackupSources sources, boolean isBackup, String... words) {
        var said = new ByteArrayOutputStream();
        var out = new PrintStream(said, true, StandardCharsets.UTF_8);
        var command = new BackupCommand(
                sources, config("other", ""), DatabaseConfig.of("", "", ""), Language.ENGLISH, out, out);
        int status = isBackup ? command.backup(List.of(words)) : command.restore(List.of(words));
        return status + " " + said.toString(StandardCharsets.UTF_8);
    }
}
