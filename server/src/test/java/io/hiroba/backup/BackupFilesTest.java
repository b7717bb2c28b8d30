package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.platform.id.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of backups, without a database. */
class BackupFilesTest {

    @TempDir
    private Path places;

    private Path backup;
    private Path target;

    @BeforeEach
    void writeABackup() throws IOException {
        backup = Files.createDirectories(places.resolve("backups/20261118T000000Z-full"));
        target = places.resolve("restored");
        store("data/keys", "a key");
        store(BackupManifest.FILE, TestBackups.manifest(Instant.now()).json());
    }

    private void store(String path, String content) throws IOException {
        var file = backup.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        list(path, content);
    }

    /** Adds a line to the checksums. */
    private void list(String path, String content) throws IOException {
        var sums = backup.resolve(StoredFiles.SUMS);
        var line = Sha256.hex(content) + "  " + path + "\n";
        Files.writeString(sums, (Files.exists(sums) ? Files.readString(sums) : "") + line);
    }

    private void restore() throws Exception {
        new RestoreRun(BackupSecret.NONE, text -> {}).restore(backup, Optional.empty(), Optional.empty(), target);
    }

    private void requireRefused(String file) {
        assertThatThrownBy(this::restore)
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("damaged")
                .hasMessageContaining(file);
        assertThat(target).doesNotExist();
        assertThat(places.resolve("restored.partial"))
                .as("a server starts there")
                .doesNotExist();
        assertThat(places.resolve("escaped")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data/../../escaped",
                "data/../../../escaped",
                "data//escaped",
                "/escaped",
                "data/./x",
                "..",
                "data/"
            })
    void aNameThatLeadsElsewhereIsRefused(String name) throws Exception {
        list(name, "hostile");
        requireRefused(StoredFiles.SUMS);
    }

    @Test
    void aLinkIsNoFileOfABackup() throws Exception {
        var secret = Files.writeString(places.resolve("secret"), "a secret");
        Files.createSymbolicLink(backup.resolve("data/link"), secret);
        list("data/link", "a secret");
        requireRefused("data/link");
    }

    @Test
    void aLinkAmongTheLaterFilesIsNotFollowed() throws Exception {
        var secret = Files.writeString(places.resolve("secret"), "a secret");
        var later = Files.createDirectories(places.resolve("files/data"));
        Files.createSymbolicLink(later.resolve("link"), secret);
        Files.writeString(later.resolve("file"), "later");
        RestoreRun.copyLater(later.getParent(), BackupCipher.NONE, target, new TransferMeter(text -> {}, 0));
        assertThat(target.toFile().list()).containsExactly("file");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"instance\" : \"[^\"]*\"|\"instance\" : \"../../escaped\"",
                "\"instance\" : \"[^\"]*\",|",
                "\"ended\" : \"[^\"]*\",|",
                "\"program\" : \"[^\"]*\"|\"program\" : \"99999999999\"",
                "\"program\" : \"[^\"]*\"|\"program\" : null",
                "\"schemas\" : \\{ \\}|\"schemas\" : 7"
            })
    void aDescriptionThatIsNotOursIsRefused(String change) throws Exception {
        var parts = change.split("\\|", -1);
        var file = backup.resolve(BackupManifest.FILE);
        var before = Files.readString(file);
        Files.writeString(file, before.replaceAll(parts[0], parts[1]));
        assertThat(Files.readString(file)).isNotEqualTo(before);
        requireRefused(BackupManifest.FILE);
    }

    @Test
    void theNameOfADataFolderIsReadByItsOwnerAndNeverEmpty() throws Exception {
        var data = Files.createDirectory(places.resolve("data"));
        var name = BackupWriter.instance(data);
        assertThat(BackupWriter.instance(data)).isEqualTo(name);
        assertThat(data.toFile().list()).containsExactly(BackupWriter.INSTANCE_FILE);
        assertThat(Files.getOwner(data.resolve(BackupWriter.INSTANCE_FILE))).isEqualTo(Files.getOwner(data));

        Files.writeString(data.resolve(BackupWriter.INSTANCE_FILE), "");
        assertThatThrownBy(() -> BackupWriter.instance(data)).hasMessageContaining(BackupWriter.INSTANCE_FILE);
    }

    @Test
    void theServersOwnBackupsAreNoPartOfOne() throws Exception {
        var data = Files.createDirectories(places.resolve("data"));
        var link = Files.createSymbolicLink(places.resolve("link"), data);
        Files.writeString(data.resolve("keys"), "a key");
        Files.createDirectories(data.resolve("own/backups"));
        Files.writeString(data.resolve("own/backups/file"), "not again");
        Files.writeString(data.resolve("own/file"), "this one");
        for (var other : List.of("mine/backup.lock", "20261117T000000Z-full/x", "20261117T000000Z-saga.partial/x")) {
            Files.createDirectories(data.resolve(other).getParent());
            Files.writeString(data.resolve(other), "not again");
        }
        var sources = new BackupSources(
                link,
                Map.of(),
                Optional.empty(),
                Optional.of(data.resolve("own/../own/backups")),
                false,
                Optional.empty());
        DataFiles.all(sources, places.resolve("to"), stored("to/x"), Optional.empty())
                .copy();
        assertThat(places.resolve("to/x/data/keys")).exists();
        assertThat(places.resolve("to/x/data/own").toFile().list()).containsExactly("file");
        assertThat(places.resolve("to/x/data").toFile().list()).containsExactlyInAnyOrder("keys", "own");

        DataFiles.all(sources, data, stored("to/y"), Optional.empty()).copy();
        assertThat(places.resolve("to/y/data/keys"))
                .as("a backup into the data folder itself")
                .exists();
    }

    private StoredFiles stored(String folder) {
        return stored(places.resolve(folder));
    }

    @Test
    void aBackupGoesOnWithTheFilesOfOneThatWasInterruptedInTheSameRunOfTheMachine() throws Exception {
        var data = Files.createDirectories(places.resolve("data"));
        for (var name : List.of("same", "changed", "gone")) {
            Files.writeString(data.resolve(name), name);
        }
        var sources = new BackupSources(data, Map.of(), Optional.empty(), Optional.empty(), false, Optional.empty());
        var folder = new BackupFolder(places.resolve("resumed"));
        var started = Instant.parse("2026-11-18T00:00:00Z");
        try (var _ = folder.lock()) {
            var first = folder.begin(started, "mark");
            var before = stored(first);
            DataFiles.all(sources, folder.root(), before, Optional.empty()).copy();
            before.compress("postgres/PG_VERSION", InputStream.nullInputStream());
            before.writeSums();
            var inode = Files.getAttribute(first.resolve("data/same"), "unix:ino");
            Files.writeString(data.resolve("changed"), "another");
            Files.delete(data.resolve("gone"));

            var second = folder.begin(started.plusSeconds(1), "mark");
            assertThat(first).doesNotExist();
            assertThat(second.toFile().list()).containsExactlyInAnyOrder("data", "resumable");
            var after = stored(second);
            after.resume();
            DataFiles.all(sources, folder.root(), after, Optional.empty()).copy();
            after.removeOthers();
            after.writeSums();
            var done = folder.complete(second);
            assertThat(Files.getAttribute(done.resolve("data/same"), "unix:ino"))
                    .as("not copied again")
                    .isEqualTo(inode);
            assertThat(done.resolve("data/changed")).hasContent("another");
            assertThat(StoredFiles.check(done, new TransferMeter(text -> {}, 0)))
                    .containsOnlyKeys("data/changed", "data/same");

            var third = folder.begin(started.plusSeconds(2), "mark");
            stored(third).compress("data/same", InputStream.nullInputStream());
            assertThat(folder.begin(started.plusSeconds(3), "that of another run of the machine")
                            .toFile()
                            .list())
                    .containsExactly("resumable");
            assertThat(third).doesNotExist();
        }
    }

    private static StoredFiles stored(Path folder) {
        return new StoredFiles(folder, new TransferMeter(text -> {}, 0), BackupCipher.NONE);
    }

    @Test
    void aBackupDoesNotFillTheDiskOfTheDatabase() throws Exception {
        Files.createDirectories(places.resolve("to"));
        var files = stored("to");
        try (var content = new ByteArrayInputStream(new byte[1])) {
            files.storePlain("one", content, FileTime.fromMillis(0));
        }
        files.keepFree(new DiskReserve(500, folder -> 499));
        assertThatThrownBy(() -> files.compress("two", InputStream.nullInputStream()))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("which the database is on too");
        assertThat(places.resolve("to").toFile().list()).containsExactly("one");
    }

    @Test
    void foldersShareADiskThatIsTheSameDevice() throws IOException {
        assertThat(DiskReserve.isOneDisk(places, backup)).isTrue();
        assertThat(DiskReserve.isOneDisk(places, Path.of("/dev"))).isFalse();
    }

    @Test
    void theArchiveTakesWhatCameSinceTheFullBackupAlsoWithAnOldTime() throws Exception {
        var data = Files.createDirectories(places.resolve("data"));
        var sources = new BackupSources(data, Map.of(), Optional.empty(), Optional.empty(), false, Optional.empty());
        Files.writeString(data.resolve("old"), "in the full backup");
        var later = new FullBackup(backup, TestBackups.manifest(Instant.now().plus(Duration.ofHours(1))));
        DataFiles.after(sources, places, stored("none"), later).copy();
        assertThat(places.resolve("none")).doesNotExist();

        var earlier = new FullBackup(backup, TestBackups.manifest(Instant.now().minus(Duration.ofHours(1))));
        var moved = Files.writeString(data.resolve("moved"), "written long ago");
        Files.setLastModifiedTime(moved, FileTime.from(Instant.EPOCH));
        DataFiles.after(sources, places.resolve("some"), stored("some"), earlier)
                .copy();
        assertThat(places.resolve("some/data").toFile().list()).containsExactlyInAnyOrder("old", "moved");
    }

    @Test
    void foldersOfPicturesAreLookedIntoOnlyWhenTheyHaveChanged() throws Exception {
        var data = Files.createDirectories(places.resolve("data"));
        var owner = Files.createDirectories(data.resolve("media/7"));
        var sources = new BackupSources(data, Map.of(), Optional.empty(), Optional.empty(), false, Optional.empty());
        var full = new FullBackup(backup, TestBackups.manifest(Instant.now().minus(Duration.ofHours(1))));
        var files = DataFiles.after(sources, places.resolve("some"), stored("some"), full);
        Files.writeString(owner.resolve("first"), "1");
        files.copy();
        Files.writeString(owner.resolve("second"), "2");
        var settled = FileTime.from(Instant.now().minusSeconds(600));
        Files.setLastModifiedTime(owner, settled);
        files.copy();
        var copies = places.resolve("some/data/media/7").toFile();
        assertThat(copies.list()).containsExactlyInAnyOrder("first", "second");

        Files.writeString(owner.resolve("third"), "3");
        Files.setLastModifiedTime(owner, settled);
        files.copy();
        assertThat(copies.list()).as("its time is as it was").hasSize(2);
        Files.writeString(owner.resolve("fourth"), "4");
        files.copy();
        assertThat(copies.list()).hasSize(4);
    }

    @Test
    void aFullDiskIsNamedByItsFolder() {
        var failure = new IOException("No space left on device");
        assertThat(new DiskReserve(0, folder -> 4096).full(failure, places))
                .hasValueSatisfying(told -> assertThat(told).hasMessageContaining(places + " is full"));
        assertThat(new DiskReserve(0, folder -> 1L << 30).full(failure, places)).isEmpty();
    }

    @Test
    void theMomentOfARestorationIsTheOneAskedForOrThatOfTheLastCommit() {
        var ended = Instant.parse("2026-11-18T00:00:00Z");
        var manifest = TestBackups.manifest(ended);
        var asked = Optional.of(ended.plusSeconds(60));
        assertThat(manifest.moment(asked, Optional.of(ended.plusSeconds(30)))).isEqualTo(asked.get());
        assertThat(manifest.moment(Optional.empty(), asked)).isEqualTo(asked.get());
        assertThat(manifest.moment(Optional.empty(), Optional.of(ended.minusSeconds(1))))
                .isEqualTo(ended);
        assertThat(manifest.moment(Optional.empty(), Optional.empty())).isEqualTo(ended);
    }

    @Test
    void aRestorationNeedsRoomForWhatItUnpacks() throws Exception {
        var json = backup.resolve(BackupManifest.FILE);
        Files.writeString(json, Files.readString(json).replace("\"unpacked\" : 1", "\"unpacked\" : 300000000"));
        assertThatThrownBy(() -> restoreWith(new DiskReserve(500_000_000, folder -> 700_000_000)))
                .hasMessageContaining("are needed, with what must stay free")
                .hasMessageContaining(places.toString());
        assertThatThrownBy(() -> restoreWith(new DiskReserve(500_000_000, folder -> 900_000_000)))
                .as("there is room, and only the description was changed")
                .hasMessageContaining("damaged");
    }

    private void restoreWith(DiskReserve reserve) throws Exception {
        new RestoreRun(BackupSecret.NONE, text -> {}, false, 0, reserve)
                .restore(backup, Optional.empty(), Optional.empty(), target);
    }

    @Test
    void aLargeFileIsNotWrittenToItsEndWhereTheDiskFillsMeanwhile() throws Exception {
        Files.createDirectories(places.resolve("to"));
        var free = new AtomicLong(600);
        var files = stored("to");
        files.keepFree(new DiskReserve(500, folder -> free.getAndAdd(-60)));
        var size = 256 << 20;
        assertThatThrownBy(() ->
                        files.storePlain("large", new ByteArrayInputStream(new byte[size]), FileTime.fromMillis(0)))
                .isInstanceOf(BackupException.class);
        assertThat(Files.size(places.resolve("to/large"))).isLessThan(size);
    }

    @Test
    void betweenTwoHirobasInOneFolderSomebodyHasToChoose() throws Exception {
        var to = places.resolve("shared");
        var time = Instant.parse("2026-11-01T00:00:00Z");
        var one = "1a2b3c4d-0000-4000-8000-000000000001";
        var other = "5e6f7a8b-0000-4000-8000-000000000002";
        add(to, TestBackups.manifest(time, one, "1"));
        add(to, TestBackups.manifest(time.plus(Duration.ofDays(1)), one, "1"));
        var restored = add(to, TestBackups.manifest(time.plus(Duration.ofDays(2)), other, "1"));
        assertThat(BackupChoice.choose(to, Optional.empty(), Optional.empty()))
                .as("a restored folder comes after the former")
                .isEqualTo(restored);

        var later = add(to, TestBackups.manifest(time.plus(Duration.ofDays(3)), one, "1"));
        assertThatThrownBy(() -> BackupChoice.choose(to, Optional.empty(), Optional.empty()))
                .as("both are used")
                .hasMessageContaining("--instance")
                .hasMessageContaining("1a2b3c4d (2026-11-01T00:00:00Z – 2026-11-04T00:00:00Z)")
                .hasMessageContaining("5e6f7a8b (2026-11-03T00:00:00Z – 2026-11-03T00:00:00Z)");
        assertThat(BackupChoice.choose(to, Optional.empty(), Optional.of("5e6f7a8b")))
                .isEqualTo(restored);
        assertThat(BackupChoice.choose(to, Optional.empty(), Optional.of(one))).isEqualTo(later);
        assertThatThrownBy(() -> BackupChoice.choose(to, Optional.empty(), Optional.of("9999")))
                .hasMessageContaining("There is no backup in " + to + " (--instance 9999)");

        assertThat(BackupChoice.newest(to, Optional.empty(), Optional.of(other)))
                .as("verified is what is one's own")
                .isEqualTo(restored);
        assertThat(BackupChoice.newest(to, Optional.of("1a2b3c4d"), Optional.of(other)))
                .isEqualTo(later);
        assertThat(BackupChoice.newest(later.folder(), Optional.empty(), Optional.of(other)))
                .as("one that is named")
                .isEqualTo(later);
        for (var nobody : List.of(Optional.<String>empty(), Optional.of("9c9c9c9c-0000-4000-8000-000000000003"))) {
            assertThatThrownBy(() -> BackupChoice.newest(to, Optional.empty(), nobody))
                    .hasMessageContaining("--instance");
        }

        var apart = places.resolve("apart");
        add(apart, TestBackups.manifest(time, one, "1"));
        add(apart, TestBackups.manifest(time.plus(Duration.ofDays(1)), other, "2"));
        assertThatThrownBy(() -> BackupChoice.choose(apart, Optional.empty(), Optional.empty()))
                .as("another database")
                .hasMessageContaining("1a2b3c4d");
    }

    private static FullBackup add(Path to, BackupManifest manifest) throws IOException {
        var name = manifest.started().toString().replaceAll("[-:]", "") + "-full";
        var folder = Files.createDirectories(to.resolve(name));
        Files.writeString(folder.resolve(BackupManifest.FILE), manifest.json());
        return new FullBackup(folder, manifest);
    }

    @Test
    void fullBackupsAreKeptLongerThanTheLogThatFollowsThem() {
        assertThatThrownBy(() -> TestBackups.config(places, Duration.ofDays(7), "", TestBackups.noBucket()))
                .hasMessageContaining("keep must be a day longer");
    }
}
