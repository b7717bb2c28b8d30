package io.hiroba.backup;

import io.hiroba.backup.BackupCipher.NotAuthenticException;
import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.backup.WalArchive.Extracted;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedException;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.FolderLock;
import io.hiroba.embedded.Folders;
import io.hiroba.embedded.MajorUpgrade;
import io.hiroba.embedded.Recovery;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores a backup into a new data folder. It grows beside it as {@code NEW.partial} and gets its name when the database has been
 * recovered and stopped. In a folder that is there and empty, which may be a mount point or all that may be written, it grows as
 * {@code .partial}, becomes {@code .complete} and is moved up. The backup itself is only read.
 */
final class RestoreRun {

    static final String LOCK = "restore.lock";
    /** The mark of one that is complete and has not got its name yet. */
    static final String DONE = "restore.done";

    static final String PARTIAL = ".partial";
    static final String COMPLETE = ".complete";

    /** The folder, in the one that grows, of what is fetched from a bucket. */
    static final String DOWNLOAD = ".download";

    private static final String DATA = "data/";
    private static final String DATABASE = "postgres/";

    private static final Logger log = LoggerFactory.getLogger(RestoreRun.class);

    private final BackupSecret secret;
    private final Consumer<Text> progress;
    private final boolean isLowPriority;
    private final long bytesPerSecond;
    private final DiskReserve reserve;

    RestoreRun(BackupSecret secret, Consumer<Text> progress) {
        this(secret, progress, false, 0, DiskReserve.NONE);
    }

    /**
     * @param bytesPerSecond 0 for as fast as it goes
     * @param reserve what is left of the disk
     */
    RestoreRun(
            BackupSecret secret,
            Consumer<Text> progress,
            boolean isLowPriority,
            long bytesPerSecond,
            DiskReserve reserve) {
        this.secret = secret;
        this.progress = progress;
        this.isLowPriority = isLowPriority;
        this.bytesPerSecond = bytesPerSecond;
        this.reserve = reserve;
    }

    /** The way to the backup that is restored, which may fetch it into a folder that is removed at the end. */
    interface Source {
        FullBackup fetch(Path staging) throws IOException;
    }

    /** The work on a database that was recovered and runs. */
    interface Inspection {
        void look(EmbeddedPostgres postgres) throws IOException, SQLException;
    }

    /**
     * Restores.
     *
     * @param from a folder of backups, or one backup in it
     * @param time the newest state is restored if it is empty
     */
    void restore(Path from, Optional<Instant> time, Optional<String> instance, Path target)
            throws IOException, SQLException {
        boolean isOne = Files.exists(from.resolve(BackupManifest.FILE));
        restore(BackupChoice.choose(from, time, instance), time.isPresent() || !isOne, time, target, postgres -> {});
    }

    /** @param followsLog whether the archived log after the backup is followed, to the time or to its end */
    void restore(FullBackup backup, boolean followsLog, Optional<Instant> time, Path target, Inspection inspection)
            throws IOException, SQLException {
        // Before anything is made.
        cipher(backup);
        restore(_ -> backup, followsLog, time, target, inspection);
    }

    /** Restores what is fetched first; when it is interrupted, that is gone on with. */
    void restore(Source source, boolean followsLog, Optional<Instant> time, Path target, Inspection inspection)
            throws IOException, SQLException {
        boolean isInside = Files.exists(target);
        requireEmpty(target);
        var partial = isInside ? target.resolve(PARTIAL) : target.resolveSibling(target.getFileName() + PARTIAL);
        requireWritable(Objects.requireNonNull(partial.toAbsolutePath().getParent()));
        if (isInside && Files.exists(target.resolve(COMPLETE))) {
            moveUp(target);
            return;
        }
        if (Files.exists(partial.resolve(DONE))) {
            giveName(partial, target);
            return;
        }
        try (var _ = claim(partial)) {
            try {
                fill(partial, source.fetch(partial.resolve(DOWNLOAD)), followsLog, time, inspection);
            } catch (IOException | SQLException | RuntimeException e) {
                removeUntouched(partial, e);
                throw e;
            }
            Folders.delete(partial.resolve(DOWNLOAD));
            Folders.flush(partial);
            if (isInside) {
                Folders.rename(partial, target.resolve(COMPLETE));
                moveUp(target);
            } else {
                // First the mark of what is unfinished: no server starts on what bears it, whatever its name.
                Files.move(partial.resolve(LOCK), partial.resolve(DONE), StandardCopyOption.ATOMIC_MOVE);
                giveName(partial, target);
            }
        }
    }

    /** A restoration that was refused before it wrote anything leaves nothing that a server would not start on. */
    private static void removeUntouched(Path partial, Exception failure) {
        try {
            if (children(partial).stream().allMatch(child -> child.endsWith(LOCK))) {
                Folders.delete(partial);
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private BackupCipher cipher(FullBackup backup) {
        requireKnown(backup);
        return secret.cipher(backup.folder(), backup.manifest());
    }

    private void fill(
            Path partial, FullBackup backup, boolean followsLog, Optional<Instant> time, Inspection inspection)
            throws IOException, SQLException {
        var cipher = cipher(backup);
        reserve.requireRoom(partial, backup.manifest().room());
        progress.accept(Text.of("backup.checking", "folder", backup.folder()));
        StoredFiles.requireAuthentic(backup.folder(), cipher);
        var sums = StoredFiles.check(backup.folder(), new TransferMeter(progress, bytesPerSecond));
        progress.accept(Text.of("backup.copying"));
        var meter = new TransferMeter(progress, bytesPerSecond);
        meter.keepFree(reserve, partial);
        for (var path : sums.keySet()) {
            copy(backup.folder(), path, cipher, partial, meter);
        }
        var archive = BackupChoice.archive(backup, cipher);
        var extracted = followsLog
                ? archive.extract(
                        backup.manifest(), BackupChoice.bound(backup, time), partial.resolve("postgres/data/pg_wal"))
                : Extracted.NONE;
        if (extracted.isAny()) {
            copyLater(archive.files(), cipher, partial, meter);
        }
        progress.accept(Text.of("backup.recovering"));
        Inspection look = postgres -> {
            var moment = backup.manifest().moment(time, Recovery.lastCommit(postgres));
            progress.accept(Text.of("backup.recovered", "time", moment));
            inspection.look(postgres);
        };
        if (extracted.damaged().isPresent()) {
            recoverBefore(extracted.damaged().get(), backup, time, partial, look);
        } else {
            recover(backup, time, partial, look);
        }
        if (!backup.manifest().pictures().isEmpty()) {
            progress.accept(Text.of(
                    "backup.pictures-not-restored", "bucket", backup.manifest().pictures()));
        }
    }

    /** Ends a restoration; when this is interrupted, the next one does it. */
    private static void giveName(Path partial, Path target) throws IOException {
        Folders.rename(partial, target);
        Files.deleteIfExists(target.resolve(DONE));
    }

    /** Whether a folder is what an interrupted restoration has left: it is deleted when the restoration is repeated. */
    static boolean isUnfinished(Path data) {
        return Files.exists(data.resolve(LOCK))
                || Files.exists(data.resolve(PARTIAL).resolve(LOCK))
                || isMovingUp(data);
    }

    private static boolean isMovingUp(Path target) {
        return Files.exists(target.resolve(COMPLETE).resolve("postgres"));
    }

    /** Refuses a target with something in it. */
    static void requireEmpty(Path target) throws IOException {
        if (Files.exists(target) && !isEmptyFolder(target) && !isMovingUp(target)) {
            throw new BackupException(Text.of("backup.problem.not-empty", "folder", target));
        }
    }

    /** Ends a restoration in a folder that was there; the database comes last, and can be started only then. */
    private static void moveUp(Path target) throws IOException {
        var complete = target.resolve(COMPLETE);
        for (var child : children(complete)) {
            if (!child.endsWith(LOCK) && !child.endsWith("postgres")) {
                Folders.rename(child, target.resolve(child.getFileName()));
            }
        }
        if (Files.exists(complete.resolve("postgres"))) {
            Folders.rename(complete.resolve("postgres"), target.resolve("postgres"));
        }
        Folders.delete(complete);
    }

    private static void requireWritable(Path folder) {
        var there = folder;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        if (!Files.isWritable(there)) {
            throw new BackupException(Text.of("backup.problem.not-writable", "folder", there));
        }
    }

    /** Recovers to a time that the log reaches although it is damaged later; refuses any other, and tells how far it reaches. */
    private void recoverBefore(
            Path damaged, FullBackup backup, Optional<Instant> time, Path partial, Inspection inspection)
            throws IOException, SQLException {
        if (time.isPresent()) {
            try {
                recover(backup, time, partial, inspection);
                return;
            } catch (EmbeddedException e) {
                log.info("The log ends before {}: {}", time.get(), e.getMessage());
            }
        }
        var reached = new AtomicReference<>(backup.manifest().consistent());
        recover(
                backup,
                Optional.empty(),
                partial,
                server -> Recovery.lastCommit(server).ifPresent(reached::set));
        throw new BackupException(Text.of("backup.problem.damaged-log", "file", damaged, "last", reached.get()));
    }

    private void recover(FullBackup backup, Optional<Instant> time, Path partial, Inspection inspection)
            throws IOException, SQLException {
        var database = partial.resolve("postgres");
        var config = new EmbeddedConfig(database, EmbeddedConfig.defaultCacheDir(), true);
        try (var postgres = EmbeddedPostgres.recover(config, new Recovery(time, isLowPriority), step -> {})) {
            var schemas = Recovery.schemas(postgres);
            if (!schemas.keySet().containsAll(backup.manifest().schemas().keySet())) {
                throw new BackupException(Text.of("backup.problem.incomplete", "folder", backup.folder()));
            }
            inspection.look(postgres);
        }
        Files.deleteIfExists(database.resolve("data/backup_label.old"));
    }

    private static void requireKnown(FullBackup backup) {
        var manifest = backup.manifest();
        var version = manifest.majorVersion();
        var own = MajorUpgrade.ownMajor(new EmbeddedConfig(backup.folder(), EmbeddedConfig.defaultCacheDir(), true));
        if (!version.equals(own)) {
            throw new BackupException(Text.of(
                    "backup.problem.other-postgresql", "folder", backup.folder(), "version", version, "own", own));
        }
        BackupManifest.requireKnown(backup.folder(), manifest.format() > BackupManifest.FORMAT, manifest.program());
    }

    private static boolean isEmptyFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        return children(folder).stream()
                .allMatch(child -> child.endsWith(PARTIAL) || child.endsWith(COMPLETE) || child.endsWith("lost+found"));
    }

    private static List<Path> children(Path folder) throws IOException {
        try (var children = Files.list(folder)) {
            return children.sorted().toList();
        }
    }

    /** An empty folder that is nobody else's; what an interrupted restoration has left there is removed. */
    private static FolderLock claim(Path partial) throws IOException {
        if (Files.exists(partial) && !isEmptyFolder(partial) && !Files.exists(partial.resolve(LOCK))) {
            throw new BackupException(Text.of("backup.problem.not-empty", "folder", partial));
        }
        BackupFolder.createPrivate(partial);
        var lock = FolderLock.tryAcquire(partial.resolve(LOCK))
                .orElseThrow(() -> new BackupException(Text.of("backup.problem.busy", "folder", partial)));
        try {
            var other = Recovery.abandon(partial.resolve("postgres"));
            if (other.isPresent()) {
                throw new BackupException(
                        Text.of("backup.problem.in-use", "folder", partial, "process", Long.toString(other.get())));
            }
            for (var child : children(partial)) {
                if (!child.endsWith(LOCK) && !child.endsWith(DOWNLOAD)) {
                    Folders.delete(child);
                }
            }
            return lock;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static void copy(Path backup, String path, BackupCipher cipher, Path target, TransferMeter meter)
            throws IOException {
        var file = backup.resolve(path);
        if (path.startsWith(DATABASE)) {
            var name = path.substring(0, path.length() - StoredFiles.COMPRESSED.length());
            try (var content = new GZIPInputStream(cipher.open(path, Files.newInputStream(file)))) {
                write(content, target.resolve(name), meter);
            } catch (NotAuthenticException e) {
                throw StoredFiles.damaged(file);
            }
        } else if (path.startsWith(DATA)) {
            var to = target.resolve(path.substring(DATA.length()));
            try (var content = cipher.open(path, Files.newInputStream(file))) {
                write(content, to, meter);
            } catch (NotAuthenticException e) {
                throw StoredFiles.damaged(file);
            }
            Files.setLastModifiedTime(to, Files.getLastModifiedTime(file));
        }
    }

    /** The files that came after the full backup, or changed. */
    static void copyLater(Path files, BackupCipher cipher, Path target, TransferMeter meter) throws IOException {
        var data = files.resolve("data");
        if (!Files.isDirectory(data, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (var all = Files.walk(data)) {
            for (var file : all.filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                var to = target.resolve(data.relativize(file).toString());
                if (Files.exists(to)
                        && cipher.size(Files.size(to)) == Files.size(file)
                        && Files.getLastModifiedTime(to).equals(Files.getLastModifiedTime(file))) {
                    continue;
                }
                Files.deleteIfExists(to);
                try (var content = cipher.open(files.relativize(file).toString(), Files.newInputStream(file))) {
                    write(content, to, meter);
                } catch (NotAuthenticException e) {
                    throw StoredFiles.damaged(file);
                }
                Files.setLastModifiedTime(to, Files.getLastModifiedTime(file));
            }
        }
    }

    private static void write(InputStream content, Path to, TransferMeter meter) throws IOException {
        Files.createDirectories(Objects.requireNonNull(to.getParent()));
        Files.createFile(to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        var buffer = new byte[1 << 16];
        try (var out = Files.newOutputStream(to)) {
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                out.write(buffer, 0, read);
                meter.add(read);
            }
        }
    }
}
