package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.Main;
import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.embedded.BaseBackup;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.WalStream;
import io.hiroba.platform.StartException;
import io.hiroba.platform.db.BackupLock;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a database that is written to all the time, and their restoration. */
@Tag("slow")
class BackupTest {

    @TempDir
    private static Path places;

    private static final String RECOVERED = "the database is as it was at ";

    private static Path data;
    private static EmbeddedPostgres postgres;
    private static Ledger ledger;
    private static FullBackup backup;
    private static final List<String> said = new ArrayList<>();

    @BeforeAll
    static void backUpWhileItIsWrittenTo() throws Exception {
        data = places.resolve("data");
        postgres = EmbeddedPostgres.start(
                new EmbeddedConfig(data.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), false), step -> {});
        ledger = Ledger.start(data, connect(postgres));
        Files.createDirectories(data.resolve("log"));
        Files.writeString(data.resolve("log/server.log"), "a line");
        Files.writeString(data.resolve("keys"), "a key");
        backup = writer(archive()).write(0);
    }

    @AfterAll
    static void stop() {
        ledger.close();
        postgres.close();
    }

    private static Path archive() {
        return places.resolve("archive");
    }

    private static Connection connect(EmbeddedPostgres server) throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl("postgres"), server.user(), server.password());
    }

    private static BackupSources sources(Path folder) {
        return new BackupSources(folder, Map.of(), Optional.empty(), Optional.empty(), false, Optional.empty());
    }

    private static BackupWriter writer(Path to) {
        said.clear();
        return new BackupWriter(
                sources(data), new BackupFolder(to), BackupSecret.NONE, InstantSource.system(), BackupTest::hear);
    }

    private static void hear(Text text) {
        said.add(text.in(Language.ENGLISH));
    }

    private static TreeSet<Long> restore(Path from, Optional<Instant> time, Path target) throws Exception {
        var found = new TreeSet<Long>();
        said.clear();
        new RestoreRun(BackupSecret.NONE, BackupTest::hear)
                .restore(
                        BackupChoice.choose(from, time),
                        true,
                        time,
                        target,
                        server -> found.addAll(Ledger.read(connect(server))));
        return found;
    }

    /** A backup of its own, of the same files. */
    private static Path copyOf(Path folder, String name) throws IOException {
        var copy = places.resolve(name);
        try (var files = Files.walk(folder)) {
            for (var file : (Iterable<Path>) files::iterator) {
                Files.copy(file, copy.resolve(folder.relativize(file).toString()));
            }
        }
        return copy;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.map(child -> child.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void allThatWasAcknowledgedBeforeTheEndOfABackupIsRestoredWithItsFiles() throws Exception {
        var target = places.resolve("restored");
        var found = restore(archive(), Optional.empty(), target);

        assertThat(said).anySatisfy(each -> {
            assertThat(each).startsWith(RECOVERED);
            // The log may go a little further than what the backup promises.
            assertThat(Instant.parse(each.substring(RECOVERED.length())))
                    .isAfterOrEqualTo(backup.manifest().ended());
        });
        assertThat(found)
                .containsAll(ledger.acknowledgedBefore(backup.manifest().ended()));
        assertThat(found.last()).as("nothing is skipped").isEqualTo(found.size());
        for (var each : found) {
            assertThat(target.resolve(Ledger.file(each))).hasContent("file " + each);
        }
        assertThat(target.resolve("keys")).hasContent("a key");
        assertThat(names(target)).containsExactly("keys", "media", "postgres");
        try (var server = EmbeddedPostgres.start(
                        new EmbeddedConfig(target.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), false),
                        step -> {});
                var connection = connect(server)) {
            assertThat(Ledger.read(connection)).as("a second start").isEqualTo(found);
        }
    }

    @Test
    void aDamagedMissingOrForeignFileIsNamedAndNothingIsRestored() throws Exception {
        var target = places.resolve("never");
        var damaged = copyOf(backup.folder(), "damaged");
        var file = damaged.resolve("postgres/data/PG_VERSION.gz");
        var content = Files.readAllBytes(file);
        content[content.length - 9] ^= 1;
        Files.write(file, content);
        assertThatThrownBy(() -> restore(damaged, Optional.empty(), target))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining(file.toString());

        Files.delete(file);
        assertThatThrownBy(() -> restore(damaged, Optional.empty(), target)).hasMessageContaining(file.toString());

        Files.copy(backup.folder().resolve("postgres/data/PG_VERSION.gz"), file);
        Files.writeString(damaged.resolve("data/more"), "more");
        assertThatThrownBy(() -> restore(damaged, Optional.empty(), target)).hasMessageContaining("data/more");

        Files.writeString(damaged.resolve(BackupManifest.FILE), "{");
        assertThatThrownBy(() -> restore(damaged, Optional.empty(), target)).hasMessageContaining(BackupManifest.FILE);
        assertThat(target).doesNotExist();
    }

    @Test
    void aBackupIsVerifiedByARestorationOnTrial() throws Exception {
        var verification = new BackupVerification(BackupSecret.NONE, InstantSource.system(), text -> {});
        var verified = verification.verify(backup);

        assertThat(verified.rows().get("public.ledger"))
                .isGreaterThanOrEqualTo(
                        ledger.acknowledgedBefore(backup.manifest().ended()).size());
        assertThat(BackupVerification.of(backup)).isEqualTo(verified);
        assertThat(names(archive())).containsExactly(backup.name(), "backup.lock");

        var other = copyOf(backup.folder(), "20261118T000000Z-full");
        var json = other.resolve(BackupFolder.VERIFIED);
        Files.writeString(json, Files.readString(json).replace("\"public.ledger\":", "\"public.ledger\":1"));
        assertThatThrownBy(() -> verification.verify(BackupFolder.read(other).orElseThrow()))
                .as("as many rows as the last time")
                .isInstanceOf(BackupException.class);
    }

    @Test
    void aFolderThatIsNotEmptyAndABackupOfANewerProgramAreRefused() throws Exception {
        assertThatThrownBy(() -> restore(archive(), Optional.empty(), data))
                .hasMessageContaining("not empty")
                .hasMessageContaining(data.toString());

        var newer = copyOf(backup.folder(), "newer");
        var json = Files.readString(newer.resolve(BackupManifest.FILE));
        Files.writeString(newer.resolve(BackupManifest.FILE), json.replace("\"program\" : \"", "\"program\" : \"9"));
        assertThatThrownBy(() -> restore(newer, Optional.empty(), places.resolve("never")))
                .hasMessageContaining("was made by Hiroba 9");
        assertThatThrownBy(() -> restore(places.resolve("nothing"), Optional.empty(), places.resolve("never")))
                .hasMessageContaining("There is no backup");
    }

    @Test
    void theLogIsCopiedWhileTheFilesAre() throws Exception {
        var names = new ArrayList<String>();
        var config = new EmbeddedConfig(data.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), false);
        try (var base = BaseBackup.of(config, BackupLock.KEY);
                var connection = connect(postgres);
                var statement = connection.createStatement()) {
            base.copy((path, content) -> {
                try {
                    for (int file = 0; names.isEmpty() && file < 6; file++) {
                        statement.execute("SELECT pg_current_xact_id()");
                        statement.execute("SELECT pg_switch_wal()");
                    }
                } catch (SQLException e) {
                    throw new IOException(e);
                }
                names.add(path);
            });
        }
        assertThat(names)
                .as("a server keeps a limited part of its log for a slow backup")
                .doesNotHaveDuplicates()
                .anySatisfy(name -> {
                    assertThat(name).startsWith("data/pg_wal/");
                    assertThat(names.indexOf(name)).isLessThan(names.indexOf("data/global/pg_control"));
                });
    }

    @Test
    void ofTwoBackupsAtOnceTheSecondIsRefused() throws Exception {
        try (var _ = new BackupFolder(archive()).lock()) {
            assertThatThrownBy(() -> writer(archive()).write(0)).hasMessageContaining("Another backup");
        }
    }

    @Test
    void aBackupThatIsKilledLeavesNothingThatIsTakenForOne() throws Exception {
        var to = places.resolve("killed-backups");
        try (var process = ChildJvm.start(
                Main.class, "backup", "--data=" + data, "--", "--to", to.toString(), "--limit", "2MB/s")) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() ->
                            Files.isDirectory(to) && names(to).stream().anyMatch(name -> name.endsWith(".partial")));
            process.kill();
        }
        assertThat(new BackupFolder(to).list()).isEmpty();

        var second = writer(to).write(0);
        assertThat(said.getLast())
                .endsWith("It has what was acknowledged before "
                        + second.manifest().ended() + ".");
        assertThat(names(to)).containsExactly(second.name(), "backup.lock");
        var third = writer(to).write(0);
        assertThat(new BackupFolder(to).list())
                .extracting(FullBackup::name)
                .containsExactly(second.name(), third.name());
        assertThat(Files.getAttribute(third.folder().resolve("data/keys"), "unix:nlink"))
                .as("what has not changed is there once")
                .isEqualTo(2);
        assertThat(writer(to).removeOlder(Duration.ZERO)).isEqualTo(1);
        assertThat(names(to)).containsExactly(third.name(), "backup.lock");
        assertThat(StoredFiles.check(third.folder(), new TransferMeter(text -> {}, 0)))
                .isNotEmpty();
    }

    @Test
    void aRestorationThatIsKilledIsBegunAnewAndLeavesTheBackupAsItWas() throws Exception {
        var target = places.resolve("killed-restoration");
        var partial = places.resolve("killed-restoration.partial");
        try (var process = ChildJvm.start(
                Main.class,
                "restore",
                "--data=" + target,
                "--",
                "--from",
                archive().toString())) {
            await().atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> Files.exists(partial.resolve("postgres/data/postmaster.pid")));
            process.kill();
        }
        assertThat(target).doesNotExist();
        assertThatThrownBy(() -> BackupModule.requireRestored(partial))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("unfinished restore");
        try (var _ = EmbeddedPostgres.start(
                new EmbeddedConfig(partial.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), false), step -> {})) {
            assertThatThrownBy(() -> restore(archive(), Optional.empty(), target))
                    .isInstanceOf(BackupException.class)
                    .hasMessageContaining("in use by process");
            assertThat(partial.resolve("postgres/data/PG_VERSION")).exists();
        }
        var found = restore(archive(), Optional.empty(), target);
        assertThat(found)
                .containsAll(ledger.acknowledgedBefore(backup.manifest().ended()));
        assertThat(partial).doesNotExist();
        assertThat(names(target)).doesNotContain(RestoreRun.LOCK);
        BackupModule.requireRestored(target);
    }

    @Test
    void aRestorationIntoAFolderThatWasThereIsUnfinishedUntilItsDatabaseIsMovedUp() throws Exception {
        var target = places.resolve("moved-up");
        assertThat(RestoreRun.isUnfinished(target)).isFalse();
        restore(archive(), Optional.empty(), Files.createDirectory(target));
        assertThat(RestoreRun.isUnfinished(target)).isFalse();

        Files.createDirectory(target.resolve(RestoreRun.COMPLETE));
        Files.move(
                target.resolve("postgres"), target.resolve(RestoreRun.COMPLETE).resolve("postgres"));
        assertThat(RestoreRun.isUnfinished(target)).isTrue();
        restore(archive(), Optional.empty(), target);
        assertThat(names(target)).contains("keys", "postgres").doesNotContain(RestoreRun.COMPLETE);
    }

    @Test
    void aRestorationThatEndedBeforeItGaveTheNameIsGoneOnWith() throws Exception {
        var target = places.resolve("unnamed");
        restore(archive(), Optional.empty(), target);
        var partial = Files.move(target, places.resolve("unnamed" + RestoreRun.PARTIAL));
        Files.createFile(partial.resolve(RestoreRun.DONE));

        restore(archive(), Optional.empty(), target);
        assertThat(partial).doesNotExist();
        assertThat(names(target)).contains("keys", "postgres").doesNotContain(RestoreRun.DONE, RestoreRun.LOCK);
    }

    @Test
    void aLogThatCannotBeArchivedIsNotClosedAgainAndAgain() throws Exception {
        try (var stream =
                WalStream.open(new EmbeddedConfig(data.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), true))) {
            stream.take((name, content) -> {});
            long before = segment();
            for (int run = 0; run < 4; run++) {
                assertThatThrownBy(() -> stream.take((name, content) -> {
                            throw new IOException("no space");
                        }))
                        .hasMessage("no space");
            }
            assertThat(segment()).isLessThanOrEqualTo(before + 1);
        }
    }

    private static long segment() throws SQLException {
        try (var connection = connect(postgres);
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint / 16777216")) {
            row.next();
            return row.getLong(1);
        }
    }
}
