package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.embedded.BaseBackup;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.Folders;
import io.hiroba.platform.ProgramVersion;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.db.BackupLock;
import io.hiroba.platform.i18n.Text;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Makes full backups of a node while it runs. */
final class BackupWriter {

    /** In the data folder: tells it from folders that were restored from its backups. */
    static final String INSTANCE_FILE = "backup-instance";

    private final BackupSources sources;
    private final BackupFolder folder;
    private final InstantSource clock;
    private final Consumer<Text> progress;
    private final BackupSecret secret;
    private final DiskReserve reserve;

    BackupWriter(
            BackupSources sources,
            BackupFolder folder,
            BackupSecret secret,
            InstantSource clock,
            Consumer<Text> progress) {
        this(sources, folder, secret, clock, progress, DiskReserve.OF_DATABASE);
    }

    /** @param reserve on the disk of the database */
    BackupWriter(
            BackupSources sources,
            BackupFolder folder,
            BackupSecret secret,
            InstantSource clock,
            Consumer<Text> progress,
            DiskReserve reserve) {
        this.sources = sources;
        this.folder = folder;
        this.secret = secret;
        this.clock = clock;
        this.progress = progress;
        this.reserve = reserve;
    }

    /** @param bytesPerSecond 0 for as fast as it goes */
    FullBackup write(long bytesPerSecond) throws IOException, SQLException {
        requireDatabase();
        sources.pictures().ifPresent(bucket -> progress.accept(Text.of("backup.pictures-elsewhere", "bucket", bucket)));
        try (var _ = folder.lock()) {
            var former = folder.list().stream().reduce((older, newer) -> newer);
            var started = clock.instant();
            var instance = instance(sources.data());
            var cipher = secret.cipher(instance);
            var partial = folder.begin(started, mark(instance, cipher));
            BackupManifest manifest;
            try {
                var stored = new StoredFiles(partial, new TransferMeter(progress, bytesPerSecond), cipher);
                manifest = fill(partial, started, instance, stored, former);
            } catch (IOException | SQLException | RuntimeException e) {
                var full = reserve.full(e, folder.root());
                if (reserve.isTouched(partial)) {
                    giveBack(partial, e);
                }
                if (full.isPresent()) {
                    throw full.get();
                }
                throw e;
            }
            var done = new FullBackup(folder.complete(partial), manifest);
            progress.accept(Text.of(
                    "backup.done",
                    "folder",
                    done.folder(),
                    "size",
                    SystemCheck.size(manifest.bytes()),
                    "time",
                    SystemCheck.duration(Duration.between(started, clock.instant())),
                    "ended",
                    manifest.ended()));
            return done;
        }
    }

    /** That it may not be read is another matter than that there is none. */
    void requireDatabase() throws IOException {
        if (sources.hasOwnDatabase()) {
            throw new BackupException(Text.of("backup.problem.own-database"));
        }
        try {
            if (Files.readAttributes(sources.database(), BasicFileAttributes.class)
                    .isDirectory()) {
                return;
            }
        } catch (NoSuchFileException e) {
            // Refused below, as a file would be.
        }
        throw new BackupException(Text.of("backup.problem.no-database", "folder", sources.data()));
    }

    /** The disk may be full of what is of no use. */
    private static void giveBack(Path partial, Exception failure) {
        try {
            Folders.delete(partial);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** What is stored in one run of the machine is what was written, whatever became of the program. */
    private static String mark(String instance, BackupCipher cipher) throws IOException {
        var run = Path.of("/proc/sys/kernel/random/boot_id");
        return String.join(
                " ",
                String.valueOf(BackupManifest.FORMAT),
                instance,
                cipher.id(),
                Files.exists(run)
                        ? Files.readString(run).strip()
                        : UUID.randomUUID().toString());
    }

    private BackupManifest fill(
            Path partial, Instant started, String instance, StoredFiles stored, Optional<FullBackup> former)
            throws IOException, SQLException {
        stored.resume();
        stored.keepFree(reserve.on(partial, sources.database()));
        var result = copy(stored, DataFiles.all(sources, folder.root(), stored, former));
        stored.removeOthers();
        var manifest = new BackupManifest(
                BackupManifest.FORMAT,
                ProgramVersion.CURRENT,
                instance,
                result.postgresql(),
                result.systemId(),
                result.schemas(),
                started,
                result.ended(),
                result.consistent(),
                result.start().lsn(),
                result.stop().lsn(),
                result.start().timeline(),
                result.start().segment(),
                result.stop().segment(),
                stored.count(),
                stored.bytes(),
                stored.unpacked(),
                sources.pictures().orElse(""),
                stored.cipher().id());
        try (var json = new ByteArrayInputStream(manifest.json().getBytes(StandardCharsets.UTF_8))) {
            stored.storePlain(BackupManifest.FILE, json, FileTime.from(started));
        }
        stored.writeSums();
        return manifest;
    }

    private BaseBackup.Result copy(StoredFiles stored, DataFiles files) throws IOException, SQLException {
        var config = new EmbeddedConfig(sources.database(), EmbeddedConfig.defaultCacheDir(), true);
        try (var base = BaseBackup.of(config, BackupLock.KEY)) {
            progress.accept(Text.of("backup.begun", "size", SystemCheck.size(base.size())));
            files.copy();
            var result = base.copy((path, content) -> stored.compress("postgres/" + path, content));
            files.copy();
            return result;
        }
    }

    /** The name of a data folder in its backups, if it has one yet. */
    static Optional<String> knownInstance(Path data) throws IOException {
        return Files.exists(data.resolve(INSTANCE_FILE)) ? Optional.of(instance(data)) : Optional.empty();
    }

    /** The name of a data folder in its backups, made when it is first asked for. */
    static String instance(Path data) throws IOException {
        var file = data.resolve(INSTANCE_FILE);
        if (!Files.exists(file)) {
            var next = data.resolve(INSTANCE_FILE + "." + UUID.randomUUID());
            try {
                Folders.write(next, UUID.randomUUID().toString(), "rw-------");
                // The server must be able to read it, also if this is root's command.
                if (!Files.getOwner(next).equals(Files.getOwner(data))) {
                    Files.setOwner(next, Files.getOwner(data));
                }
                // A link, unlike a rename, leaves the name of who was quicker.
                Files.createLink(file, next);
                Folders.sync(data);
            } catch (FileAlreadyExistsException e) {
                // Another one was quicker.
            } catch (UnsupportedOperationException e) {
                Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(next);
            }
        }
        var name = Files.readString(file).strip();
        if (!BackupManifest.INSTANCE.matcher(name).matches()) {
            throw new BackupException(Text.of("backup.problem.instance", "file", file));
        }
        return name;
    }

    /** Removes backups that are older than {@code age}, but never the newest of a data folder. */
    int removeOlder(Duration age) throws IOException {
        try (var _ = folder.lock()) {
            var bound = clock.instant().minus(age);
            var all = folder.list();
            var newest = new HashMap<String, FullBackup>();
            all.forEach(backup -> newest.put(backup.manifest().instance(), backup));
            int removed = 0;
            for (var backup : all) {
                if (backup.manifest().ended().isBefore(bound) && !newest.containsValue(backup)) {
                    folder.remove(backup);
                    removed++;
                }
            }
            return removed;
        }
    }
}
